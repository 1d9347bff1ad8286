"""What the crawl has met so far, in small: a fair sample of the pages, halved.

One half teaches the model of single words, the other is judged with it, since a model knows its own pages too well. Of
each page the first thousand words are kept; when a half is full, a new page takes a random place with the chance that keeps
the sample fair. The numbers that decide are made from the pages' URLs, so that the same crawl gives the same sample.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from opilio.core.draw import hash_number

_ROOM: Final = 200  # pages in each half
_WORDS: Final = 1_000


class Background(msgspec.Struct):
    teaching: list[str] = msgspec.field(default_factory=list)  # lines of pages
    testing: list[str] = msgspec.field(default_factory=list)
    met: int = 0

    def meet(self, url: str, read: Callable[[], str]) -> None:
        """A page without words is none. `read` gives its lines, and is asked for them only if the page is drawn."""
        half = self.teaching if self.met % 2 == 0 else self.testing
        place = len(half) if len(half) < _ROOM else hash_number(url, 8) % (self.met // 2 + 1)
        if place < _ROOM:
            if not (lines := shortened(read())):
                return
            half[place : place + 1] = [lines]
        self.met += 1


def shortened(lines: str) -> str:
    """Whole lines up to a thousand words."""
    kept, words = [], 0
    for line in lines.split("\n"):
        kept.append(line)
        words += line.count(" ") + 1
        if words >= _WORDS:
            break
    return "\n".join(kept)
