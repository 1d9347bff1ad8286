"""Tokens of links that led into the domain, and of those that led out of it.

A pool counts in how many links each token stood; divided by the number of links that is the token's relative frequency. Its
*weight* in a pool is either that frequency, or (`shares`) the share of it that lies in this pool and not in the other: near
1 where the token is found here only, a half where it says nothing or nobody knows it, and closer to the half the fewer
links there are. The overlap of a link with a pool is the sum of its tokens' weights, divided by their number.

A pool is bounded: when it is full all counts are halved, and what falls to zero is forgotten.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

import msgspec

_WORD: Final = re.compile(r"[^\W_]+")
_ROOM: Final = 20_000  # tokens: half a megabyte in the crawl's state
_DOUBT: Final = 0.5  # links that a token is imagined to have stood in, in each pool


@lru_cache(maxsize=65_536)
def url_tokens(url: str) -> frozenset[str]:
    """Host, path and query, split at whatever is no letter or digit: "/index.de.html" has "de" in it."""
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
    """Two pools of one kind of tokens. `own` below is the class of a link that is itself in its pool, and is left out of
    it for the time of the comparison: an example must not be recognised by what it taught."""

    outside: Pool
    inside: Pool

    @classmethod
    def empty(cls) -> "Pools":
        return cls(Pool(), Pool())

    def add(self, tokens: Iterable[str], *, belongs: bool) -> None:
        (self.inside if belongs else self.outside).add(tokens)

    def overlaps(self, tokens: Collection[str], own: bool | None = None, *, shares: bool = True) -> tuple[float, float]:
        """With the inner and with the outer pool; equally with both where there is no token, or nothing to compare with."""
        if not tokens:
            return (0.5, 0.5) if shares else (0.0, 0.0)
        less_in, less_out = int(own is True), int(own is False)
        if shares and (self.inside.links == less_in or self.outside.links == less_out):
            return (0.5, 0.5)
        links_in, links_out = max(1, self.inside.links - less_in), max(1, self.outside.links - less_out)
        inside = [(self.inside.counts.get(token, less_in) - less_in) / links_in for token in tokens]
        outside = [(self.outside.counts.get(token, less_out) - less_out) / links_out for token in tokens]
        if not shares:
            return sum(inside) / len(tokens), sum(outside) / len(tokens)
        doubt = _DOUBT / min(links_in, links_out)
        weights = [(here + doubt) / (here + there + 2 * doubt) for here, there in zip(inside, outside, strict=True)]
        overlap = sum(weights) / len(tokens)
        return overlap, 1 - overlap
