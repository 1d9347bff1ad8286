"""What is remembered of the pages met: a fair sample of them, and the best of them.

The fair sample shows what ordinary pages of this web look like; the best show what its pages on the subject look like, which
may be one page in a thousand. Both are bounded. The same crawl remembers the same pages.
"""

from collections.abc import Callable
from typing import Final
from zlib import crc32

import msgspec

from opilio.model.similarity import Bag

_DRAWN_PAGES: Final = 500
_BEST_PAGES: Final = 150


class Remembered(msgspec.Struct, frozen=True):
    url: str
    bag: Bag


class PagesMet(msgspec.Struct):
    pages: int = 0
    drawn: list[Remembered] = []  # each page met has the same chance of being among them
    best: list[Remembered] = []
    scores: list[float] = []  # of the best, when they were met or when the judge was last fitted

    def meet(self, url: str, score: float, read: Callable[[], Bag]) -> None:
        """`read` returns the terms of the page; it is called only if the page is remembered."""
        self.pages += 1
        number = crc32(url.encode("utf-8", "surrogatepass"))
        place = len(self.drawn) if len(self.drawn) < _DRAWN_PAGES else number % self.pages
        worst = min(range(len(self.scores)), key=self.scores.__getitem__) if len(self.best) == _BEST_PAGES else None
        is_best = worst is None or score > self.scores[worst]
        if place >= _DRAWN_PAGES and not is_best:
            return
        if not (bag := read()).amounts:
            return
        page = Remembered(url, bag)
        if place < _DRAWN_PAGES:
            self.drawn[place : place + 1] = [page]
        if is_best:
            if worst is not None:
                del self.best[worst], self.scores[worst]
            self.best.append(page)
            self.scores.append(score)

    def all(self) -> list[tuple[Remembered, bool]]:
        """Returns every remembered page once, and whether it is of the fair sample."""
        fair = {page.url: (page, True) for page in self.drawn}
        others = {page.url: (page, False) for page in self.best if page.url not in fair}
        return [*fair.values(), *others.values()]
