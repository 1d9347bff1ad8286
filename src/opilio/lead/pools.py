"""The tokens of links that led into the domain, and of those that led out of it.

A pool counts how many links contain each token; divided by the number of links, that is the token's relative frequency. The
overlap of a link with the pools is the mean weight of its tokens, and there are several kinds of weights:
* "frequencies", as published: the relative frequency in each pool, so that a link has two overlaps;
* "contrast": the frequency inside minus the one outside. A token that says nothing is equally frequent in both pools and counts
  nothing, and a rare token counts little;
* "odds": how many times as frequent the token is inside, as a logarithm. Each token is counted once more, divided between the
  pools by their sizes, so that a token that was seen once is doubted and an unknown one weighs nothing;
* "both": contrast and odds, two overlaps. One sees the few tokens that are frequent, such as the language in the addresses of a
  site, the other the many that are rare, such as the names of hosts.

A pool is bounded: when it is full, all counts are halved, and tokens whose counts fall to zero are forgotten.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from math import fsum, log
from typing import Final, Literal
from urllib.parse import unquote

import msgspec

_WORD: Final = re.compile(r"[^\W_]+")
Weights = Literal["both", "odds", "contrast", "frequencies"]
OVERLAPS: Final[dict[Weights, int]] = {"both": 2, "odds": 1, "contrast": 1, "frequencies": 2}  # of a link
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

    def overlaps(
        self, tokens: Collection[str], own: bool | None = None, *, weights: Weights = "both"
    ) -> tuple[float, ...]:
        """Returns one overlap, or two, by the kind of weights; all are 0 while one of the pools is empty."""
        less_in, less_out = int(own is True), int(own is False)
        links_in, links_out = self.inside.links - less_in, self.outside.links - less_out
        if not tokens or not links_in or not links_out:
            return (0.0,) * OVERLAPS[weights]
        counts_in = [self.inside.counts.get(token, less_in) - less_in for token in tokens]
        counts_out = [self.outside.counts.get(token, less_out) - less_out for token in tokens]
        inside, outside = sum(counts_in) / links_in / len(tokens), sum(counts_out) / links_out / len(tokens)
        if weights == "frequencies":
            return inside, outside
        contrast = (inside - outside,) if weights != "odds" else ()
        if weights == "contrast":
            return contrast
        return (*contrast, _log_ratio(counts_in, counts_out, links_in, links_out) / len(tokens))


def _log_ratio(counts_in: Iterable[int], counts_out: Iterable[int], links_in: int, links_out: int) -> float:
    """Sums the weights of tokens whose counts are given in the same order. The sum is exact (`fsum`), because the order of
    tokens in a set differs from run to run."""
    more_in, more_out = links_in / (links_in + links_out), links_out / (links_in + links_out)
    ratios = [(inside + more_in) / (outside + more_out) for inside, outside in zip(counts_in, counts_out, strict=True)]
    return fsum(map(log, ratios)) - len(ratios) * log(links_in / links_out)
