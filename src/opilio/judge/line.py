"""Tells where a judge's line is by its verdicts alone, so that it is known for any judge."""

from collections.abc import Iterable
from itertools import groupby

_MIDDLE = 0.5


def dividing_line(verdicts: Iterable[tuple[float, bool]]) -> float:
    """Returns the score that best divides pages that belong from the others, and of several such scores the one nearest to
    0.5. A judge that has learned in the meantime has moved its line, so the two may overlap."""
    ordered = sorted(verdicts)
    wrong = least = sum(not belongs for _, belongs in ordered)  # with the line below all of them
    below, best = 0.0, min(_MIDDLE, ordered[0][0]) if ordered else _MIDDLE
    for score, same in groupby(ordered, lambda verdict: verdict[0]):
        if wrong < least or (wrong == least and abs(_within(below, score) - _MIDDLE) < abs(best - _MIDDLE)):
            least, best = wrong, _within(below, score)
        wrong += sum(1 if belongs else -1 for _, belongs in same)
        below = score
    if wrong < least or (wrong == least and abs(_within(below, 1.0) - _MIDDLE) < abs(best - _MIDDLE)):
        best = _within(below, 1.0)
    return best


def _within(low: float, high: float) -> float:
    return min(max(_MIDDLE, low), high)
