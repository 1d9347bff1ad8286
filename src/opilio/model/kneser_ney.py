"""Interpolated Kneser-Ney smoothing with three discounts per order (Chen and Goodman 1998, "modified").

The longest n-grams keep their counts. For a shorter one the number of different words seen before it is used instead,
because in an unseen context a word that follows many words is a better guess than one that is merely frequent. N-grams
that begin a sentence keep their counts, because nothing precedes them. A discount is subtracted from every count, which
depends on whether it is 1, 2 or more; the share that a context loses is its back-off, the weight of the shorter
context:

    p(word | context) = (count - discount) / total + backoff(context) * p(word | shorter context)

Single words are interpolated with the uniform distribution over all words, the unknown one included. If the counts of
an order do not allow to estimate the discounts, as in tiny texts, they are 0.5, 1 and 1.5.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from .counts import Counts, Flags, Levels
from .estimate import Doubles, Estimate, as_log10, choose_unknown, word_log10
from .kernels.sums import count_counts, count_kinds, free_mass, interpolate
from .vocabulary import BEGIN

_FALLBACK_DISCOUNTS: Final = (0.0, 0.5, 1.0, 1.5)


def estimate_kneser_ney(levels: Levels, kept: Sequence[Flags], unknown: float | None) -> Iterator[Estimate]:
    probabilities = _word_probabilities(_adjusted(levels, 1))
    choose_unknown(probabilities, unknown)
    log10 = word_log10(probabilities)
    grams = levels.grams(1)
    for order in range(2, len(levels) + 1):
        counts = _adjusted(levels, order)
        discounts = discounts_of(counts)
        below, grams = grams, levels.grams(order)
        totals, backoffs = np.zeros(len(log10)), np.zeros(len(log10))
        free_mass(grams, counts, kept[order - 1], discounts, totals, backoffs)
        np.divide(backoffs, totals, out=backoffs, where=totals > 0)
        backoffs[totals == 0] = 1
        yield Estimate(below, log10, as_log10(backoffs))
        lower, probabilities = probabilities, np.empty(len(counts))
        suffixes = levels.suffixes(order)
        interpolate(grams, suffixes, counts, kept[order - 1], discounts, totals, backoffs, lower, probabilities)
        del below, counts, suffixes, totals, backoffs, lower  # a tenth of the peak memory each
        levels.drop(order)
        log10 = as_log10(probabilities)
    yield Estimate(grams, log10, np.zeros_like(log10))


def discounts_of(counts: Counts) -> Doubles:
    """Returns the discounts for counts of 0, 1, 2 and more, from how many n-grams have counts 1 to 4."""
    often = np.zeros(5, np.int64)
    count_counts(counts, often)
    _, one, two, three, four = often.tolist()
    if 0 in (one, two, three):
        return np.array(_FALLBACK_DISCOUNTS)
    base = one / (one + 2 * two)
    discounts = (0.0, 1 - 2 * base * two / one, 2 - 3 * base * three / two, 3 - 4 * base * four / three)
    sound = all(0 < discount <= count for count, discount in enumerate(discounts[1:], 1))
    return np.array(discounts if sound else _FALLBACK_DISCOUNTS)


def _adjusted(levels: Levels, order: int) -> Counts:
    """Returns the numbers of different words before each n-gram. One that nothing precedes begins a sentence, and keeps
    its count."""
    counts = levels.counts(order)
    if order == len(levels):
        return counts
    kinds = np.zeros_like(counts)
    count_kinds(levels.suffixes(order + 1), levels.counts(order + 1), kinds)
    np.copyto(kinds, counts, where=kinds == 0)
    return kinds


def _word_probabilities(counts: Counts) -> Doubles:
    discounts = discounts_of(counts)
    taken = discounts[np.minimum(counts, 3)]
    total = counts.sum()
    probabilities: Doubles = (counts - taken + taken.sum() / (len(counts) - 1)) / total
    probabilities[BEGIN] = 0
    return probabilities
