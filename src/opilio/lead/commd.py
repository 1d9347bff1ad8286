"""COMMD, the hard focus of Neunerdt et al.: a link is worth 1 if any page that belongs links to it, else 0; by chance among
equals. The chance is added to the score and stays below 1, so that the bound between the two kinds is 1. It is made of
the URL and the crawl's seed, and needs no memory."""

from collections.abc import Sequence
from typing import Final

from opilio.core.items import Target

from .plain import Random

_RELEVANT: Final = 1.0
_SEED: Final = 2.0


class Commd(Random):
    sightings = 1  # the newest is always shown; that an earlier parent belonged is in the target's score

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [_SEED if _is_seed(target) else _relevance(target) + self._draw(target.url) for target in targets]

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
    known = target.score is not None and target.score >= _RELEVANT
    return _RELEVANT if known or any(seen.parent_belongs for seen in target.sightings) else 0.0
