"""A random walk over pages, whose pages can be weighted to form a near-uniform sample of the web.

Two things make a walk along links prefer some pages. Links have a direction, and nobody knows who links to a page, so
the probability of a visit cannot be computed. And a page with many links is visited more often than one with few.

* What is read: the walk follows links in both directions, in the graph of Bar-Yossef et al. (2000): a link counts if
  its target had not been read when it was found. Then both of its ends know it, the links of a page are final as soon as
  it is read, and the graph has no direction. So the walk is not caught in
  any part of the web, and comes back from dead ends.
* What a page weighs: a page that was read stands for all known pages with as many known links to them, read or not, so
  that it does not matter that the popular ones of these are read first. Pages of which no link was met are missing. Most
  of them have few links, like the pages with one known link: these stand for the missing ones too. How many are missing
  follows from how many pages have one and two known links (`_missing`).

From a URL that turns out not to be a page (an error, not HTML) the walk steps back to where it came from.

A bias remains as long as little of the web has been read: of two pages with one known link each, nobody can tell which
one has more links in truth.

Invariant: the walk is a function of the seed and of what it was told; each random choice is a hash of the seed and the
number of the draw.
"""

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Final, TypeVar

import msgspec

from opilio.core.draw import hash_number

_FREE_STEPS: Final = 1_000  # over pages that were read, before a walker rests until more is known
_ROUNDS: Final = 50  # after which an estimate no longer changes
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
    again: dict[int, int] = {}  # how many links to a page were found after it was read
    moved: dict[int, int] = {}  # addresses that led to another page
    dead: set[int] = set()  # wanted, but not a page

    @property
    def wanted(self) -> dict[int, int]:
        """Maps each wanted page to the number of the walker that waits for it."""
        return {walker.wanted: number for number, walker in enumerate(self.walkers) if walker.wanted}

    @property
    def weights(self) -> dict[int, float]:
        """Returns the weight of each page that was read. Seeds that nothing links to have none."""
        ways = {page: self.ways(page) for page in {**self.known, **self.again} if page not in self.dead}
        known = Counter[int](ways.values())
        read = Counter[int](count for page, count in ways.items() if page in self.links)
        stand_for = {count: known[count] / number for count, number in read.items()}
        if read[1]:
            stand_for[1] += _missing(known[1], known[2], len(ways), len(self.links)) / read[1]
        return {page: stand_for[count] for page, count in ways.items() if page in self.links}

    def ways(self, page: int) -> int:
        """Returns how many links to the page are known."""
        return len(self.known.get(page, ())) + self.again.get(page, 0)

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
                each.page, each.wanted = page, 0

    def link(self, page: int, target: int) -> None:
        """Notes one of the page's links."""
        if target == page:
            return
        if target in self.links:
            self.again[target] = self.again.get(target, 0) + 1
        else:
            self.links[page].append(target)
            self.known.setdefault(target, []).append(page)

    def advance(self) -> None:
        """Moves every walker on to the next page that was not read yet."""
        for number, walker in enumerate(self.walkers):
            if walker.wanted:
                self.dead.add(walker.wanted)
                walker.wanted = 0
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
            walker.page = walker.page if page in self.dead else page

    def _neighbour(self, page: int, number: int) -> int:
        links = self.links[page]
        chosen = links[number] if number < len(links) else self.known[page][number - len(links)]
        return self.moved.get(chosen, chosen)

    def _draw(self, ways: int) -> int:
        self.draws += 1
        return hash_number(b"%d %d" % (self.seed, self.draws), 8) % ways


def _missing(once: int, twice: int, known: int, read: int) -> float:
    """Estimates how many pages have links of which none was met, from how many have one and two known links. It is exact if
    the numbers of links to pages fall geometrically. If all were equal it would be too high, up to twice (Chao & Lin
    2012); on webs they are more unequal still. The estimate depends on the share of the web that was read, and that on the
    estimate, which is therefore repeated until it stands still."""
    missing = 0.0
    for _ in range(_ROUNDS):
        unread = max(known + missing - read, 1.0)
        missing = once**2 / (twice + once * read / unread + 1)
    return missing


def draw_by_weight(weights: Mapping[Key, float], count: int, seed: int) -> list[Key]:
    """Draws `count` different keys, each with a chance in proportion to its weight, in the order of the draws. By
    Efraimidis & Spirakis (2006): each key waits for a random time with its weight as the rate, and the shortest waits
    are drawn."""
    random = Random(seed)
    rings = {key: random.expovariate(weight) for key, weight in weights.items() if weight > 0}
    return heapq.nsmallest(count, rings, key=rings.__getitem__)
