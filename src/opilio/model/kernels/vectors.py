"""Adds up word vectors."""

import numpy as np

from opilio.model.compiling import njit


@njit(cache=True)
def add(places, weights, ends, pieces, table, scales, total):
    """Adds to `total`, for each term, the mean of the rows of `table` that are its pieces, times its weight. A row is
    numbers times a scale. The pieces of the term in place `n` are those from `ends[n]` to `ends[n + 1]`."""
    for number in range(len(places)):
        first, last = ends[places[number]], ends[places[number] + 1]
        if first == last:
            continue
        weight = weights[number] / (last - first)
        for piece in range(first, last):
            row = table[pieces[piece]]
            scale = np.float32(weight * scales[pieces[piece]])
            for axis in range(len(total)):
                total[axis] += scale * np.float32(row[axis])
