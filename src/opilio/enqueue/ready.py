"""The hosts that may be asked now, in heaps: one for each bucket of the policy and each kind of host. A host stands in each
heap with its best link of that bucket.

Invariant: every READY host that has links in a bucket has the bucket's `shown` in one of its two heaps. Any other entry is
stale, and is thrown away when it comes up, or when a heap that is seldom served has grown too long.
"""

import heapq
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final

from .hosts import HEAD, HostQueue, Status
from .sqlite import SqliteStore

Kinds = Sequence[bool]  # which hosts may be asked: True for proven ones, False for those in doubt
ALL_KINDS: Final = (True, False)
Heap = list[tuple[float, int, int]]  # (minus score, link, host)
_STALE_ENTRIES: Final = 16  # for each host, in a heap, before they are thrown away


class ReadyHosts:
    def __init__(self, hosts: Sequence[HostQueue], store: SqliteStore) -> None:
        self._hosts = hosts  # by number; the schedule adds to them
        self._store = store
        self._heaps: dict[bool, dict[int, Heap]] = {True: {}, False: {}}  # by kind, then by bucket

    def show(self, queue: HostQueue, bucket: int) -> None:
        """Puts the bucket's best link into the heap, unless it is there."""
        entry = queue.buckets[bucket]
        if entry.count and entry.shown != (best := self.best(queue, bucket)):
            entry.shown = best
            heap = self._heaps[queue.proven].setdefault(bucket, [])
            if len(heap) >= _STALE_ENTRIES * len(self._hosts):
                self._clean(heap, bucket)
            heapq.heappush(heap, (*best, queue.id))

    def buckets(self, kinds: Kinds) -> Iterator[int]:
        """Yields the buckets in which a host of these kinds is ready, the best first."""
        of_kinds = [self._heaps[kind] for kind in kinds]
        for bucket in sorted({bucket for heaps in of_kinds for bucket in heaps}):
            if any([self._tidy(heaps[bucket], bucket) for heaps in of_kinds if bucket in heaps]):  # noqa: C419  tidies all
                yield bucket

    def heap(self, bucket: int, kinds: Kinds) -> Heap:
        """Returns the heap whose first link is the best of a bucket that `buckets` has just yielded."""
        heaps = [heap for kind in kinds if (heap := self._heaps[kind].get(bucket))]
        return min(heaps, key=itemgetter(0)) if len(heaps) > 1 else heaps[0]

    def take(self, heap: Heap, bucket: int) -> HostQueue:
        """Takes out the host of the first link."""
        queue = self._hosts[heapq.heappop(heap)[2]]
        queue.buckets[bucket].shown = None
        return queue

    def best(self, queue: HostQueue, bucket: int) -> tuple[float, int]:
        """Returns the best link of a host's bucket that is not empty."""
        entry = queue.buckets[bucket]
        if not entry.head:
            entry.head = self._store.best(queue.id, bucket, HEAD)
        return entry.head[0]

    def _clean(self, heap: Heap, bucket: int) -> None:
        """Removes stale entries from the heap of a bucket that is seldom served."""
        heap[:] = [each for each in heap if (of := self._hosts[each[2]].buckets.get(bucket)) and of.shown == each[:2]]
        heapq.heapify(heap)

    def _tidy(self, heap: Heap, bucket: int) -> bool:
        """Removes stale entries. Returns whether a ready host is now first in this heap of the bucket with its best link."""
        while heap:
            minus_score, link, host = heap[0]
            queue = self._hosts[host]
            entry = queue.buckets.get(bucket)
            if entry is None or entry.shown != (minus_score, link):
                heapq.heappop(heap)
                continue
            if queue.status is Status.READY and entry.head and entry.head[0] == entry.shown:
                return True
            heapq.heappop(heap)
            entry.shown = None
            if queue.status is Status.READY:
                self.show(queue, bucket)
        return False
