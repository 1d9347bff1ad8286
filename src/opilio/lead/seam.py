"""What a lead is. It lives with the frontier's owner, in one process; it may learn and keep state.

`learn` is called for every judged page, and `boundary` where the policy has waves. Each answers which links should be
scored again, and the owner does that.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from opilio.core.items import Page, Target, Verdict
from opilio.core.plugin import Hooks


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


class Lead(Hooks):
    """Derive from it and write `score`. Every other method does nothing, until it is overridden."""

    sightings: int = 0  # how many sightings of a target the lead wants to see; with 0 none are stored
    knows_links: bool = False  # whether it keeps the open links itself; if so, a resumed crawl shows them to it again
    estimates: bool = False  # whether `remaining` will ever know a number

    @abstractmethod
    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        """Higher is better. Called when a target is found, when a sighting is added, and when it is stale."""

    def explain(self, target: Target) -> Sequence[str]:
        """Says in words where the score comes from; asked only for people."""
        return [f"score {self.score([target])[0]:g}"]

    # --- learning

    def learn(self, judged: Judged) -> Stale:  # noqa: ARG002
        return FRESH

    def count(self, waiting: int) -> None:
        """Tells, right before a boundary, how many links wait there."""

    def boundary(self) -> Stale:
        return FRESH

    def fresh(self) -> Sequence[tuple[int, float]]:
        """Links that are worth something else by now, with their new scores; asked after every page, when its links
        have been scored."""
        return ()

    def forget(self, links: Sequence[int]) -> None:
        """These links bring no page any more: they were refused or redirected, failed, or were given up with their
        host. The lead may never have seen some of them."""

    # --- state

    def save(self) -> bytes | None:
        """What was learned, saved with the frontier's transaction, so that both agree after a kill; None if
        nothing has changed since the last call."""
        return None

    def load(self, state: bytes) -> None:
        """Takes up what was saved, before anything else is asked."""

    def inherit(self) -> None:
        """Called instead of `load` where the crawl has no state: a lead may begin with what that of another crawl has
        learned."""

    # --- what people ask

    def remaining(self) -> float | None:
        """Estimates how many pages in the queue belong; None while too little is known."""
        return None

    def weights(self) -> Mapping[str, float]:
        """How much each group of its signals weighs now, the heaviest first."""
        return {}
