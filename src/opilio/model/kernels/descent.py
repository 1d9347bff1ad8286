"""Dual coordinate descent for a linear support vector machine with hinge loss (C-SVC)."""

from typing import Final

import numpy as np

from opilio.model.compiling import njit

_CLOSE: Final = 1e-2  # the largest violation that may remain: more exact weights do not change the verdict on any page
_MOST_PASSES: Final = 500


@njit(cache=True)
def descend(starts, places, values, signs, costs, size, orders):
    """Returns weights for the rows `places[starts[i]:starts[i+1]]` with their values; each row of `orders` is an order
    in which to visit them, used in turn. costs[i] bounds the influence of row i."""
    rows = len(signs)
    weights = np.zeros(size)
    forces = np.zeros(rows)
    lengths = np.zeros(rows)
    for row in range(rows):
        for at in range(starts[row], starts[row + 1]):
            lengths[row] += values[at] * values[at]
    for turn in range(_MOST_PASSES):
        worst = 0.0
        for row in orders[turn % len(orders)]:
            if lengths[row] == 0.0:
                continue
            margin = 0.0
            for at in range(starts[row], starts[row + 1]):
                margin += weights[places[at]] * values[at]
            gradient = signs[row] * margin - 1.0
            force = min(max(forces[row] - gradient / lengths[row], 0.0), costs[row])
            change = force - forces[row]
            if change != 0.0:
                forces[row] = force
                for at in range(starts[row], starts[row + 1]):
                    weights[places[at]] += change * signs[row] * values[at]
                worst = max(worst, abs(change) * np.sqrt(lengths[row]))
        if worst < _CLOSE * np.mean(costs):
            break
    return weights
