"""Log odds as probabilities, and back. Compiled code has a copy of its own in `kernels.logistic`.

`bound` limits the log odds on both sides; with `SUREST`, no probability is exactly 0 or 1.
"""

from math import copysign, exp, log
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SUREST: Final = 30.0
_NO_OVERFLOW: Final = 700.0


def sigmoid(log_odds: float, bound: float = _NO_OVERFLOW) -> float:
    if not -bound <= log_odds <= bound:
        log_odds = copysign(bound, log_odds)
    return 1.0 / (1.0 + exp(-log_odds))


def logit(probability: float, bound: float = SUREST) -> float:
    """Returns log odds within the bound."""
    least = sigmoid(-bound)
    probability = min(max(probability, least), 1.0 - least)
    return log(probability / (1.0 - probability))


def sigmoids(log_odds: "npt.NDArray[np.float64]", bound: float = _NO_OVERFLOW) -> "npt.NDArray[np.float64]":
    import numpy as np  # noqa: PLC0415  only where there are arrays anyway

    probabilities: npt.NDArray[np.float64] = 1.0 / (1.0 + np.exp(-log_odds.clip(-bound, bound)))
    return probabilities
