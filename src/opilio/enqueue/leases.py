"""The leases that are out, and those of them whose request is under way.

Rule: a lease is known by its object: one that has expired, and whose link was leased again, is no longer held.
"""

import heapq
from collections.abc import Iterator
from itertools import takewhile

from opilio.core.items import Lease

from .hosts import HostQueue


class Leases:
    def __init__(self) -> None:
        self._held: dict[int, tuple[Lease, HostQueue]] = {}  # by link
        self._on_wire: dict[
            int, float
        ] = {}  # links whose request is not over, and when they were leased: the oldest first
        self._deadlines: list[tuple[float, int]] = []

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, lease: Lease) -> bool:
        held = self._held.get(lease.id)
        return held is not None and held[0] is lease

    @property
    def on_wire(self) -> int:
        return len(self._on_wire)

    def on_wire_since(self, when_s: float) -> int:
        """Returns how many requests have been under way since before that time."""
        return sum(1 for _ in takewhile(lambda leased_s: leased_s < when_s, self._on_wire.values()))

    def add(self, lease: Lease, queue: HostQueue, now_s: float) -> None:
        self._held[lease.id] = (lease, queue)
        self._on_wire.pop(lease.id, None)
        self._on_wire[lease.id] = now_s
        heapq.heappush(self._deadlines, (lease.deadline_s, lease.id))

    def host(self, lease: Lease) -> HostQueue:
        return self._held[lease.id][1]

    def leave_wire(self, lease: Lease) -> bool:
        """Notes that the request is over. Returns False if it was over before, or if the lease is not held."""
        if lease not in self or lease.id not in self._on_wire:
            return False
        del self._on_wire[lease.id]
        return True

    def end(self, lease: Lease) -> None:
        del self._held[lease.id]
        self._on_wire.pop(lease.id, None)

    def expired(self, now_s: float) -> Iterator[Lease]:
        """Yields the leases that have not ended by their deadline, which the caller ends."""
        while self._deadlines and self._deadlines[0][0] <= now_s:
            deadline_s, link = heapq.heappop(self._deadlines)
            lease = self._held[link][0] if link in self._held else None
            if lease and lease.deadline_s == deadline_s:
                yield lease
