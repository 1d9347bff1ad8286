"""A link is worth as much as the page that it stands on. If there are several pages, usually the best counts."""

from collections.abc import Sequence
from math import log10, sqrt
from statistics import fmean
from typing import Final

import msgspec

from opilio.core.bounded import BoundedMap
from opilio.core.errors import ConfigError
from opilio.core.items import Sighting, Target

from .seam import FRESH, Judged, Lead, Stale

_JUDGE: Final = "perplexity"
_UNKNOWN_SCORE: Final = -1e300
_SEED_SCORE: Final = 0.0
_SILENT: Final = -1e4  # what the links of a seed without a sentence are worth: little, but not nothing
_MAX_HOST_FACTOR: Final = 10.0
_TIE: Final = 1e-6  # lowers the score for each power of ten between the best parent and the mean of all
_TIES: Final = ("found", "parents")
_PARENTS: Final = ("best", "first", "mean")
_MANY_SIGHTINGS: Final = 8
_MOST_HOSTS: Final = 100_000  # that are remembered, in some 10 MB; the oldest are forgotten first


class ParentScore(Lead):
    """Scores links by the score that the judge gave to the parent."""

    goes_by = "the score of the best page that they are on"
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
    """Scores links by the parent's perplexity, the lower the better, as Remus & Biemann (2016) do it. The score is the
    perplexity with a minus sign, so that the policy's bounds and cut are perplexities too.

    If several pages link to it, `parent` says which counts: the best, the first, as in the authors' program, or the mean of up to
    eight, as powers of ten. The paper does not say.

    A page has dozens of links, and all are worth the same. They come in the order in which they were found. With `ties="parents"`
    it is the one first whose other parents are good too, by the mean of their logarithms: a page that everybody links to, such as
    a country or a year, comes last. This lowers the score by some millionths, so that it only breaks ties.

    `hosts` goes beyond the paper: the pages of a host say more about its next page than a page elsewhere that links to it. So a
    link is no better than the best page met on its host, but at most ten times worse than its parent, since one bad page must
    not close a host. Links within a host are not affected: their parent is one of its pages.

    A page without a sentence, such as a list of links, has no perplexity. It says nothing about its links, so they get the score
    that the page itself had as a link, half way to a low one as powers of ten: otherwise one good link to a site of such pages
    would lead through all of it. Those of a seed get the low one."""

    goes_by = "the perplexity of the best page that they are on"
    _seed = _SEED_SCORE

    def __init__(self, *, hosts: bool = False, ties: str = "found", parent: str = "best") -> None:
        for name, value, known in (("ties", ties, _TIES), ("parent", parent, _PARENTS)):
            if value not in known:
                raise ConfigError(f"lead.{name} is {', '.join(map(repr, known[:-1]))} or {known[-1]!r}, not {value!r}.")
        self._hosts, self._parent = hosts, parent
        self._by_parents = ties == "parents"
        self.sightings = _MANY_SIGHTINGS if self._by_parents or parent == "mean" else 1
        self._shown: BoundedMap[str, float] = BoundedMap(_MOST_HOSTS)  # host → perplexity of its best page
        self._changed = False
        # The page that was learned from last, if it has no perplexity, and its score.
        self._silent: tuple[int, float] | None = None

    def value_of(self, score: float) -> str:
        return f"a perplexity of {-score:,.0f}; lower ones come first"

    def explain(self, target: Target) -> Sequence[str]:
        reasons = super().explain(target)
        promised = max(map(_promise, target.sightings), default=_SEED_SCORE)
        if target.score is None or target.score >= promised * (1 + 1_000 * _TIE):
            return reasons
        value = self.value_of(target.score)
        return [
            f"a page with a perplexity of {-promised:,.0f} links here, but its host has shown no better than {value}"
        ]

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [self._worth(target) * (1 + _TIE * self._distance(target)) for target in targets]

    def _worth(self, target: Target) -> float:
        if self._parent == "first" and target.score is not None:
            return target.score
        known = self._known(target) if self._parent == "mean" else []
        return -(10 ** fmean(known)) if known else self._best(target)

    def _known(self, target: Target) -> list[float]:
        """Returns the perplexities of its parents, as powers of ten."""
        return [log10(-worth) for worth in map(self.worth, target.sightings) if _UNKNOWN_SCORE < worth < 0]

    def _distance(self, target: Target) -> float:
        """Returns the powers of ten from the best parent to the mean of the parents with a known perplexity."""
        if not self._by_parents:
            return 0.0
        known = self._known(target)
        return fmean(known) - min(known) if known else 0.0

    def worth(self, sighting: Sighting) -> float:
        if self._silent is not None and self._silent[0] == sighting.parent:
            return self._silent[1]
        promise = _promise(sighting)
        shown = -self._shown.get(sighting.link.host, 0.0)
        return min(promise, max(shown, _MAX_HOST_FACTOR * promise))

    def learn(self, judged: Judged) -> Stale:
        measures = [opinion.measure for opinion in judged.verdict.opinions if opinion.judge == _JUDGE]
        self._silent = None if any(measures) else (judged.target.id, _passed_on(judged.target.score or _SILENT))
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


def _passed_on(score: float) -> float:
    """Returns what a link is worth on a page that says nothing, and had this score as a link."""
    return min(score, -sqrt(score * _SILENT))


def _promise(sighting: Sighting) -> float:
    """Returns the score by the parent alone."""
    return -sighting.parent_measures[_JUDGE] if _JUDGE in sighting.parent_measures else _UNKNOWN_SCORE
