"""Which page to ask the operator about next, chosen by scores and texts alone, so that it serves any judge.

Pages are ranked by score. Somewhere in the ranking lies the true line: most pages above it belong, and most below it do not. Each
answer tells on which side of it a page was, at the rank that it had when it was asked about; later it is one of those that
the judge has learned from, and its rank says nothing any more. The next question is at the median of what is then believed
about the line. At first that is little more than the judge's own line, with so much doubt that a few answers suffice to leave
it: asked only about its own line, a judge that keeps far too much hears no ten times, and learns little.

Of the pages near that rank the one that is least like those asked about is taken. Many pages are represented by a few, more of
them the higher they rank, because all of them are judged anew after each answer.
"""

from collections import Counter
from collections.abc import Sequence
from math import exp, log
from typing import Final

import numpy as np

from opilio.model.similarity import Floats, Space, count_terms

_DOUBT: Final = 3.0  # of the judge's own line, in powers of e of the rank
_STEEPNESS: Final = 1.5  # how soon pages above the line belong
_NEAR: Final = 0.5  # in powers of e of the rank
_LEAST_NEAR: Final = 5  # pages, however far away
_SAMENESS: Final = 3.0  # what likeness to a page asked about weighs against nearness
_GRID: Final = 200
_POOL: Final = 150


def choose_pool(ranked: Sequence[int], most: int = _POOL) -> dict[int, int]:
    """Chooses pages from a ranking, the best first, and says how many pages each stands for: itself and those since the one
    chosen before it. Evenly by the logarithm of the rank, which leaves no gap where the ranking is short."""
    if len(ranked) <= most:
        return dict.fromkeys(ranked, 1)
    ranks: list[int] = []
    step = 0.0
    for place in range(most):
        last = ranks[-1] if ranks else 0
        if last < len(ranked):
            step = log(len(ranked) / max(1, last)) / (most - place)
            ranks.append(min(len(ranked), max(last + 1, round(max(1, last) * exp(step)))))
    return {ranked[rank - 1]: rank - before for rank, before in zip(ranks, [0, *ranks], strict=False)}


class Asking:
    """`weights` are the numbers of pages that each page stands for."""

    def __init__(self, texts: Sequence[str], weights: Sequence[int]) -> None:
        counted = [count_terms(text) for text in texts]
        self._space = Space(Counter(term for counts in counted for term in counts), len(texts))
        self._directions = [self._space.direction(counts) for counts in counted]
        self._weights = np.array(weights, np.float64)
        self._asked: list[int] = []
        self._likeness = np.zeros(len(texts))  # to the most similar page asked about
        self._answers: list[tuple[float, bool]] = []  # the logarithm of a rank, and whether the page belongs
        self._ranks = np.zeros(len(texts))

    def next(self, scores: Sequence[float], line: float) -> int | None:
        """Returns the place of the next page to ask about, or None if there are no more. Scores are those of now, and from
        `line` on the judge thinks that pages belong."""
        if len(self._asked) == len(self._weights):
            return None
        self._ranks = self._log_ranks(np.array(scores))
        away = np.abs(self._ranks - self._line(np.array(scores), line))
        away[self._asked] = np.inf
        nearest = np.argsort(away, kind="stable")[: max(_LEAST_NEAR, int((away <= _NEAR).sum()))]
        return int(nearest[np.argmin(away[nearest] + _SAMENESS * self._likeness[nearest])])

    def answer(self, place: int, belongs: bool | None) -> None:
        """Notes the answer about the page that was last chosen; None: there was none."""
        if belongs is not None:
            self._answers.append((float(self._ranks[place]), belongs))
        self._asked.append(place)
        terms = self._space.sum([self._directions[place]])
        likenesses = [float((terms[other.places] * other.values).sum()) for other in self._directions]
        self._likeness = np.maximum(self._likeness, likenesses)

    def _log_ranks(self, scores: Floats) -> Floats:
        order = np.argsort(-scores, kind="stable")
        ranks = np.empty(len(scores))
        ranks[order] = np.cumsum(self._weights[order]) - self._weights[order] / 2.0 + 0.5
        logarithms: Floats = np.log(ranks)
        return logarithms

    def _line(self, scores: Floats, line: float) -> float:
        """Returns the logarithm of the rank at which the line probably is."""
        grid = np.linspace(0.0, log(self._weights.sum()), _GRID)
        believed = -0.5 * ((grid - log(max(1.0, self._weights[scores >= line].sum()))) / _DOUBT) ** 2
        for rank, belongs in self._answers:
            above = _STEEPNESS * (grid - rank)
            believed -= np.log1p(np.exp(-above if belongs else above))
        shares = np.exp(believed - believed.max()).cumsum()
        return float(grid[np.searchsorted(shares, 0.5 * shares[-1])])
