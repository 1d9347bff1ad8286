"""A back-off n-gram model made of arrays, in memory or in a file that many processes share.

Its n-grams are in slots (see `kernels.slots`), its words in a `Vocabulary`. It never changes. Texts are given as lines,
one sentence per line, words separated by spaces. One call for many texts is much cheaper than many calls.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .estimate import Doubles
from .kernels.walk import add_up, walk
from .score import Score
from .vocabulary import UNKNOWN, Ids, Vocabulary


class LanguageModel:
    def __init__(
        self,
        vocabulary: Vocabulary,
        slots: npt.NDArray[np.uint64],
        sizes: Sequence[int],
        counts: Sequence[int],
        smoothing: str,
    ) -> None:
        """`sizes` are the numbers of slots per order, `counts` those that are filled with n-grams."""
        self.vocabulary = vocabulary
        self.slots = slots
        self.sizes = np.array(sizes, np.int64)
        self.starts = np.cumsum(self.sizes) - self.sizes
        self.counts = tuple(counts)
        self.smoothing = smoothing
        self._floats = slots.view(np.float32)

    @property
    def order(self) -> int:
        return len(self.counts)

    @property
    def unknown_log10(self) -> float:
        """Returns the log10 probability of an unknown word in an unknown context."""
        return float(self._floats[4 * UNKNOWN + 2])

    @classmethod
    def open(cls, path: str | Path, *, verify: bool = True) -> "LanguageModel":
        """Opens a file and refuses a damaged one; without `verify` only its head is checked."""
        from .file import open_file  # noqa: PLC0415 - that module imports this class

        return open_file(Path(path), verify=verify)

    def save(self, path: str | Path) -> None:
        from .file import save_file  # noqa: PLC0415 - as above

        save_file(self, Path(path))

    def score(self, lines: str) -> Score:
        return self.score_many((lines,))[0]

    def score_many(self, texts: Sequence[str]) -> list[Score]:
        ids, ends = self.vocabulary.find(texts)
        return sum_up(ids, self.score_ids(ids), ends)

    def token_log10(self, lines: str) -> tuple[Doubles, npt.NDArray[np.bool_]]:
        """Returns each word's log10 probability and whether it is unknown, ends of sentences included."""
        ids = self.word_ids(lines)
        return self.score_ids(ids), ids == UNKNOWN

    def word_ids(self, lines: str) -> Ids:
        """Returns the words' numbers, 0 for unknown ones, 2 at the end of each sentence."""
        return self.vocabulary.find((lines,))[0]

    def score_ids(self, ids: Ids) -> Doubles:
        log10 = np.empty(len(ids), np.float64)
        walk(ids, self.slots, self._floats, self.starts, self.sizes, log10)
        return log10


def sum_up(ids: Ids, log10: Doubles, ends: npt.NDArray[np.int64]) -> list[Score]:
    """Returns a score for each run of tokens; `ends` says where the runs end."""
    sums = np.zeros((len(ends), 2))
    numbers = np.zeros((len(ends), 3), np.int64)
    add_up(ids, log10, ends, sums, numbers)
    total, unknown_total = sums.T.tolist()
    words, unknown, sentences = numbers.T.tolist()
    # Takes a third of the time of calling the class, which saves a tenth of scoring short lines.
    make = partial(tuple.__new__, Score)
    return list(map(make, zip(total, words, unknown, sentences, unknown_total, strict=True)))
