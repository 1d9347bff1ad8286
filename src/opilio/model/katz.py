"""Katz back-off with Good-Turing discounts (Katz 1987), k = 5.

An n-gram counted c times keeps ratio(c) of its count, and all of it if c is above k. The probability that the n-grams
of a context leave over is shared among the words not seen in it, in the proportions of the shorter context:

    p(word | context) = ratio(count) * count / total                where the n-gram is known
                      = backoff(context) * p(word | shorter context) otherwise

What single words leave over belongs to the unknown word, and to words that occur only in contexts.

Good-Turing needs n-grams of every count up to k + 1. If there are none, or a ratio is outside of (0, 1], a smaller k is
tried, and finally half a count is taken from every n-gram counted up to five times. If all n-grams of a context are too
frequent to be discounted, its total is raised by one, so that something remains for unseen words.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from .counts import Counts, Flags, Levels
from .estimate import Doubles, Estimate, as_log10, choose_unknown, word_log10
from .kernels.sums import back_off, count_counts, seen_mass
from .vocabulary import BEGIN, UNKNOWN

_MOST_COUNT: Final = 5
_ROUNDING_ERROR: Final = 1e-9  # what rounding may leave of 0


def estimate_katz(levels: Levels, kept: Sequence[Flags], unknown: float | None) -> Iterator[Estimate]:
    probabilities = _word_probabilities(levels.counts(1))
    choose_unknown(probabilities, unknown)
    log10 = word_log10(probabilities)
    grams = levels.grams(1)
    for order in range(2, len(levels) + 1):
        below, grams, suffixes, counts = grams, levels.grams(order), levels.suffixes(order), levels.counts(order)
        flags = kept[order - 1]
        ratios = ratios_of(counts)
        totals, seen, covered = (np.zeros(len(log10)) for _ in range(3))
        seen_mass(grams, suffixes, counts, flags, ratios, probabilities, totals, seen, covered)
        backoffs = _share_out(totals, seen, covered)
        yield Estimate(below, log10, as_log10(backoffs))
        lower, probabilities = probabilities, np.empty(len(counts))
        back_off(grams, suffixes, counts, flags, ratios, totals, backoffs, lower, probabilities)
        del below, suffixes, counts, totals, seen, covered, backoffs, lower  # a tenth of the peak memory each
        levels.drop(order)
        log10 = as_log10(probabilities)
    yield Estimate(grams, log10, np.zeros_like(log10))


def ratios_of(counts: Counts) -> Doubles:
    often = np.zeros(_MOST_COUNT + 2, np.int64)
    count_counts(counts, often)
    for most in range(_MOST_COUNT, 1, -1):  # with k = 1 single counts would be discounted to nothing
        ratios = _good_turing(often[: most + 2].tolist())
        if ratios is not None:
            return ratios
    return np.array([0.0, *((count - 0.5) / count for count in range(1, _MOST_COUNT + 1))])


def _good_turing(often: list[int]) -> Doubles | None:
    """Returns the ratios for counts from 0 to k, or None if they cannot be estimated; `often` has one count more."""
    if 0 in often[1:]:
        return None
    most = len(often) - 2
    beyond = (most + 1) * often[most + 1] / often[1]
    if beyond >= 1:
        return None
    plain = [(count + 1) * often[count + 1] / (count * often[count]) for count in range(1, most + 1)]
    ratios = np.array([0.0, *((ratio - beyond) / (1 - beyond) for ratio in plain)])
    return ratios if np.all((ratios[1:] > 0) & (ratios[1:] <= 1)) else None


def _share_out(totals: Doubles, seen: Doubles, covered: Doubles) -> Doubles:
    """Returns the back-offs. Corrects the totals of contexts that leave nothing over, or have no unseen word to give it
    to."""
    totals[totals - seen <= _ROUNDING_ERROR * totals] += 1
    full = 1 - covered <= _ROUNDING_ERROR
    np.copyto(totals, seen, where=full)
    return np.where(full, 1.0, (1 - seen / totals) / np.where(full, 1.0, 1 - covered))


def _word_probabilities(counts: Counts) -> Doubles:
    ratios = ratios_of(counts)
    shares = counts * np.where(counts < len(ratios), ratios[np.minimum(counts, len(ratios) - 1)], 1.0)
    total = counts.sum()
    if total - shares.sum() <= _ROUNDING_ERROR * total:
        total += 1
    probabilities: Doubles = shares / total
    unseen = counts == 0
    unseen[UNKNOWN], unseen[BEGIN] = True, False
    probabilities[unseen] += (1 - probabilities.sum()) / unseen.sum()
    return probabilities
