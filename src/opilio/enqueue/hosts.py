"""A host's queue, and the lane of an address, whose hosts are asked one after the other.

Invariant of a `Bucket`: `head` holds the best queued links in order, and every link that only the store knows ranks
behind all of them; an empty head with a count above 0 means that the store has to be asked.
Memory per host is bounded by `HEAD` links a bucket.

Invariant of a `Lane`: at most one request is under way, and none starts before `ready_s`.
"""

from bisect import insort
from enum import Enum, auto
from typing import Final

from opilio.core.outcome import Drop

from .policy import DUE
from .store import StoredHost

HEAD: Final = 8


class Status(Enum):
    IDLE = auto()  # nothing queued
    READY = auto()  # offered in the ready heaps
    COOLING = auto()  # in the heap of cooling hosts
    PARKED = auto()  # waits for its lane
    BUSY = auto()  # a request is under way
    CLOSED = auto()  # given up, or full


class Lane:
    __slots__ = ("busy", "parked", "ready_s")

    def __init__(self) -> None:
        self.busy = False
        self.ready_s = 0.0
        # A heap of the hosts that wait for the end of the request under way: bucket, minus score and link of the best, host.
        self.parked: list[tuple[int, float, int, int]] = []


class Bucket:
    """The links of one host in one bucket: how many, and the best few of them."""

    __slots__ = ("count", "head", "shown")

    def __init__(self) -> None:
        self.count = 0
        self.head: list[tuple[float, int]] = []  # (minus score, link), best first
        self.shown: tuple[float, int] | None = None  # this bucket's entry in the ready heap

    def add(self, minus_score: float, link: int) -> None:
        entry = (minus_score, link)
        if self.count == len(self.head) or (self.head and entry < self.head[-1]):
            insort(self.head, entry)
            if len(self.head) > HEAD:
                self.head.pop()
        self.count += 1

    def remove(self, minus_score: float, link: int) -> None:
        entry = (minus_score, link)
        if entry in self.head:
            self.head.remove(entry)
        self.count -= 1


class HostQueue:
    __slots__ = (
        "address", "buckets", "closed", "delay_s", "failures", "fetched", "id", "lane", "name", "proven", "ready_s", "resting",
        "status",
    )  # fmt: skip

    def __init__(self, number: int, name: str) -> None:
        self.id = number
        self.name = name
        self.address = ""
        self.lane = Lane()
        self.ready_s = 0.0
        self.resting = False  # whether it cools for longer than a patient policy would wait
        self.proven = (
            False  # whether its last page came promptly and was quickly read; what is not known yet is in doubt
        )
        self.delay_s = 0.0
        self.failures = 0
        self.fetched = 0
        self.closed: Drop | None = None
        self.status = Status.IDLE
        self.buckets: dict[int, Bucket] = {}

    def stored(self) -> StoredHost:
        return StoredHost(
            self.id, self.name, self.address, self.ready_s, self.delay_s, self.failures, self.fetched, self.closed
        )

    @property
    def is_empty(self) -> bool:
        """Returns whether no link is queued."""
        return not any(bucket.count for bucket in self.buckets.values())

    @property
    def has_due(self) -> bool:
        """Returns whether a page that was fetched before is to be visited again."""
        return DUE in self.buckets and self.buckets[DUE].count > 0

    def bucket(self, number: int) -> Bucket:
        found = self.buckets.get(number)
        if found is None:
            found = self.buckets[number] = Bucket()
        return found
