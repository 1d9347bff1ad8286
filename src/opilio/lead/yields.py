"""How often things led to good pages: a total of scores and a count for each, in a table of fixed size.

Things are known by a number of 64 bits, and those that fall into the same slot share it: a table of 2²⁰ slots that is a tenth
full gives one thing in ten a neighbour. That is the price for memory that does not grow.
"""

from math import log
from zlib import crc32

import numpy as np
from numpy.typing import NDArray


class Yields:
    def __init__(self, bits: int, columns: int = 2) -> None:
        """Other `columns` than those two are the caller's; the second says whether a slot is used."""
        self.table = np.zeros((1 << bits, columns), np.float32)
        self._mask = (1 << bits) - 1

    def slot(self, text: str) -> int:
        # most addresses are ASCII, and asking costs a tenth of what the error handler does
        data = text.encode() if text.isascii() else text.encode("utf-8", "surrogatepass")
        return crc32(data) & self._mask

    def add(self, slot: int, score: float) -> None:
        self.table[slot, 0] += score
        self.table[slot, 1] += 1.0

    def state(self) -> list[bytes]:
        used = np.flatnonzero(self.table[:, 1]).astype(np.int32)
        return [used.tobytes(), self.table[used].tobytes()]

    def restore(self, state: list[bytes]) -> None:
        used = np.frombuffer(state[0], np.int32)
        self.table[:] = 0.0
        self.table[used] = np.frombuffer(state[1], np.float32).reshape(-1, self.table.shape[1])


class WordOdds:
    """Log odds of words: how much more often they stand with good pages than with others. `odds` lacks what all words have in
    common, which is `shift`; it is brought up to date where counts change, so that looking a word up costs nothing."""

    def __init__(
        self, size: int, good: NDArray[np.float32] | None = None, other: NDArray[np.float32] | None = None
    ) -> None:
        """`good` and `other` are counts that are believed beforehand."""
        zeros = np.zeros(size, np.float32)
        self.good = zeros.copy() if good is None else good
        self.other = zeros.copy() if other is None else other
        self.odds = zeros
        self.good_pages = 0.0
        self.other_pages = 0.0

    @property
    def shift(self) -> float:
        return log((self.other_pages + 1.0) / (self.good_pages + 1.0))

    def believe(self, good_pages: float, other_pages: float) -> None:
        from opilio.model.kernels.odds import refresh  # noqa: PLC0415

        self.good_pages, self.other_pages = good_pages, other_pages
        used = np.flatnonzero((self.good > 0) | (self.other > 0)).astype(np.int32)
        refresh(used, self.good, self.other, self.odds, good_pages + other_pages)

    def learn(self, words: NDArray[np.int32], score: float) -> None:
        """Each word once."""
        from opilio.model.kernels.odds import count  # noqa: PLC0415  (numba: half a second)

        self.good_pages += score
        self.other_pages += 1.0 - score
        count(words, score, self.good, self.other, self.odds, self.good_pages + self.other_pages)

    def state(self) -> list[bytes | float]:
        used = np.flatnonzero((self.good > 0) | (self.other > 0)).astype(np.int32)
        counts = np.stack([self.good[used], self.other[used], self.odds[used]])
        return [used.tobytes(), counts.tobytes(), self.good_pages, self.other_pages]

    def restore(self, state: list[bytes | float]) -> None:
        places, counts, self.good_pages, self.other_pages = state  # type: ignore[assignment]
        used = np.frombuffer(places, np.int32)  # type: ignore[arg-type]
        for table in (self.good, self.other, self.odds):
            table[:] = 0.0
        held = np.frombuffer(counts, np.float32).reshape(3, -1)  # type: ignore[arg-type]
        self.good[used], self.other[used], self.odds[used] = held

    def inherit(self, state: list[bytes | float]) -> None:
        """What another has counted, besides what is believed beforehand here."""
        places, counts, good_pages, other_pages = state
        used = np.frombuffer(places, np.int32)  # type: ignore[arg-type]
        good, other, _ = np.frombuffer(counts, np.float32).reshape(3, -1)  # type: ignore[arg-type]
        self.good[used] += good
        self.other[used] += other
        self.believe(self.good_pages + float(good_pages), self.other_pages + float(other_pages))
