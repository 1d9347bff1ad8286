"""A model's score of a text, in sums that can be added up over texts before they are divided.

The end of a sentence counts as a word; its beginning does not. A word that the model does not know is counted in `oov`
as well as in `words`, and its part of the sum is also in `oov_log10`, so that it can be left out.
"""

import math
from typing import NamedTuple


class Score(NamedTuple):
    log10: float
    words: int
    oov: int
    sentences: int
    oov_log10: float

    @property
    def perplexity(self) -> float:
        """Returns the perplexity of all words, unknown ones included; infinite if there are none."""
        return _perplexity(self.log10, self.words)

    @property
    def perplexity_without_oov(self) -> float:
        """Returns the perplexity of the words that the model knows."""
        return _perplexity(self.log10 - self.oov_log10, self.words - self.oov)


def _perplexity(log10: float, words: int) -> float:
    exponent = -log10 / words if words else math.inf
    return 10**exponent if exponent < 300 else math.inf  # beyond the range of a float
