"""COMMD, the hard focus of Neunerdt et al.: a link is worth 1 if any page that belongs links to it, else 0. The order
among equals is random: a random number below 1 is added to the score, so that the bound between the two kinds is 1. The number
is computed from the URL and the crawl's seed, and needs no memory."""

from collections.abc import Sequence
from typing import Final

from opilio.core.items import Target

from .plain import Random

_RELEVANT_SCORE: Final = 1.0
_SEED_SCORE: Final = 2.0


class Commd(Random):
    goes_by = "whether a page that belongs links to them"
    sightings = 1  # the newest is always shown; whether an earlier parent belonged is in the target's score

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [_SEED_SCORE if _is_seed(target) else _relevance(target) + self._draw(target.url) for target in targets]

    def explain(self, target: Target) -> Sequence[str]:
        if _is_seed(target):
            return ["a seed: first of all"]
        kind = "a page that belongs links here" if _relevance(target) else "no page that belongs links here"
        return [
            f"{kind}; among such links it drew {self._draw(target.url):.4f} out of 1, and higher numbers come first"
        ]


def _is_seed(target: Target) -> bool:
    return target.depth == 0 and not target.sightings


def _relevance(target: Target) -> float:
    known = target.score is not None and target.score >= _RELEVANT_SCORE
    return _RELEVANT_SCORE if known or any(seen.parent_belongs for seen in target.sightings) else 0.0
