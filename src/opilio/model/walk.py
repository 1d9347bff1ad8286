"""A random walk over pages whose every step is known to be how likely, so that its visits can be weighed to a uniform sample.

Two things make a walk along links prefer some pages. Links point one way and nobody knows who links to a page, so what the walk
visits follows no law that could be undone. And a page with many links is met more often than one with few. Both are mended:

* The walk goes along links in both directions, in the graph of Bar-Yossef et al. (2000): a link counts if its target had not
  been read when it was found. Then both of its ends know of it, the links of a page are settled as soon as it is read, and
  the graph has no direction. Links to pages that were read before are left out on both sides.
* On such a graph a page is met in proportion to the number of its links, so a visit weighs the inverse of it. That holds for
  pages that were read before. One that is read for the first time came up in proportion to the links that led to it
  then, and weighs the inverse of those.

A page that turns out not to be one (an error, no HTML) is a way back to where the walk came from: that keeps the law, too.

Visits of the first half do not count: popular pages are found early. What remains: as long as little of the web was read, they
stay favoured, since a page that nothing points to so far cannot be met.

Invariant: the walk is a function of the seed and of what it was told; chance comes from a count of the draws.
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
    page: int = 0  # where it stands; 0: nowhere yet
    wanted: int = 0  # the page that it has to see before it can go on; 0: none


class Walk(msgspec.Struct):
    """Pages are numbers above 0. `visit` tells of a page that was read and `link` of its links, `advance` lets the walkers go as
    far as they can; what they want then is to be read before the next call, and what was not is no page."""

    walkers: list[Walker]
    seed: int = 0
    draws: int = 0
    links: dict[int, list[int]] = {}  # of pages read, to pages that were not read then
    known: dict[int, list[int]] = {}  # the same links from their other end
    moved: dict[int, int] = {}  # addresses that led to another page
    dead: set[int] = set()  # wanted, and no page
    late: dict[int, float] = {}  # weights of the visits since the number of draws has last doubled
    earlier: dict[int, float] = {}  # and of those in the doubling before

    @property
    def wanted(self) -> dict[int, int]:
        """Pages with the number of the walker that waits for it."""
        return {walker.wanted: number for number, walker in enumerate(self.walkers) if walker.wanted}

    @property
    def weights(self) -> dict[int, float]:
        """What a sample is drawn by: of each page, over its visits in the later half of the walk, or somewhat more."""
        pages = self.earlier | self.late
        return {page: self.earlier.get(page, 0.0) + self.late.get(page, 0.0) for page in pages}

    def is_open(self, page: int) -> bool:
        """Whether it could still be read."""
        return page not in self.links and page not in self.dead and page not in self.moved

    def unread(self) -> Iterator[int]:
        """Pages that nobody wants yet, those found last first."""
        wanted = self.wanted
        for links in reversed(self.links.values()):
            yield from (page for page in links if self.is_open(page) and page not in wanted)

    def visit(self, page: int, walker: int | None = None) -> None:
        """The page was read. `walker` has been led to it by another address than the one that it wanted."""
        if page in self.links:
            return
        if walker is not None and (asked := self.walkers[walker].wanted) and asked != page:
            self._move(asked, page)
        self.links[page] = []
        for each in self.walkers:
            if each.wanted == page:
                self._arrive(each, page, len(self.known.get(page, ())))

    def link(self, page: int, target: int) -> None:
        """One of the page's links; those to pages that were read before are left out."""
        if target not in self.links and target != page:
            self.links[page].append(target)
            self.known.setdefault(target, []).append(page)

    def advance(self) -> None:
        """Every walker goes on to the first page that was not read yet."""
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
        """`ways`: how many ways led here, in proportion to which the page was met."""
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
    """So many different ones, each with a chance in proportion to its weight; the first drawn comes first. Efraimidis &
    Spirakis (2006): those that would ring first, were the weights the rates of clocks that ring at random."""
    random = Random(seed)
    rings = {key: random.expovariate(weight) for key, weight in weights.items() if weight > 0}
    return heapq.nsmallest(count, rings, key=rings.__getitem__)
