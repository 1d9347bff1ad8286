"""Words, and what they say about the subject of the samples.

Every term has a slot; terms that share a slot share what is known. For each slot there are:
* log odds that a page with the term belongs, by the samples, the pages met, and the terms that any page of the language has;
* its part in the *centre* of the samples: the mean of their TF-IDF vectors, turned away from that of ordinary pages, so that
  a term counts the more, the more samples are about it;
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

from .facts import WORDS, Facts, WordFact
from .word_odds import WordOdds

_MASK: Final = WORDS - 1
_SHARE_POWER: Final = 1.0  # of the share of samples that have a word
_SAMPLE: Final = 3.0  # pages met that a sample counts for
_LEAST_RAISING_SCORE: Final = 0.3  # score above which a page may raise what is highest
_CHARS: Final = 30_000  # of a page, which has said by then what it is about


class Wordbook:
    def __init__(self, samples: Sequence[str], facts: Facts) -> None:
        """Writes what it learns into its columns of `facts`."""
        common = np.zeros(WORDS, np.float32)
        for term, share in commonness(language_of(terms(" ".join(samples)))).items():
            common[crc32(term.encode("utf-8", "surrogatepass")) & _MASK] += PAGES * share
        counted = [self.count(text) for text in samples]
        good = np.zeros(WORDS, np.float32)
        for words, _ in counted:
            good[words] += 1.0
        pages = len(samples) + (PAGES if common.any() else 0)
        self._rarity = rarity((good + common).astype(np.float64), pages)
        self.centre: Final = facts.column(WordFact.CENTRE)
        self.highest: Final = facts.column(WordFact.HIGHEST)
        for sample in counted:
            words, vector = self._vector(sample)
            self.centre[words] += vector / len(samples)
            self.highest[words] = np.maximum(self.highest[words], vector)
        length = sqrt(float((self.centre**2).sum()))
        ordinary = scaled(common * self._rarity)
        self.centre[:] = length * contrast(
            self.centre.astype(np.float64), good / max(1, len(samples)), _SHARE_POWER, ordinary
        )
        self.odds = WordOdds(facts.column(WordFact.ODDS), _SAMPLE * good, common.copy())
        self.odds.believe(_SAMPLE * len(samples), float(PAGES) if common.any() else 0.0)

    def read(self, texts: Sequence[str]) -> tuple[Slots, NDArray[np.int64]]:
        """Returns the slots of the words of all texts, one text after the other, and where those of each text end."""
        return term_slots(texts, _MASK)

    def count(self, text: str) -> tuple[Slots, Slots]:
        return count_slots(text[:_CHARS], _MASK)

    def likeness(self, text: str) -> float:
        """Returns how like the samples a few words are, in the unit of the signals."""
        words = self.count(text)[0]
        return 10.0 * float(self.centre[words].sum()) / sqrt(max(1, len(words)))

    def learn(self, text: str, score: float) -> None:
        counted = self.count(text)
        words = counted[0]
        if not len(words):
            return
        self.odds.learn(words, score)
        if score > _LEAST_RAISING_SCORE:
            self.highest[words] = np.maximum(self.highest[words], score * score * self._vector(counted)[1])

    def _vector(self, counted: tuple[Slots, Slots]) -> tuple[Slots, NDArray[np.float64]]:
        words, counts = counted
        return words, scaled(np.log1p(counts.astype(np.float64)) * self._rarity[words])
