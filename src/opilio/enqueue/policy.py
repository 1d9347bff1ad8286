"""Policies: small strategies that say which of the ranked buckets is served next.

A score falls into a bucket (0 is the best) by the policy's bounds; a host offers the best link of each of its buckets;
the policy chooses the bucket, and the best host in it is served. If links become ready only at boundaries (the end of
a layer or batch), the policy's `Wave` says how many of the waiting ones each boundary lets through.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from operator import neg
from random import Random
from typing import Final, NamedTuple

from opilio.core.tables import PolicySettings

_SOME_HOSTS: Final = 10  # from which on there is some leeway …
_MANY_HOSTS: Final = 100  # … and all of it
_MANY_PAGES: Final = 100_000  # of which quotas are shares if a crawl has no limit
DUE: Final = -1  # the bucket of pages that are visited again, which is better than any other
_HIGHEST_POWER: Final = 8  # of ten: above it perplexities are not told apart


class Wave(NamedTuple):
    """The waiting links that a boundary makes ready: the best `top` of the best bucket that has any, or the best
    `quotas[b]` of each bucket b."""

    top: int = 0  # 0: all
    quotas: tuple[int, ...] = ()
    keep_rest: bool = True  # False: the other links are dropped


class Patience(Enum):
    """The hosts that are waited for, although they cannot be asked now."""

    NONE = auto()
    BUCKET = auto()  # those that have links in a better bucket
    LINK = auto()  # those that have a better link


class Policy:
    """Serves the best bucket with a host that may be asked now. Without bounds this is best first. Others derive from it."""

    patience = Patience.NONE
    crosses = True  # whether boundaries are crossed
    emptied = "frontier empty"  # why a crawl stops that has nothing left to do

    def __init__(
        self,
        bounds: tuple[float, ...] = (),
        wave: Wave | None = None,
        cut: float = float("-inf"),
        leeway: float = 0.0,
    ) -> None:
        self.bounds = bounds
        self.wave = wave
        self.cut = cut
        self._leeway = leeway

    def awaited(self, bucket: int, hosts: int) -> range:
        """Returns the better buckets whose hosts are waited for before this bucket is served: those that are better by the
        leeway at least. The more hosts a crawl has, the more of them stand idle during a wait, so the leeway grows with them,
        and a crawl of fewer than ten hosts has none."""
        if self.patience is Patience.NONE or bucket <= 0:
            return range(0)
        if self.patience is Patience.LINK:
            return range(bucket)
        leeway = self._leeway * min(1.0, hosts // _SOME_HOSTS * _SOME_HOSTS / _MANY_HOSTS)
        return range(bisect_right(self.bounds, -self.bounds[bucket - 1] - leeway, key=neg))

    def choose(self, buckets: Iterator[int], random: Random) -> int | None:  # noqa: ARG002
        """Returns one of the buckets that can be served now, or None if there is none. They come in rising order, and each
        that is asked for costs a look at its hosts."""
        return next(buckets, None)


class OnlyDue(Policy):
    """Serves pages that are visited again, and leaves all other links in their queues."""

    crosses = False
    emptied = "no more page is due"

    def choose(self, buckets: Iterator[int], random: Random) -> int | None:
        return DUE if super().choose(buckets, random) == DUE else None


class Patient(Policy):
    """Serves the best bucket, even if that leaves idle hosts that may be asked; with a leeway, hosts whose links are hardly
    worse are asked meanwhile."""

    patience = Patience.BUCKET


class Best(Policy):
    """Serves the best link of all, even if that leaves all other hosts idle. Each lease costs a look at every host."""

    patience = Patience.LINK


class Weighted(Policy):
    """Serves a random bucket, weighted by the inverse of its rank: bad links are rare, but never excluded."""

    def choose(self, buckets: Iterator[int], random: Random) -> int | None:
        found = list(buckets)
        if found[:1] == [DUE]:
            return DUE
        return random.choices(found, [1 / (bucket + 1) for bucket in found])[0] if found else None


def only_due(policy: Policy) -> OnlyDue:
    """Returns a policy that sorts links as this one does, and serves only pages that are visited again."""
    return OnlyDue(policy.bounds, policy.wave, policy.cut)


def graded(bounds: tuple[float, ...], step: float) -> tuple[float, ...]:
    """Divides buckets of perplexities, which are scores with a minus sign, into steps of this many powers of ten; with 0 it
    leaves them whole. Hosts take turns within a bucket, so whole ones forget which of their links is better."""
    if not step:
        return bounds
    steps = (-(10.0 ** (step * number)) for number in range(1, round(_HIGHEST_POWER / step) + 1))
    return tuple(sorted({*bounds, *steps}, reverse=True))


def bucket_of(score: float, bounds: Sequence[float]) -> int:
    """Returns the bucket of a score. Bounds fall from the highest; a score equal to a bound belongs above it."""
    return bisect_left(bounds, -score, key=neg)


def build_policy(settings: PolicySettings, pages: int = 0) -> Policy:
    """`pages` are those that the crawl may fetch, 0 if there is no limit. Quotas below 1 are shares of them."""
    wave = None
    if settings.wave != "none":
        quotas = settings.quotas if settings.wave == "batch" else ()
        wave = Wave(settings.top, tuple(_links(quota, pages) for quota in quotas), settings.keep_rest)
    return _KINDS[settings.choice](graded(settings.bounds, settings.step), wave, settings.cut, settings.leeway)


def _links(quota: float, pages: int) -> int:
    return max(1, round(quota * (pages or _MANY_PAGES))) if 0 < quota < 1 else int(quota)


_KINDS: Final = {"strict": Policy, "patient": Patient, "best": Best, "weighted": Weighted}
