"""What is stored of links and hosts.

A link is a row with a number that the frontier gives it (1, 2, 3 … in order of discovery) and exactly one `State`:

    WAITING ──boundary──▶ QUEUED ──lease──▶ LEASED ──▶ DONE
                             ▲                 │
                             └────── retry ────┘

DONE without a drop means kept. Refused URLs are stored as DONE at once, so that each can be asked about later. A link that
the cut ended (`Drop.BELOW_CUT`) comes back when its score rises or the cut falls; others that are DONE come back only between
two runs, when the settings that had refused them are changed.
"""

from enum import IntEnum
from typing import Final, NamedTuple

from opilio.core.outcome import Drop, Outcome
from opilio.core.url import fingerprint

from .policy import DUE


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
    def is_fetched(self) -> bool:
        """Returns whether its page was fetched, even if that is to be visited again."""
        return self.state is State.DONE or self.bucket == DUE

    @property
    def can_rise(self) -> bool:
        """Returns whether another score could still change how the link ends."""
        return self.state <= State.WAITING or self.drop is Drop.BELOW_CUT

    def is_intact(self, host: str) -> bool:
        """Returns whether the row is as it was written, as far as that shows: a flipped bit must not name another page, or
        another host's turn."""
        return fingerprint(self.url) == self.key and f"//{host}" in self.url

    def ranked(self, state: State, bucket: int, score: float, drop: Drop | None) -> "StoredLink":
        """Returns the link with another rank, in half the time of `_replace`: a learned crawl ranks forty links a page."""
        return StoredLink(
            self.id, self.key, self.url, self.host, state, bucket, score, self.depth, self.hops, self.tries, self.parent,
            self.anchor, self.found_s, drop,
        )  # fmt: skip


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
