"""A link is worth the mean score of the pages that it stands on. Nothing is learned."""

from collections.abc import Sequence
from typing import Final

from opilio.core.items import Target

from .seam import Lead

_SEED_SCORE: Final = 1.0
_PRIOR_PARENTS: Final = 2  # with a score of 0, added to those of every link, since a single good parent may be chance


def leaning_mean(target: Target) -> float:
    """Returns the mean of the parents' scores; the fewer parents, the nearer it is to 0."""
    return sum(seen.parent_score or 0.0 for seen in target.sightings) / (len(target.sightings) + _PRIOR_PARENTS)


class ParentsMean(Lead):
    goes_by = "the scores of the pages that they are on"
    sightings = 16

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [leaning_mean(target) if target.sightings else _SEED_SCORE for target in targets]

    def explain(self, target: Target) -> Sequence[str]:
        if not target.sightings:
            return ["a seed: first of all"]
        count, good = len(target.sightings), sum(seen.parent_belongs for seen in target.sightings)
        return [
            f"{good} of {count} pages that link here belong; their mean score, leaning to 0, is {leaning_mean(target):.3f}"
        ]
