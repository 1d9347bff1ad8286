"""What is fetched next, as small strategies over ranked buckets.

A score falls into a bucket (0 is the best) by the policy's bounds; a host offers the best link of each of its buckets;
the policy chooses the bucket, and the best host in it is served. Where links become ready only at boundaries (the end
of a layer, a spent batch), the policy's `Wave` says how many of the waiting ones each boundary lets through.
"""

from bisect import bisect_left
from collections.abc import Sequence
from enum import Enum, auto
from random import Random
from typing import Final, NamedTuple, Protocol

from opilio.core.config import PolicySettings


class Wave(NamedTuple):
    """How many waiting links a boundary makes ready: the best `top` of the best bucket that has any, or the best
    `quotas[b]` of each bucket b."""

    top: int = 0  # 0: all
    quotas: tuple[int, ...] = ()
    keep_rest: bool = True  # False: what is left behind is dropped


class Patience(Enum):
    """Which hosts that cannot be asked now are waited for."""

    NONE = auto()
    BUCKET = auto()  # those that have links in a better bucket
    LINK = auto()  # those that have a better link


class Policy(Protocol):
    patience: Patience
    bounds: tuple[float, ...]
    wave: Wave | None
    cut: float

    def choose(self, buckets: Sequence[int], random: Random) -> int:
        """One of the buckets that can be served now; they come in rising order and there is at least one."""
        ...


class Strict:
    """The best bucket that has a polite host. With no bounds: best first."""

    patience = Patience.NONE

    def __init__(self, bounds: tuple[float, ...] = (), wave: Wave | None = None, cut: float = float("-inf")) -> None:
        self.bounds = bounds
        self.wave = wave
        self.cut = cut

    def choose(self, buckets: Sequence[int], random: Random) -> int:  # noqa: ARG002
        return buckets[0]


class Patient(Strict):
    """The best bucket, even where that leaves polite hosts idle."""

    patience = Patience.BUCKET


class Best(Strict):
    """The best link of all, even where that leaves all other hosts idle. Costs a look at every host for each lease."""

    patience = Patience.LINK


class Weighted(Strict):
    """A bucket by chance, with a weight that is the inverse of its rank: bad links are rare, never excluded."""

    def choose(self, buckets: Sequence[int], random: Random) -> int:
        weights = [1 / (bucket + 1) for bucket in buckets]
        return random.choices(buckets, weights)[0]


def bucket_of(score: float, bounds: Sequence[float]) -> int:
    """Returns the bucket of a score. Bounds fall from the highest; a score equal to a bound belongs above it."""
    return bisect_left(bounds, -score, key=lambda bound: -bound)


def build_policy(settings: PolicySettings) -> Policy:
    wave = None
    if settings.wave != "none":
        quotas = settings.quotas if settings.wave == "batch" else ()
        wave = Wave(settings.top, quotas, settings.keep_rest)
    return _KINDS[settings.choice](settings.bounds, wave, settings.cut)


_KINDS: Final = {"strict": Strict, "patient": Patient, "best": Best, "weighted": Weighted}
