"""Words that are counted with good pages and with others, and the log odds that follow."""

import numpy as np

from opilio.model.compiling import njit

_UNSEEN = 0.02  # pages in which a word is believed to stand beforehand


@njit(cache=True)
def refresh(words, good, other, odds, pages):
    for word in words:
        common = (good[word] + other[word] + _UNSEEN) / (pages + 1.0)
        odds[word] = np.log((good[word] + common) / (other[word] + common))


@njit(cache=True)
def count(words, score, good, other, odds, pages):
    """Each word once more, with that score; `pages` is how many there are by then."""
    for word in words:
        good[word] += score
        other[word] += 1.0 - score
    refresh(words, good, other, odds, pages)
