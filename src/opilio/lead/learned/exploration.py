"""Links that are fetched to learn what is being missed: drawn at random, with known probabilities.

A crawl that only fetches what looks good never finds out what it misses. So a share of the picks goes to links that the learner
is unsure of, and because the probability of each draw is known, these few links tell how many good ones wait in the queue.

1. After every page, with probability `share`, an exploration is due.
2. It draws up to 256 open links, each with the same probability, and chooses one of them with a probability that is
   proportional to the doubt about its score. If n links are open and d were drawn, a chosen link with the share s of the doubt
   had the probability p = d/n · s.
3. The chosen link is *under way*: it is ranked before all others, whatever its signals say, until its fate is known. At most 64
   links are under way. When another one is drawn, the oldest is given up, and its signals count again.
4. A link under way stands for 1/p links. When its page belongs, 1/p is added to what was found; when it does not, or when the
   link brings no page, nothing is. In both cases one exploration is counted. A link that is drawn again while it waits
   stands for the sum of both draws, and counts as two explorations.
5. What was found, divided by the explorations, estimates how many open links belong. It has no bias: a link that belongs is
   drawn with probability p and then counts for 1/p, so each draw expects to find 1 for each such link.
6. Both sums fade by 2 % with every exploration, because the queue changes. There is no estimate before 12 explorations, which
   count for 10 by then.

Example: 1,000 links are open. 256 are drawn, and the chosen one has 0.8 % of their doubt. It had p = 256/1000 · 0.008 = 0.00205
and stands for 488 links. If it belongs, and the 19 explorations after it find nothing, it has faded to 488 · 0.98¹⁹ = 332,
the explorations to (1 − 0.98²⁰) / 0.02 = 16.6, and about 332 / 16.6 = 20 of the open links are estimated to belong.

The links under way are the one source of who comes first. They are saved with everything else that was learned, so they come
first in a resumed crawl too. After a kill, the set is as old as the last save: links drawn since then are scored by their signals
when they are shown again, and links fetched since then are never counted and leave the set as the oldest.
"""

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

import msgspec
import numpy as np

from .link_table import LinkTable, Rows, Scores

FIRST_RANK: Final = 100.0  # the score that puts a link before seeds and all other links
_DRAW_SIZE: Final = 256  # links among which one is chosen
_MOST_UNDER_WAY: Final = 64
_LEAST_TIMES: Final = 10.0  # explorations; fewer may all have missed what one link in ten leads to
_FADING: Final = 0.98
_GENERATOR: Final = 3  # version of the states of Python's random numbers


class UnderWay(NamedTuple):
    stands_for: float  # links
    times: int  # how often it was drawn


class ExplorationState(msgspec.Struct, frozen=True):
    found: float
    times: float
    generator: list[int]  # the 625 numbers of its state
    under_way: list[tuple[int, UnderWay]] = []  # links, in the order in which they were drawn


_NOT_DRAWN: Final = UnderWay(0.0, 0)


class Exploration:
    def __init__(self, share: float, seed: int) -> None:
        self._share = share
        self._random = Random(seed)
        self._under_way: dict[int, UnderWay] = {}
        self._found, self._times = 0.0, 0.0  # both fading

    def __contains__(self, link: int) -> bool:
        """Returns whether the link is under way."""
        return link in self._under_way

    def is_due(self) -> bool:
        return self._random.random() < self._share

    def draw(self, links: LinkTable, doubts: Callable[[Rows], Scores]) -> tuple[int, float]:
        """Returns a link that is under way from now on, and its rank."""
        known = np.flatnonzero(links.ids)
        drawn = known[self._random.sample(range(len(known)), min(_DRAW_SIZE, len(known)))]
        unsure = doubts(drawn)
        shares = unsure / unsure.sum()
        [chosen] = self._random.choices(range(len(drawn)), shares.tolist())
        if len(self._under_way) >= _MOST_UNDER_WAY:
            self._give_up(next(iter(self._under_way)), links)
        link = int(links.ids[drawn[chosen]])
        stands_for, times = self._under_way.get(link, _NOT_DRAWN)
        more = len(known) / len(drawn) / float(shares[chosen])
        self._under_way[link] = UnderWay(stands_for + more, times + 1)
        links.rate(drawn[chosen : chosen + 1], np.array([FIRST_RANK]))
        return link, FIRST_RANK

    def learn(self, link: int, *, belongs: bool) -> None:
        """Counts a link whose fate is known, if it was under way."""
        stood_for, times = self._under_way.pop(link, _NOT_DRAWN)
        fading = _FADING**times
        self._found = fading * self._found + stood_for * belongs
        self._times = fading * self._times + times

    def rank(self, links: Rows, scores: Scores) -> Scores:
        """Puts those of the links that are under way before all others. Costs 10 µs for 128 links, and nothing while no link is
        under way."""
        if self._under_way:
            places = [place for place, link in enumerate(links.tolist()) if link in self._under_way]
            scores[places] = FIRST_RANK
        return scores

    def waiting(self) -> list[tuple[int, float]]:
        """Returns the links that are under way, and their rank."""
        return [(link, FIRST_RANK) for link in self._under_way]

    def remaining(self) -> float | None:
        """Returns the estimated number of open links that belong, or None while too little was explored."""
        return self._found / self._times if self._times >= _LEAST_TIMES else None

    def state(self) -> ExplorationState:
        return ExplorationState(self._found, self._times, [*self._random.getstate()[1]], [*self._under_way.items()])

    def restore(self, state: ExplorationState) -> None:
        self._found, self._times, self._under_way = state.found, state.times, dict(state.under_way)
        self._random.setstate((_GENERATOR, tuple(state.generator), None))

    def _give_up(self, link: int, links: LinkTable) -> None:
        """The link gets the score that its signals say when it is next measured."""
        del self._under_way[link]
        if (row := links.rows.get(link)) is not None:
            links.scores[row] = -np.inf
