"""A link is worth what the page is worth that it stands on; of several pages the best counts."""

from collections.abc import Sequence
from typing import Final

from opilio.core.items import Sighting, Target

from .plain import PlainLead

_NOTHING_KNOWN: Final = -1e300
_SEED: Final = 0.0


class ParentScore(PlainLead):
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
    minus sign, so that the policy's bounds and cut are perplexities too."""

    _seed = _SEED

    def value_of(self, score: float) -> str:
        return f"a perplexity of {-score:,.0f}; lower ones come first"

    def worth(self, sighting: Sighting) -> float:
        return -sighting.parent_measures["perplexity"] if "perplexity" in sighting.parent_measures else _NOTHING_KNOWN
