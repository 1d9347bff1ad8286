"""The tokens of links that led into the domain, and of those that led out of it.

A pool counts how many links contain each token; divided by the number of links, that is the token's relative frequency, which
is its *weight* in the pool. The overlap of a link with a pool is the sum of its tokens' weights, divided by their number. With
`contrast` a link has one overlap instead of two: the one inside minus the one outside. A token that says nothing is equally
frequent in both pools and counts nothing, and a rare token counts little.

A pool is bounded: when it is full, all counts are halved, and tokens whose counts fall to zero are forgotten.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

import msgspec

_WORD: Final = re.compile(r"[^\W_]+")
_ROOM: Final = 20_000  # tokens: half a megabyte in the crawl's state


@lru_cache(maxsize=65_536)
def url_tokens(url: str) -> frozenset[str]:
    """Returns the words of host, path and query, split at everything but letters and digits: "/index.de.html" has "de"."""
    return frozenset(_WORD.findall(unquote(unquote(url.partition("://")[2])).lower()))


@lru_cache(maxsize=65_536)
def anchor_tokens(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


class Pool(msgspec.Struct):
    counts: dict[str, int] = {}
    links: int = 0

    def add(self, tokens: Iterable[str]) -> None:
        self.links += 1
        for token in tokens:
            self.counts[token] = self.counts.get(token, 0) + 1
        if len(self.counts) > _ROOM:
            self.links //= 2
            self.counts = {token: count // 2 for token, count in self.counts.items() if count > 1}


class Pools(msgspec.Struct):
    """Two pools of one kind of tokens. `own` below is the class of a link that is already in its pool: its own tokens are
    left out of the comparison, since an example must not be recognised by itself."""

    outside: Pool
    inside: Pool

    @classmethod
    def empty(cls) -> "Pools":
        return cls(Pool(), Pool())

    def add(self, tokens: Iterable[str], *, belongs: bool) -> None:
        (self.inside if belongs else self.outside).add(tokens)

    def overlaps(self, tokens: Collection[str], own: bool | None = None, *, contrast: bool = True) -> tuple[float, ...]:
        """Returns the overlaps with the pools inside and outside, or their contrast; 0 while one of the pools is empty."""
        less_in, less_out = int(own is True), int(own is False)
        links_in, links_out = self.inside.links - less_in, self.outside.links - less_out
        if not tokens or not links_in or not links_out:
            return (0.0,) if contrast else (0.0, 0.0)
        counts_in = sum(self.inside.counts.get(token, less_in) - less_in for token in tokens)
        counts_out = sum(self.outside.counts.get(token, less_out) - less_out for token in tokens)
        inside, outside = counts_in / links_in / len(tokens), counts_out / links_out / len(tokens)
        return (inside - outside,) if contrast else (inside, outside)
