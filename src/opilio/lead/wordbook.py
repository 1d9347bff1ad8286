"""Words and what they say about the samples' subject.

Every term has a slot; terms that share one share what is known. For each slot there are:
* log odds that a page which belongs has it, by the samples, the pages met, and the terms that any page of the language has;
* its part in the *centre* of the samples: mean of their TF-IDF vectors, turned away from that of ordinary pages, so that what
  the samples are about counts most, the more of them the more;
* the *highest* part that it has in any sample or page that belongs.

Invariant: memory does not grow.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from opilio.model.commonness import PAGES, commonness, language_of
from opilio.model.similarity import contrast, rarity, scaled
from opilio.model.term_slots import Slots, count_slots, term_slots
from opilio.model.terms import terms

from .yields import WordOdds

SLOTS: Final = 1 << 18
_MASK: Final = SLOTS - 1
_SHARED: Final = 1.0  # the power of the share of samples that have a word
_SAMPLE: Final = 3.0  # a sample counts for that many pages met
_GOOD: Final = 0.3  # from this score on a page may raise what is highest
_CHARS: Final = 30_000  # of a page: what it is about is said by then


class Wordbook:
    def __init__(self, samples: Sequence[str]) -> None:
        common = np.zeros(SLOTS, np.float32)
        for term, share in commonness(language_of(terms(" ".join(samples)))).items():
            common[crc32(term.encode("utf-8", "surrogatepass")) & _MASK] += PAGES * share
        counted = [self.count(text) for text in samples]
        good = np.zeros(SLOTS, np.float32)
        for words, _ in counted:
            good[words] += 1.0
        pages = len(samples) + (PAGES if common.any() else 0)
        self._rarity = rarity((good + common).astype(np.float64), pages)
        self.centre = np.zeros(SLOTS, np.float32)
        self.highest = np.zeros(SLOTS, np.float32)
        for sample in counted:
            words, vector = self._vector(sample)
            self.centre[words] += vector / len(samples)
            self.highest[words] = np.maximum(self.highest[words], vector)
        length = sqrt(float((self.centre**2).sum()))
        ordinary = scaled(common * self._rarity)
        self.centre[:] = length * contrast(
            self.centre.astype(np.float64), good / max(1, len(samples)), _SHARED, ordinary
        )
        self.odds = WordOdds(SLOTS, _SAMPLE * good, common.copy())
        self.odds.believe(_SAMPLE * len(samples), float(PAGES) if common.any() else 0.0)

    def read(self, texts: Sequence[str]) -> tuple[Slots, NDArray[np.int64]]:
        """Slots of all texts, one after the other, and where those of each text end."""
        return term_slots(texts, _MASK)

    def count(self, text: str) -> tuple[Slots, Slots]:
        return count_slots(text[:_CHARS], _MASK)

    def likeness(self, text: str) -> float:
        """To the samples, of a few words, in the unit of the signals."""
        words = self.count(text)[0]
        return 10.0 * float(self.centre[words].sum()) / sqrt(max(1, len(words)))

    def learn(self, text: str, score: float) -> None:
        counted = self.count(text)
        words = counted[0]
        if not len(words):
            return
        self.odds.learn(words, score)
        if score > _GOOD:
            self.highest[words] = np.maximum(self.highest[words], score * score * self._vector(counted)[1])

    def _vector(self, counted: tuple[Slots, Slots]) -> tuple[Slots, NDArray[np.float64]]:
        words, counts = counted
        return words, scaled(np.log1p(counts.astype(np.float64)) * self._rarity[words])
