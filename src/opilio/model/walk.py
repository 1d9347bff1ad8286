"""A random walk over pages in which the probability of every step is known, so that its visits can be weighted to form
a uniform sample.

Two things make a walk along links prefer some pages. Links have a direction, and nobody knows who links to a page, so
the probability of a visit cannot be computed. And a page with many links is visited more often than one with few. The
walk corrects both:

* The walk follows links in both directions, in the graph of Bar-Yossef et al. (2000): a link counts if its target had
  not been read when it was found. Then both of its ends know it, the links of a page are final as soon as it is read,
  and the graph has no direction. Links to pages that were read before are left out on both sides.
* On such a graph a page is visited in proportion to the number of its links, so a visit is weighted by the inverse of
  that number. This holds for pages that were read before. A page that is read for the first time was reached in
  proportion to the links that led to it then, and is weighted by the inverse of those.

From a URL that turns out not to be a page (an error, not HTML) the walk steps back to where it came from, which keeps
the probabilities right.

Visits in the first half of the walk do not count, because popular pages are found early. A bias remains: as long as
little of the web has been read, popular pages stay favoured, because a page without a known link to it cannot be
reached.

Invariant: the walk is a function of the seed and of what it was told; each random choice is a hash of the seed and the
number of the draw.
"""

import heapq
from collections.abc import Iterator, Mapping
from random import Random
from typing import Final, TypeVar

import msgspec

from opilio.core.draw import hash_number

_FREE_STEPS: Final = 1_000  # over pages that were read, before a walker rests until more is known
Key = TypeVar("Key")


class Walker(msgspec.Struct):
    page: int = 0  # where it is; 0: nowhere yet
    wanted: int = 0  # the page that must be read before it can go on; 0: none


class Walk(msgspec.Struct):
    """Pages are numbers above 0. `visit` reports that a page was read and `link` each of its links; `advance` lets the
    walkers go on as far as they can. The pages that they want then must be read before the next call; those that were
    not read by then count as missing."""

    walkers: list[Walker]
    seed: int = 0
    draws: int = 0
    links: dict[int, list[int]] = {}  # from pages that were read, to pages that were not read at that time
    known: dict[int, list[int]] = {}  # the same links by their target
    moved: dict[int, int] = {}  # addresses that led to another page
    dead: set[int] = set()  # wanted, but not a page
    late: dict[int, float] = {}  # weights of the visits since the number of draws last doubled
    earlier: dict[int, float] = {}  # weights of the visits in the doubling before that

    @property
    def wanted(self) -> dict[int, int]:
        """Maps each wanted page to the number of the walker that waits for it."""
        return {walker.wanted: number for number, walker in enumerate(self.walkers) if walker.wanted}

    @property
    def weights(self) -> dict[int, float]:
        """Returns the weight of each page in a sample, from its visits in the later half of the walk, or somewhat more."""
        pages = self.earlier | self.late
        return {page: self.earlier.get(page, 0.0) + self.late.get(page, 0.0) for page in pages}

    def is_open(self, page: int) -> bool:
        """Returns whether the page could still be read."""
        return page not in self.links and page not in self.dead and page not in self.moved

    def unread(self) -> Iterator[int]:
        """Yields pages that no walker wants yet, those found last first."""
        wanted = self.wanted
        for links in reversed(self.links.values()):
            yield from (page for page in links if self.is_open(page) and page not in wanted)

    def visit(self, page: int, walker: int | None = None) -> None:
        """Notes that the page was read. `walker` is given if it wanted another address, which redirected here."""
        if page in self.links:
            return
        if walker is not None and (asked := self.walkers[walker].wanted) and asked != page:
            self._move(asked, page)
        self.links[page] = []
        for each in self.walkers:
            if each.wanted == page:
                self._arrive(each, page, len(self.known.get(page, ())))

    def link(self, page: int, target: int) -> None:
        """Notes one of the page's links, unless the target has already been read."""
        if target not in self.links and target != page:
            self.links[page].append(target)
            self.known.setdefault(target, []).append(page)

    def advance(self) -> None:
        """Moves every walker on to the next page that was not read yet."""
        for number, walker in enumerate(self.walkers):
            if walker.wanted:
                self.dead.add(walker.wanted)
                self._arrive(walker, walker.page, self.degree(walker.page))
            elif not walker.page and self.links:
                walker.page = list(self.links)[number % len(self.links)]
            self._go(walker)

    def degree(self, page: int) -> int:
        return len(self.links.get(page, ())) + len(self.known.get(page, ()))

    def _move(self, asked: int, page: int) -> None:
        self.moved[asked] = page
        self.known.setdefault(page, []).extend(self.known.pop(asked, ()))
        for walker in self.walkers:
            walker.wanted = page if walker.wanted == asked else walker.wanted

    def _go(self, walker: Walker) -> None:
        for _ in range(_FREE_STEPS):
            degree = self.degree(walker.page)
            if not degree:
                return
            page = self._neighbour(walker.page, self._draw(degree))
            if self.is_open(page):
                walker.wanted = page
                return
            page = walker.page if page in self.dead else page
            self._arrive(walker, page, self.degree(page))

    def _arrive(self, walker: Walker, page: int, ways: int) -> None:
        """`ways` is the number of links that led here; the chance of this visit was proportional to it."""
        walker.page, walker.wanted = page, 0
        self.late[page] = self.late.get(page, 0.0) + 1 / max(1, ways)

    def _neighbour(self, page: int, number: int) -> int:
        links = self.links[page]
        chosen = links[number] if number < len(links) else self.known[page][number - len(links)]
        return self.moved.get(chosen, chosen)

    def _draw(self, ways: int) -> int:
        self.draws += 1
        if not self.draws & (self.draws - 1):
            self.earlier, self.late = self.late, {}
        return hash_number(b"%d %d" % (self.seed, self.draws), 8) % ways


def draw_by_weight(weights: Mapping[Key, float], count: int, seed: int) -> list[Key]:
    """Draws `count` different keys, each with a chance in proportion to its weight, in the order of the draws. By
    Efraimidis & Spirakis (2006): each key waits for a random time with its weight as the rate, and the shortest waits
    are drawn."""
    random = Random(seed)
    rings = {key: random.expovariate(weight) for key, weight in weights.items() if weight > 0}
    return heapq.nsmallest(count, rings, key=rings.__getitem__)
