"""Words that tell what texts are about: frequent in them, and rare in ordinary pages of their language.

This is the unigram extraction of BootCaT, with the program's own document frequencies as the reference corpus.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import log
from typing import Final

from opilio.model.commonness import commonness, language_of
from opilio.model.terms import LENGTH

_WORD: Final = re.compile(r"[^\W\d_]{3,30}")
_RARE: Final = 0.02  # the share of pages that have a word which is not in the list
_LEAST_TEXTS: Final = 2  # that a word must be in, if there are several


def count_words(texts: Iterable[str]) -> Counter[str]:
    """Counts in how many texts each word is."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({word.lower() for word in _WORD.findall(text)})
    return counts


def keywords(counts: Mapping[str, int], language: str, most: int) -> list[str]:
    """Returns the most telling words, the best first. A language that is not named is told by the words themselves."""
    known = commonness(language or language_of([word[:LENGTH] for word in Counter(counts).elements()]))
    least = _LEAST_TEXTS if max(counts.values(), default=0) >= _LEAST_TEXTS else 1
    scores = {
        word: count * -log(min(1.0, known.get(word[:LENGTH], _RARE)))
        for word, count in counts.items()
        if count >= least
    }
    best = sorted(scores, key=lambda word: (-scores[word], word))
    return [word for word in best[:most] if scores[word] > 0]
