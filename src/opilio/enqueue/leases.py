"""The leases that are out, and those of them whose request is under way.

Rule: a lease is known by its object: one that has expired, and whose link was leased again, is no longer held.
"""

import heapq
from collections import Counter
from collections.abc import Iterator
from typing import Final

from opilio.core.items import Lease
from opilio.core.url import registered_domain

from .hosts import HostQueue

_OLD_S: Final = 1.0  # a request that takes longer is likely to take long


class Leases:
    def __init__(self) -> None:
        self._held: dict[int, tuple[Lease, HostQueue]] = {}  # by link
        self._on_wire: set[int] = set()  # links whose request is not over
        self.doubtful = 0  # those of hosts that are not proven
        self._doubtful_since: dict[int, float] = {}  # those of them on the wire, the first one first
        self._doubtful_domains: Counter[str] = Counter()
        self._deadlines: list[tuple[float, int]] = []

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, lease: Lease) -> bool:
        held = self._held.get(lease.id)
        return held is not None and held[0] is lease

    @property
    def on_wire(self) -> int:
        return len(self._on_wire)

    @property
    def proven_on_wire(self) -> int:
        """Returns the number of leases of proven hosts whose request is not over."""
        return len(self._on_wire) - len(self._doubtful_since)

    def add(self, lease: Lease, queue: HostQueue, now_s: float) -> None:
        self._held[lease.id] = (lease, queue)
        self._on_wire.add(lease.id)
        if not lease.proven:
            self.doubtful += 1
            self._doubtful_since[lease.id] = now_s
            self._doubtful_domains[registered_domain(lease.host)] += 1
        heapq.heappush(self._deadlines, (lease.deadline_s, lease.id))

    def young(self, now_s: float) -> int:
        """Returns how many leases of hosts that are not proven have their answer, or may well get it soon."""
        old = 0
        for since_s in self._doubtful_since.values():
            if since_s > now_s - _OLD_S:
                break
            old += 1
        return self.doubtful - old

    def crowded(self, most: int) -> set[str]:
        """Returns the registered domains whose hosts in doubt have as many leases as this."""
        return {domain for domain, count in self._doubtful_domains.items() if count >= most}

    def host(self, lease: Lease) -> HostQueue:
        return self._held[lease.id][1]

    def has_due(self, queue: HostQueue) -> bool:
        """Returns whether a page of the host that was fetched before is being visited again, which may need several requests.
        Looks at every lease."""
        return any(lease.again and host is queue for lease, host in self._held.values())

    def leave_wire(self, lease: Lease) -> bool:
        """Notes that the request is over. Returns False if it was over before, or if the lease is not held."""
        if lease not in self or lease.id not in self._on_wire:
            return False
        self._on_wire.remove(lease.id)
        self._doubtful_since.pop(lease.id, None)
        return True

    def end(self, lease: Lease) -> None:
        self.leave_wire(lease)
        if not lease.proven:
            self.doubtful -= 1
            self._doubtful_domains[domain := registered_domain(lease.host)] -= 1
            if not self._doubtful_domains[domain]:
                del self._doubtful_domains[domain]
        del self._held[lease.id]

    def expired(self, now_s: float) -> Iterator[Lease]:
        """Yields the leases that have not ended by their deadline, which the caller ends."""
        while self._deadlines and self._deadlines[0][0] <= now_s:
            deadline_s, link = heapq.heappop(self._deadlines)
            lease = self._held[link][0] if link in self._held else None
            if lease and lease.deadline_s == deadline_s:
                yield lease
