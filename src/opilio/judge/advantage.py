"""How much the samples help to predict the words of a page.

One model knows how common words are on the pages seen so far. A second one is an equal mixture of the first and the
samples' model. The *advantage* is how much more likely the words are under the second: a power of ten, the mean over
the words of the page. Whether the words are rare or common does not matter, because both models know that; and all
words that the samples do not have count the same.

Invariant: no advantage is below `LEAST`, that of a page without a single word of the samples, as in another language.
"""

from math import log10
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from opilio.model import Scorer

LEAST: Final = -log10(2)

Values = npt.NDArray[np.float64]


class Reading(NamedTuple):
    """How a model scores a text."""

    power: float  # the perplexity as a power of ten
    log10s: Values  # each word's probability; minus infinity for words that the model does not know


def read(model: Scorer, lines: str) -> Reading:
    log10s, unknown = model.token_log10(lines)
    return Reading(-float(log10s.mean()), np.where(unknown, -np.inf, log10s))


def advantage(samples: Values, common: Values) -> float:
    """Compares the log10 probabilities of the same words under both models."""
    return float(np.log10((1 + 10 ** (samples - common)) / 2).mean())
