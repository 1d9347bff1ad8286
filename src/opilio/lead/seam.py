"""What a lead is. It lives in the process that owns the frontier. It may learn and keep state.

`learn` is called for every judged page, and `boundary` where the policy has waves. Each returns which links should be
scored again, and the owner does that.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from opilio.core.items import Page, Target, Verdict
from opilio.core.plugin import Hooks


class Judged(NamedTuple):
    """A page that was judged, with the sightings that led to it."""

    target: Target
    page: Page
    verdict: Verdict
    kept: bool
    size_bytes: int = 0  # received over the network
    address: str = ""  # of the host that answered; "" for a recorded web


class Stale(NamedTuple):
    """The open links that have to be scored again."""

    everything: bool = False
    links: tuple[int, ...] = ()


FRESH = Stale()


class Lead(Hooks):
    """The base class of leads. Derive from it and write `score`; override other methods as needed, which do nothing here."""

    sightings: int = 0  # how many sightings of a target the lead wants to see; with 0 none are stored
    knows_links: bool = False  # whether it keeps the open links itself; then a resumed crawl shows them to it again
    estimates: bool = False  # whether `remaining` ever returns a number
    goes_by: str = ""  # what decides which links come first, in a few words for whoever watches the crawl

    @classmethod
    def adopt(cls, other: Any) -> Self:
        """Also tells by its methods what an object that does not derive from this class knows, unless it says so itself."""
        lead = super().adopt(other)
        if lead is not other:
            lead.estimates, lead.knows_links = estimates(other), _says(other, "knows_links", "fresh")
        return lead

    @abstractmethod
    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        """Returns a score for each target; higher is better. It is called when a target is found, when it gets another sighting,
        and when it is stale."""

    def explain(self, target: Target) -> Sequence[str]:
        """Says in words where the score comes from. It is called only when a person asks."""
        return [f"score {self.score([target])[0]:g}"]

    # --- learning

    def learn(self, judged: Judged) -> Stale:  # noqa: ARG002
        """Learns from a judged page, before its own links are scored."""
        return FRESH

    def teach(self, page: Page, belongs: bool) -> None:
        """Takes the operator's word for a page that it has learned from before. A page that was read back from the disk has no
        links. It is called in a running crawl, or when the crawl is resumed."""

    def count(self, waiting: int) -> None:
        """Is told, right before `boundary`, how many links are waiting."""

    def holds(self, link: int) -> bool:  # noqa: ARG002
        """Returns whether it remembers what was seen of an open link. Such a link is shown to it with its newest sighting alone,
        which saves reading the others."""
        return False

    def boundary(self) -> Stale:
        """Is called between two layers or batches, if the policy has any."""
        return FRESH

    def fresh(self) -> Sequence[tuple[int, float]]:
        """Returns links whose scores have changed, with their new scores. It is called after every page, when its links have
        been scored."""
        return ()

    def forget(self, links: Sequence[int]) -> None:
        """Is told of links that will bring no page: they were refused or redirected, failed, or were given up with their host.
        The lead may never have seen some of them."""

    # --- state

    def save(self) -> bytes | None:
        """Returns what was learned, or None if nothing has changed since the last call. It is saved in the frontier's
        transaction, so that the two agree even after a kill."""
        return None

    def load(self, state: bytes) -> None:
        """Restores what was saved, before any other method is called."""

    def inherit(self) -> None:
        """Is called instead of `load` if the crawl has no saved state: a lead may begin with what the lead of another crawl
        has learned."""

    # --- for people

    def remaining(self) -> float | None:
        """Returns an estimate of how many pages in the queue belong, or None while too little is known."""
        return None

    def weights(self) -> Mapping[str, float]:
        """Returns how much each group of its signals weighs now, the heaviest first."""
        return {}


def estimates(lead: Any) -> bool:
    """Returns whether a lead, or the class of one, ever estimates what remains. Asking the class builds nothing."""
    return _says(lead, "estimates", "remaining")


def _says(lead: Any, name: str, method: str) -> bool:
    """Returns what the lead says of itself, or whether it has the method if it says nothing."""
    return bool(getattr(lead, name, hasattr(lead, method)))
