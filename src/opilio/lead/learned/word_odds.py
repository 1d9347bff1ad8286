"""Log odds of words: how much more often a word stands with good pages than with others.

`odds` lacks what all words have in common, which is `shift`. It is brought up to date where counts change, so that looking a word
up costs nothing.
"""

from math import log
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from .facts import Floats
from .kernels.odds import count, refresh


class WordOddsState(msgspec.Struct, frozen=True, array_like=True):
    used: bytes  # slots
    counts: bytes  # with good pages, with others, and the log odds
    good_pages: float
    other_pages: float

    def slots(self) -> NDArray[np.int32]:
        return np.frombuffer(self.used, np.int32)

    def table(self) -> Floats:
        return np.frombuffer(self.counts, np.float32).reshape(3, -1)


class WordOdds:
    def __init__(self, odds: Floats, good: Floats | None = None, other: Floats | None = None) -> None:
        """Log odds are written into `odds`. `good` and `other` are counts that are believed before anything is learned."""
        self.odds: Final = odds
        self.good = np.zeros(len(odds), np.float32) if good is None else good
        self.other = np.zeros(len(odds), np.float32) if other is None else other
        self.good_pages = 0.0
        self.other_pages = 0.0

    @property
    def shift(self) -> float:
        return log((self.other_pages + 1.0) / (self.good_pages + 1.0))

    def believe(self, good_pages: float, other_pages: float) -> None:
        """Sets how many pages the counts come from."""
        self.good_pages, self.other_pages = good_pages, other_pages
        refresh(self._used(), self.good, self.other, self.odds, good_pages + other_pages)

    def learn(self, words: NDArray[np.int32], score: float) -> None:
        """Counts a page. Each of its words is given once."""
        self.good_pages += score
        self.other_pages += 1.0 - score
        count(words, score, self.good, self.other, self.odds, self.good_pages + self.other_pages)

    def state(self) -> WordOddsState:
        used = self._used()
        counts = np.stack([self.good[used], self.other[used], self.odds[used]])
        return WordOddsState(used.tobytes(), counts.tobytes(), self.good_pages, self.other_pages)

    def restore(self, state: WordOddsState) -> None:
        self.good_pages, self.other_pages = state.good_pages, state.other_pages
        used = state.slots()
        for table, counts in zip((self.good, self.other, self.odds), state.table(), strict=True):
            table[:] = 0.0
            table[used] = counts

    def inherit(self, state: WordOddsState) -> None:
        """Adds what another crawl has counted to what is believed here."""
        used = state.slots()
        good, other, _ = state.table()
        self.good[used] += good
        self.other[used] += other
        self.believe(self.good_pages + state.good_pages, self.other_pages + state.other_pages)

    def _used(self) -> NDArray[np.int32]:
        return np.flatnonzero((self.good > 0) | (self.other > 0)).astype(np.int32)
