"""Where the frontier's links and hosts live: five small seams, which SQLite implements, and plain memory in the tests.

A link is a row with a number that the frontier gives it (1, 2, 3 … in order of discovery) and exactly one `State`:

    WAITING ──boundary──▶ QUEUED ──lease──▶ LEASED ──▶ DONE
                             ▲                 │
                             └────── retry ────┘

DONE without a drop means kept. Refused URLs are stored as DONE at once, so that each can be asked about later. A link that
the cut ended (`Drop.BELOW_CUT`) comes back when its score rises or the cut falls; others that are DONE come back only between
two runs, when the settings that had refused them are changed.
"""

from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum
from typing import Final, NamedTuple, Protocol

from opilio.core.items import Sighting
from opilio.core.outcome import Drop, Outcome


class State(IntEnum):
    QUEUED = 0
    WAITING = 1
    LEASED = 2
    DONE = 3


# the outcome says why
FAILED_DROPS: Final = (Drop.FETCH_FAILED, Drop.HOST_DEAD)


class StoredLink(NamedTuple):
    id: int
    key: int  # fingerprint of the URL
    url: str
    host: int
    state: State
    bucket: int
    score: float
    depth: int
    hops: int
    tries: int
    parent: int
    anchor: str
    found_s: float
    drop: Drop | None = None

    @property
    def can_rise(self) -> bool:
        """Returns whether another score could still change how the link ends."""
        return self.state <= State.WAITING or self.drop is Drop.BELOW_CUT


class Ending(NamedTuple):
    """How a lease ended for good."""

    drop: Drop | None  # None: kept
    outcome: Outcome | None = None
    status: int = 0
    fetched_s: float = 0.0
    judge_score: float | None = None
    belongs: bool = False
    detail: str = ""


class StoredHost(NamedTuple):
    id: int
    name: str
    address: str
    ready_s: float  # not before this
    delay_s: float  # what its robots.txt asks for; 0 if nothing
    failures: int  # failed connections in a row
    fetched: int
    closed: Drop | None  # why nothing more is fetched from it


class Links(Protocol):
    def insert(self, links: Sequence[StoredLink]) -> None: ...

    def read(self, link: int) -> StoredLink: ...

    def read_all(self, links: Sequence[int]) -> list[StoredLink]:
        """Reads these links, in the order given. A durable store takes one statement, however many there are."""
        ...

    def lease(self, link: int) -> StoredLink:
        """Marks the link as LEASED and returns it."""
        ...

    def requeue(self, link: int, tries: int, seen: "Ending | None" = None) -> None:
        """Queues a leased link again. `seen` is how its last attempt ended, which is remembered for `why`."""
        ...

    def finish(self, link: int, ending: Ending) -> None: ...

    def forget_endings(self, links: Sequence[int]) -> None:
        """Forgets how links ended that are queued once more, since that no longer says anything about them."""
        ...

    def overrule(
        self, link: int, drop: Drop | None, detail: str, score: float | None = None, belongs: bool | None = None
    ) -> None:
        """Gives a link that is DONE another drop, or none, and another verdict if there is one."""
        ...


class Order(Protocol):
    def best(self, host: int, bucket: int, limit: int) -> list[tuple[float, int]]:
        """Returns (minus score, link) of the best queued links, best first; the older one wins a tie."""
        ...

    def rescore(self, links: Sequence[StoredLink]) -> None:
        """Takes over the score, bucket, state, drop and tries of links that are in the store."""
        ...

    def promote(self, bucket: int | None, limit: int) -> list[StoredLink]:
        """Makes the best waiting links QUEUED and returns them; a limit of -1 means all."""
        ...

    def drop_waiting(self, drop: Drop) -> list[int]:
        """Ends every waiting link and returns their numbers."""
        ...

    def clear_host(self, host: int, drop: Drop, outcome: Outcome | None = None) -> list[int]:
        """Ends every queued and waiting link of a host and returns their numbers. `outcome` is the host's last failure."""
        ...


class Hosts(Protocol):
    def hosts(self) -> list[StoredHost]: ...

    def save_hosts(self, hosts: Sequence[StoredHost]) -> None: ...

    def queued(self) -> Iterator[tuple[int, int, int]]:
        """Yields (host, bucket, number of links) for every bucket of every host that has queued links."""
        ...

    def waiting(self) -> int: ...

    def known(self, after: int) -> Iterator[tuple[int, int]]:
        """Yields (fingerprint, link) of every link whose number is higher than `after`."""
        ...


class Refused(Protocol):
    def ended(self, drops: Collection[Drop], outcomes: Collection[Outcome], after: int, limit: int) -> list[StoredLink]:
        """Returns links that have ended with one of these drops, or could not be fetched because of one of these outcomes, in
        order of their numbers, a page at a time."""
        ...

    def failing_hosts(self, outcomes: Collection[Outcome]) -> list[int]:
        """Returns the hosts of links that ended with one of these outcomes."""
        ...


class Sightings(Protocol):
    def put_unfollowed(self, page: int, drop: Drop, keys: Sequence[int]) -> None:
        """Remembers the fingerprints of links on the page of link number `page` that are not followed, and why."""
        ...

    def risers(self, after: int, limit: int) -> list[StoredLink]:
        """Returns links that can rise (queued, waiting, under the cut) in order of their numbers, a page at a time."""
        ...

    def sightings(self, links: Sequence[int]) -> list[tuple[Sighting, ...]]:
        """Reads the sightings of each link, in the order given, with one statement like `read_all`."""
        ...

    def put_sightings(self, found: Sequence[tuple[int, tuple[Sighting, ...]]]) -> None:
        """Replaces the sightings of these links."""
        ...


class Store(Links, Order, Hosts, Refused, Sightings, Protocol):
    """Everything that a frontier needs. Durable stores are committed by whoever owns their transaction."""

    def release_leases(self) -> int:
        """Queues the links again that a kill left leased. Returns how many there were."""
        ...
