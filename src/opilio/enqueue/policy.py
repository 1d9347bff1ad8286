"""What is fetched next, as small strategies over ranked buckets.

A score falls into a bucket (0 is the best) by the policy's bounds; a host offers the best link of each of its buckets;
the policy chooses the bucket, and the best host in it is served. Where links become ready only at boundaries (the end
of a layer, a spent batch), the policy's `Wave` says how many of the waiting ones each boundary lets through.
"""

from bisect import bisect_left
from collections.abc import Sequence
from random import Random
from typing import NamedTuple, Protocol

from opilio.core.config import PolicySettings


class Wave(NamedTuple):
    """How many waiting links a boundary makes ready: the best `top` of all, or the best `quotas[b]` of bucket b."""

    top: int = 0  # 0: all
    quotas: tuple[int, ...] = ()
    keep_rest: bool = True  # False: what is left behind is dropped

    def selections(self) -> list[tuple[int | None, int]]:
        """(bucket or None for any, how many or -1 for all), in the order in which they are made."""
        if self.quotas:
            return list(enumerate(self.quotas))
        return [(None, self.top or -1)]


class Policy(Protocol):
    bounds: tuple[float, ...]
    wave: Wave | None
    cut: float

    def choose(self, buckets: Sequence[int], random: Random) -> int:
        """One of the buckets that can be served now; they come in rising order and there is at least one."""
        ...


class Strict:
    """The best bucket first, even where that leaves polite hosts idle. With no bounds: best first."""

    def __init__(self, bounds: tuple[float, ...] = (), wave: Wave | None = None, cut: float = float("-inf")) -> None:
        self.bounds = bounds
        self.wave = wave
        self.cut = cut

    def choose(self, buckets: Sequence[int], random: Random) -> int:  # noqa: ARG002
        return buckets[0]


class Weighted(Strict):
    """A bucket by chance, with a weight that is the inverse of its rank: bad links are rare, never excluded."""

    def choose(self, buckets: Sequence[int], random: Random) -> int:
        weights = [1 / (bucket + 1) for bucket in buckets]
        return random.choices(buckets, weights)[0]


def bucket_of(score: float, bounds: Sequence[float]) -> int:
    """Bounds fall from the highest; a score equal to a bound belongs above it."""
    return bisect_left(bounds, -score, key=lambda bound: -bound)


def build_policy(settings: PolicySettings) -> Policy:
    wave = None
    if settings.wave != "none":
        quotas = settings.quotas if settings.wave == "batch" else ()
        wave = Wave(settings.top, quotas, settings.keep_rest)
    kind = Weighted if settings.choice == "weighted" else Strict
    return kind(settings.bounds, wave, settings.cut)
