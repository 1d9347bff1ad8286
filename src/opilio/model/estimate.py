"""The result of smoothing for one order: the n-grams' log10 probabilities, and their back-offs as contexts.

Both smoothings work in double precision and guarantee that in every context the probabilities of all words, the unknown
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
    log10: Singles  # NaN for an n-gram that is left out of the model
    backoffs: Singles


def as_log10(values: Doubles) -> Singles:
    """Rounds while computing, so that no second array of doubles is made."""
    log10 = np.empty(len(values), np.float32)
    np.log10(values, out=log10)
    return log10


def word_log10(probabilities: Doubles) -> Singles:
    """Returns logarithms for words, with 0 for the beginning of a sentence, which is certain."""
    return as_log10(np.where(np.arange(len(probabilities)) == BEGIN, 1.0, probabilities))


def choose_unknown(probabilities: Doubles, unknown: float | None) -> None:
    """Gives the unknown word the chosen probability, and scales the others so that all sum to 1."""
    if unknown is not None:
        probabilities *= (1 - unknown) / (1 - probabilities[UNKNOWN])
        probabilities[UNKNOWN] = unknown
