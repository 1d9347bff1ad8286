"""What a lead is. It lives with the frontier's owner, in one process; it may learn and keep state.

Three clocks of change: `learn` is called for every judged page, `boundary` where the policy has waves. Each answers
which links should be scored again, and the owner does that.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from opilio.core.items import Page, Target, Verdict


class Judged(NamedTuple):
    """A page whose fate is known, with the sightings that led to it."""

    target: Target
    page: Page
    verdict: Verdict
    kept: bool
    size_bytes: int = 0  # received for it


class Stale(NamedTuple):
    """Which open links have to be scored again."""

    everything: bool = False
    links: tuple[int, ...] = ()


FRESH = Stale()


class Lead(Protocol):
    sightings: int  # how many sightings of a target it wants to see; 0: none are stored

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        """Higher is better. Called when a target is found, when a sighting is added, and when it is stale."""
        ...

    def learn(self, judged: Judged) -> Stale: ...

    def boundary(self) -> Stale: ...

    def explain(self, target: Target) -> Sequence[str]:
        """Where the score comes from, in words; asked only for people."""
        ...


@runtime_checkable
class Stateful(Protocol):
    """A lead whose state is saved with the frontier's transaction, so that a kill takes nothing from it."""

    def save(self) -> bytes | None:
        """None if nothing has changed since the last call."""
        ...

    def load(self, state: bytes) -> None: ...


@runtime_checkable
class Inheriting(Protocol):
    """A lead that may begin with what that of another crawl has learned."""

    def inherit(self) -> None:
        """Called before anything else, where the crawl has no state of its own."""
        ...


@runtime_checkable
class Counting(Protocol):
    """A lead that is told before each boundary how many links wait there."""

    def count(self, waiting: int) -> None: ...


@runtime_checkable
class Refreshing(Protocol):
    """A lead that knows the open links itself, and says which of them are worth something else by now."""

    def fresh(self) -> Sequence[tuple[int, float]]:
        """Links and their new scores; asked after every page, when its links have been scored."""
        ...

    def forget(self, links: Sequence[int]) -> None:
        """These bring no page: failed, refused, redirected, or given up with their host."""
        ...


@runtime_checkable
class Estimating(Protocol):
    """A lead that knows what it does not know."""

    def remaining(self) -> float | None:
        """Pages in the queue that belong, by estimate; None while too little is known for one."""
        ...

    def weights(self) -> Mapping[str, float]:
        """How much each group of its signals weighs now, the heaviest first."""
        ...
