"""Seeds in the order in which a crawl should have them.

The yield of seeds predicts the yield of the crawl that begins at them (Schäfer et al. 2014). A single page is a small sample of
its surroundings, so the expected yield also counts the probed pages that it links to: their domains are where the crawl will go
next. Pages with bad text, or with no link that leads out, are worth less.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log1p
from typing import Final

from msgspec.structs import replace

from opilio.core.errors import ConfigError
from opilio.core.suggestion import did_you_mean
from opilio.model.badness import MOST_TOTAL

from .entries import Entry

_OWN_WEIGHT: Final = 2.0  # of the page itself, in pages that it links to
_ENOUGH_LINKS: Final = log1p(5)  # that lead to other domains
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
    by_domain: dict[str, list[float]] = defaultdict(list)
    for entry in entries:
        if entry.probed:
            by_domain[entry.domain].append(own_yield(entry, languages))
    known = {domain: sum(yields) / len(yields) for domain, yields in by_domain.items()}
    return [replace(entry, expected=_expected(entry, links.get(entry.url, {}), known, languages)) for entry in entries]


def own_yield(entry: Entry, languages: Sequence[str]) -> float:
    """Returns how likely a page is one that the corpus wants: by its language and, if there was a judge, by its score."""
    if not entry.probed or (languages and entry.language not in languages):
        return 0.0
    wanted = entry.confidence if entry.score is None else entry.score
    badness = _UNKNOWN_BADNESS if entry.badness is None else entry.badness
    return wanted * (1.0 - badness / MOST_TOTAL) * min(1.0, entry.main_chars / _ENOUGH_CHARS)


def _expected(entry: Entry, links: Mapping[str, int], known: Mapping[str, float], languages: Sequence[str]) -> float:
    if not entry.probed:
        return 0.0
    neighbours = [known[domain] for domain in links if domain in known]
    around = (_OWN_WEIGHT * own_yield(entry, languages) + sum(neighbours)) / (_OWN_WEIGHT + len(neighbours))
    leads_out = min(1.0, log1p(entry.out_links) / _ENOUGH_LINKS)
    return round(around * (0.5 + 0.5 * leads_out), 6)
