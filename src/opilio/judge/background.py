"""A fair sample of the pages that the crawl has seen so far, in two halves.

The model of single words is trained on one half, and the other is judged with it, because a model rates its own pages
too well. The first thousand words of each page are kept; when a half is full, a new page replaces a random one with the
probability that keeps the sample fair. The random numbers are made from the pages' URLs, so that the same crawl gives
the same sample.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from opilio.core.draw import hash_number

_HALF_PAGES: Final = 200  # pages in each half
_PAGE_WORDS: Final = 1_000


class Background(msgspec.Struct):
    teaching: list[str] = msgspec.field(default_factory=list)  # lines of pages
    testing: list[str] = msgspec.field(default_factory=list)
    met: int = 0

    def meet(self, url: str, read: Callable[[], str]) -> None:
        """Adds a page with words to the sample, by chance. `read` returns its lines and is called only if they are
        needed."""
        half = self.teaching if self.met % 2 == 0 else self.testing
        place = len(half) if len(half) < _HALF_PAGES else hash_number(url, 8) % (self.met // 2 + 1)
        if place < _HALF_PAGES:
            if not (lines := shortened(read())):
                return
            half[place : place + 1] = [lines]
        self.met += 1


def shortened(lines: str) -> str:
    """Returns whole lines up to a thousand words."""
    kept, words = [], 0
    for line in lines.split("\n"):
        kept.append(line)
        words += line.count(" ") + 1
        if words >= _PAGE_WORDS:
            break
    return "\n".join(kept)
