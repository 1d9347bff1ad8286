"""Links that are fetched to learn what is being missed: drawn by chance, with probabilities that are known.

So the verdicts of their targets, each divided by its probability, estimate without bias how many of all links belong. What was
explored fades with every exploration, because the queue changes.
"""

from collections.abc import Callable
from random import Random
from typing import Any, Final

import numpy as np

from .link_table import LinkTable, Rows, Scores

ABOVE_ALL: Final = 100.0  # the score of a link that is explored
_DRAWN: Final = 256  # links among which one is chosen
_UNDER_WAY: Final = 64  # explorations; what never comes back is forgotten
_ENOUGH: Final = 10.0  # explorations: fewer may all have missed what one link in ten leads to
_FADING: Final = 0.98
_GENERATOR: Final = 3  # version of the states of Python's random numbers


class Exploration:
    def __init__(self, share: float, seed: int) -> None:
        self._share = share
        self._random = Random(seed)
        # link → what it stands for if it belongs, and how often it was drawn
        self._under_way: dict[int, tuple[float, int]] = {}
        self._found, self._times = 0.0, 0.0  # both fading

    def is_due(self) -> bool:
        return self._random.random() < self._share

    def draw(self, links: LinkTable, doubts: Callable[[Rows], Scores]) -> tuple[int, float]:
        """One of some links drawn by chance, with a probability by how unsure its score is; it comes next."""
        known = np.flatnonzero(links.ids)
        drawn = known[self._random.sample(range(len(known)), min(_DRAWN, len(known)))]
        unsure = doubts(drawn)
        shares = unsure / unsure.sum()
        [chosen] = self._random.choices(range(len(drawn)), shares.tolist())
        if len(self._under_way) >= _UNDER_WAY:
            self._give_up(next(iter(self._under_way)), links)
        link = int(links.ids[drawn[chosen]])
        stands_for, times = self._under_way.get(link, (0.0, 0))
        self._under_way[link] = stands_for + len(known) / len(drawn) / float(shares[chosen]), times + 1
        links.rate(drawn[chosen : chosen + 1], np.array([ABOVE_ALL]))
        return link, ABOVE_ALL

    def learn(self, link: int, *, belongs: bool) -> None:
        """What brings no page counts too, as none that belongs: it was among those that could be drawn."""
        stood_for, times = self._under_way.pop(link, (0.0, 0))
        fading = _FADING**times
        self._found = fading * self._found + stood_for * belongs
        self._times = fading * self._times + times

    def _give_up(self, link: int, links: LinkTable) -> None:
        """It is worth again what its signals say, when it is next measured."""
        del self._under_way[link]
        if (row := links.rows.get(link)) is not None:
            links.scores[row] = -np.inf

    def waiting(self) -> list[tuple[int, float]]:
        return [(link, ABOVE_ALL) for link in self._under_way]

    def remaining(self) -> float | None:
        """Links that belong, by estimate; None while too little was explored."""
        return self._found / self._times if self._times >= _ENOUGH else None

    def state(self) -> list[Any]:
        """Not what is under way."""
        return [self._found, self._times, *self._random.getstate()[1]]

    def restore(self, state: list[Any]) -> None:
        self._found, self._times, *inner = state
        self._random.setstate((_GENERATOR, tuple(inner), None))
