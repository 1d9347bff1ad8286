"""Leads that learn nothing: one that scores all links alike, and the two baselines."""

from collections.abc import Sequence

from opilio.core.counted import counted
from opilio.core.draw import hash_share
from opilio.core.items import Target
from opilio.core.plugin import Context

from .seam import Lead


class PlainLead(Lead):
    """Gives all links the same score."""

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [0.0] * len(targets)


class BreadthFirst(Lead):
    """Prefers links that are nearer to the seeds, and among equals the one that was found first."""

    goes_by = "their distance from a seed"

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [-float(target.depth) for target in targets]

    def explain(self, target: Target) -> Sequence[str]:
        return [f"{counted(target.depth, 'link')} from a seed; nearer ones come first, then those found earlier"]


class Random(Lead):
    """Gives every link a random number, which is computed from the URL and the crawl's seed, so that it needs no memory."""

    goes_by = "chance"

    def __init__(self, seed: int = 0) -> None:
        self._key = seed.to_bytes(8, "little", signed=True)

    @classmethod
    def build(cls, context: Context, seed: int | None = None) -> "Random":
        return cls(context.config.crawl.seed if seed is None else seed)

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return [self._draw(target.url) for target in targets]

    def explain(self, target: Target) -> Sequence[str]:
        return [f"drew {self._draw(target.url):.4f} out of 1; higher numbers come first"]

    def _draw(self, url: str) -> float:
        return hash_share(url, 7, self._key)
