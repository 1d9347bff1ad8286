"""Seeds in the order in which a crawl should have them.

The yield of seeds predicts the yield of the crawl that begins at them (Schäfer et al. 2014). A single page is a small sample of
its surroundings, so the expected yield also counts the other probed pages of its domain, and the domains that it links to: there
the crawl will go next. Domains that many others link to are worth a little more. How many links a page has says nothing more:
it was tried, and made the order worse (`bench seeds`).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log1p
from statistics import fmean
from typing import Final

from msgspec.structs import replace

from opilio.core.errors import ConfigError
from opilio.core.suggestion import did_you_mean
from opilio.model.badness import MOST_TOTAL

from .entries import Entry

_OWN_WEIGHT: Final = 2.0  # of the page itself, in pages that it links to
_INDEGREE_WEIGHT: Final = 0.2
_ENOUGH_CHARS: Final = 1_000
_UNKNOWN_BADNESS: Final = 10.0

RANKS: Final[Mapping[str, Callable[[Entry], float]]] = {
    "yield": lambda entry: entry.expected,
    "score": lambda entry: entry.score or 0.0,
    "outlinks": lambda entry: entry.out_links,
    "indegree": lambda entry: entry.indegree,
    "length": lambda entry: entry.main_chars,
    "tokens": lambda entry: entry.tokens,
    "finds": lambda entry: entry.finds,
    "badness": lambda entry: -(MOST_TOTAL if entry.badness is None else entry.badness),
    "confidence": lambda entry: entry.confidence,
}


def ranked(entries: Iterable[Entry], rank: str) -> list[Entry]:
    """Returns the best first; among equals the order is that of the URLs."""
    if rank not in RANKS:
        raise ConfigError(f'cannot rank by "{rank}".{did_you_mean(rank, RANKS)} Ranks: {", ".join(RANKS)}.')
    return sorted(entries, key=lambda entry: (-RANKS[rank](entry), entry.url))


def with_expected_yield(
    entries: Sequence[Entry], links: Mapping[str, Mapping[str, int]], languages: Sequence[str] = ()
) -> list[Entry]:
    """Fills in the expected yields. `links` has for each URL the other domains that its page links to."""
    domains: dict[str, list[float]] = defaultdict(list)
    for entry in entries:
        if entry.probed:
            domains[entry.domain].append(own_yield(entry, languages))
    return [
        replace(entry, expected=round(_expected(entry, links.get(entry.url, {}), domains, languages), 6))
        for entry in entries
    ]


def own_yield(entry: Entry, languages: Sequence[str]) -> float:
    """Returns how likely a page is one that the corpus wants: by its language, its length and the quality of its text and, if
    there was a judge, by its score."""
    if not entry.probed or (languages and entry.language not in languages):
        return 0.0
    wanted = entry.confidence if entry.score is None else entry.score
    badness = _UNKNOWN_BADNESS if entry.badness is None else entry.badness
    return wanted * (1.0 - badness / MOST_TOTAL) * min(1.0, entry.main_chars / _ENOUGH_CHARS)


def _expected(
    entry: Entry, links: Iterable[str], domains: Mapping[str, Sequence[float]], languages: Sequence[str]
) -> float:
    if not entry.probed:
        return 0.0
    own = fmean([own_yield(entry, languages), *domains[entry.domain]])
    neighbours = [fmean(domains[domain]) for domain in links if domain in domains]
    around = (_OWN_WEIGHT * own + sum(neighbours)) / (_OWN_WEIGHT + len(neighbours))
    return around * (1.0 + _INDEGREE_WEIGHT * log1p(entry.indegree))
