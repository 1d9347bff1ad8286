"""What a smoothing makes of one order: the n-grams' log10 probabilities, and their back-offs as contexts.

Both smoothings work in double precision and promise that in every context the probabilities of all words, the unknown
word and the end of a sentence add up to 1.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .counts import Keys
from .vocabulary import BEGIN, UNKNOWN

Doubles = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]


class Estimate(NamedTuple):
    grams: Keys
    log10: Singles  # not a number: left out of the model
    backoffs: Singles


def as_log10(values: Doubles) -> Singles:
    """Rounded on the way, so that no second array of doubles is made."""
    log10 = np.empty(len(values), np.float32)
    np.log10(values, out=log10)
    return log10


def word_log10(probabilities: Doubles) -> Singles:
    """The beginning of a sentence is certain, so it costs nothing."""
    return as_log10(np.where(np.arange(len(probabilities)) == BEGIN, 1.0, probabilities))


def choose_unknown(probabilities: Doubles, unknown: float | None) -> None:
    """Gives the unknown word the chosen probability, and scales the others to the rest."""
    if unknown is not None:
        probabilities *= (1 - unknown) / (1 - probabilities[UNKNOWN])
        probabilities[UNKNOWN] = unknown
