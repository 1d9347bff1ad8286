"""The links that a patient policy waits for: those of hosts that are asked or cool, but do not rest.

Invariant: the count of a bucket is the number of queued links of all hosts that do not rest.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from .hosts import HostQueue, Status
from .policy import Patience, Policy
from .ready import ReadyHosts

_STATUSES: Final = (Status.BUSY, Status.COOLING, Status.PARKED)


class Awaited:
    def __init__(self, hosts: Sequence[HostQueue], ready: ReadyHosts) -> None:
        self._hosts = hosts  # the first is nobody's
        self._ready = ready
        self._links: Counter[int] = Counter()  # by bucket

    def count(self, queue: HostQueue, bucket: int, links: int) -> None:
        """Notes that the host has this many more links in the bucket, or fewer."""
        if not queue.resting:
            self._links[bucket] += links

    def rest(self, queue: HostQueue, *, resting: bool) -> None:
        """Notes whether the host rests from now on: nobody waits for one that does."""
        if queue.resting is not resting:
            queue.resting = resting
            for bucket, entry in queue.buckets.items():
                self._links[bucket] += -entry.count if resting else entry.count

    def has_better(self, policy: Policy, bucket: int, first: tuple[float, int]) -> bool:
        """Returns whether a host that is asked or cools has something better than this first link of the bucket."""
        if policy.patience is Patience.NONE:
            return False
        if any(self._links[better] for better in policy.awaited(bucket, len(self._hosts) - 1)):
            return True
        if policy.patience is Patience.BUCKET:
            return False
        hosts = [
            host for host in self._hosts if host.status in _STATUSES and not host.resting and bucket in host.buckets
        ]
        return any(self._ready.best(host, bucket) < first for host in hosts if host.buckets[bucket].count)
