"""Sums over all n-grams of an order, by their context or their suffix, for the smoothing formulas.

`counts` are those of the n-grams themselves, other arrays are indexed by the node of the context (the upper half of a
key), or of the suffix. These are plain loops, so that there are no temporary arrays as long as the order.
"""

import numpy as np

from opilio.model.compiling import njit

_HALF = np.uint64(32)


@njit(cache=True)
def add_counts(grams, counts, totals):
    for i in range(len(grams)):
        totals[grams[i] >> _HALF] += counts[i]


@njit(cache=True)
def count_kinds(suffixes, counts, kinds):
    """Counts how many different words precede each suffix."""
    for i in range(len(suffixes)):
        if counts[i] > 0:
            kinds[suffixes[i]] += 1


@njit(cache=True)
def count_counts(counts, often):
    """Sets often[c] to the number of n-grams that were counted c times."""
    for i in range(len(counts)):
        if counts[i] < len(often):
            often[counts[i]] += 1


@njit(cache=True)
def free_mass(grams, counts, kept, discounts, totals, freed):
    """Adds up what discounts and pruning take from each context, in counts."""
    for i in range(len(grams)):
        context = grams[i] >> _HALF
        totals[context] += counts[i]
        freed[context] += discounts[min(counts[i], 3)] if kept[i] else counts[i]


@njit(cache=True)
def interpolate(grams, suffixes, counts, kept, discounts, totals, backoffs, lower, probabilities):
    for i in range(len(grams)):
        context = grams[i] >> _HALF
        if not kept[i]:
            probabilities[i] = np.nan
            continue
        own = (counts[i] - discounts[min(counts[i], 3)]) / totals[context] if counts[i] > 0 else 0.0
        probabilities[i] = own + backoffs[context] * lower[suffixes[i]]


@njit
def _share(count, ratios):
    return count * ratios[count] if count < len(ratios) else float(count)


@njit(cache=True)
def seen_mass(grams, suffixes, counts, kept, ratios, lower, totals, seen, covered):
    """Adds up for Katz, by context: all counts, what remains of them after the discount ratios, and the probability of
    the same words in the shorter context."""
    for i in range(len(grams)):
        context = grams[i] >> _HALF
        totals[context] += counts[i]
        if kept[i] and counts[i] > 0:
            seen[context] += _share(counts[i], ratios)
            covered[context] += lower[suffixes[i]]


@njit(cache=True)
def back_off(grams, suffixes, counts, kept, ratios, totals, backoffs, lower, probabilities):
    for i in range(len(grams)):
        context = grams[i] >> _HALF
        if not kept[i]:
            probabilities[i] = np.nan
        elif counts[i] > 0:
            probabilities[i] = _share(counts[i], ratios) / totals[context]
        else:
            probabilities[i] = backoffs[context] * lower[suffixes[i]]
