"""By how much the samples help to guess the words of a page.

One reader knows how common words are on the pages met so far. Another asks this reader and the samples' model about each word and
believes either half of the time. The *advantage* is how much more likely the words are to the second reader: a power of ten,
the mean over the words of the page. Whether its words are rare or common does not matter, for both readers know that; and
a word that the samples do not have says the same whatever it is.

Invariant: no advantage is below `LEAST`, which is that of a page without a single word of the samples, as in another language.
"""

from math import log10
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from opilio.model import Scorer

LEAST: Final = -log10(2)

Values = npt.NDArray[np.float64]


class Reading(NamedTuple):
    """What a model says of a text."""

    power: float  # the perplexity as a power of ten
    log10s: Values  # each word's probability; minus infinity where the model does not know the word


def read(model: "Scorer", lines: str) -> Reading:
    log10s, unknown = model.token_log10(lines)
    return Reading(-float(log10s.mean()), np.where(unknown, -np.inf, log10s))


def advantage(samples: Values, common: Values) -> float:
    """Both as log10 probabilities of the same words."""
    return float(np.log10((1 + 10 ** (samples - common)) / 2).mean())
