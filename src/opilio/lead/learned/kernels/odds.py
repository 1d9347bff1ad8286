"""Counts of words with good pages and with others, and the log odds that follow from them."""

import numpy as np

from opilio.model.compiling import njit

_PRIOR_PAGES = 0.02  # pages in which a word is believed to stand before it is seen


@njit(cache=True)
def refresh(words, good, other, odds, pages):
    for word in words:
        common = (good[word] + other[word] + _PRIOR_PAGES) / (pages + 1.0)
        odds[word] = np.log((good[word] + common) / (other[word] + common))


@njit(cache=True)
def count(words, score, good, other, odds, pages):
    """Counts each word once more, with this score. `pages` is the number of pages, this one included."""
    for word in words:
        good[word] += score
        other[word] += 1.0 - score
    refresh(words, good, other, odds, pages)
