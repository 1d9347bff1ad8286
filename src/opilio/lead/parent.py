"""A link is worth what the page is worth that it stands on; of several pages the best counts."""

from collections.abc import Sequence
from math import log10
from statistics import fmean
from typing import Final

import msgspec

from opilio.core.bounded import BoundedMap
from opilio.core.errors import ConfigError
from opilio.core.items import Sighting, Target

from .seam import FRESH, Judged, Lead, Stale

_JUDGE: Final = "perplexity"
_NOTHING_KNOWN: Final = -1e300
_SEED: Final = 0.0
_WORST_BY_HOST: Final = 10.0
_TIE: Final = 1e-6  # of a perplexity: what another power of ten between the best parent and all of them costs
_TIES: Final = ("parents", "found")
_MOST_HOSTS: Final = 100_000  # remembered: some 10 MB; the oldest are forgotten first


class ParentScore(Lead):
    """By the score that the judge gave to the parent."""

    sightings = 1  # the newest is always shown; the best so far is in the target's score
    _seed = 1.0

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [self._best(target) for target in targets]

    def explain(self, target: Target) -> Sequence[str]:
        if not target.sightings:
            return ["a seed: first of all"]
        return [f"the best page that links here has {self.value_of(target.score or self._best(target))}"]

    def value_of(self, score: float) -> str:
        return f"the score {score:.3f}"

    def worth(self, sighting: Sighting) -> float:
        return sighting.parent_score or 0.0

    def _best(self, target: Target) -> float:
        if not target.sightings and target.score is None:
            return self._seed
        known = [] if target.score is None else [target.score]
        return max([*known, *map(self.worth, target.sightings)])


class ParentPerplexity(ParentScore):
    """By the parent's perplexity, the lower the better, as Remus & Biemann (2016) do it. The score is the perplexity with a
    minus sign, so that the policy's bounds and cut are perplexities too.

    A page has dozens of links, and all are worth the same. The paper does not say which of them comes first. Here it is the one
    whose other parents are good too, by the mean of their logarithms: what everybody links to, such as a country or a year,
    comes last. The score is lower by some millionths, so that it only breaks ties. Costs up to eight sightings of each link.
    With `ties="found"` they come as they were found.

    Beyond the paper, with `hosts`: what a host has shown says more of its next page than a page elsewhere that links to it.
    So a link is no better than the best page met on its host; but at most ten times worse than its parent, since a host
    must not be closed by one bad page. Links within a host are not touched: their parent is one of its pages.

    A page without a sentence, such as a list of links, has no perplexity and hands on what it was worth itself: it says nothing
    about the links on it, and what led to it still does."""

    _seed = _SEED

    def __init__(self, *, hosts: bool = False, ties: str = "parents") -> None:
        if ties not in _TIES:
            raise ConfigError(f"lead.ties is {' or '.join(map(repr, _TIES))}, not {ties!r}.")
        self._hosts = hosts
        self._by_parents = ties == "parents"
        self.sightings = 8 if self._by_parents else 1
        self._shown: BoundedMap[str, float] = BoundedMap(_MOST_HOSTS)  # host → perplexity of its best page
        self._changed = False
        self._silent: tuple[int, float] | None = (
            None  # the page that was learned from last, if it has no perplexity, and its score
        )

    def value_of(self, score: float) -> str:
        return f"a perplexity of {-score:,.0f}; lower ones come first"

    def explain(self, target: Target) -> Sequence[str]:
        reasons = super().explain(target)
        promised = max(map(_promise, target.sightings), default=_SEED)
        if target.score is None or target.score >= promised * (1 + 1_000 * _TIE):
            return reasons
        value = self.value_of(target.score)
        return [
            f"a page with a perplexity of {-promised:,.0f} links here, but its host has shown no better than {value}"
        ]

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [self._best(target) * (1 + _TIE * self._distance(target)) for target in targets]

    def _distance(self, target: Target) -> float:
        """Powers of ten from the best parent to the mean of those of which something is known."""
        if not self._by_parents:
            return 0.0
        known = [log10(-worth) for worth in map(self.worth, target.sightings) if _NOTHING_KNOWN < worth < 0]
        return fmean(known) - min(known) if known else 0.0

    def worth(self, sighting: Sighting) -> float:
        if self._silent is not None and self._silent[0] == sighting.parent:
            return self._silent[1]
        promise = _promise(sighting)
        shown = -self._shown.get(sighting.link.host, 0.0)
        return min(promise, max(shown, _WORST_BY_HOST * promise))

    def learn(self, judged: Judged) -> Stale:
        measures = [opinion.measure for opinion in judged.verdict.opinions if opinion.judge == _JUDGE]
        self._silent = None if any(measures) else (judged.target.id, judged.target.score or _SEED)
        if self._hosts and measures and measures[0] is not None:
            host, best = judged.page.host, self._shown.get(judged.page.host)
            if best is None or measures[0] < best:
                self._shown[host] = measures[0]
                self._changed = True
        return FRESH

    def save(self) -> bytes | None:
        changed, self._changed = self._changed, False
        return msgspec.msgpack.encode(self._shown) if changed else None

    def load(self, state: bytes) -> None:
        self._shown = BoundedMap(_MOST_HOSTS, msgspec.msgpack.decode(state, type=dict[str, float]))


def _promise(sighting: Sighting) -> float:
    """What the parent alone says."""
    return -sighting.parent_measures[_JUDGE] if _JUDGE in sighting.parent_measures else _NOTHING_KNOWN
