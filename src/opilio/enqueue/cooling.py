"""The hosts that cool until they may be asked again.

Invariant: every host whose status is COOLING has an entry in the heap. Entries of other hosts are stale, and are thrown away
when they come up.
"""

import heapq
from collections.abc import Iterator, Sequence

from .hosts import HostQueue, Status


class Cooling:
    def __init__(self, hosts: Sequence[HostQueue]) -> None:
        self._hosts = hosts  # by number; the schedule adds to them
        self._heap: list[tuple[float, int]] = []  # (when, host)

    def add(self, queue: HostQueue, until_s: float) -> None:
        queue.status = Status.COOLING
        heapq.heappush(self._heap, (until_s, queue.id))

    def next_s(self) -> float | None:
        """Returns when the first host has cooled, or None if none is cooling."""
        while self._heap and self._hosts[self._heap[0][1]].status is not Status.COOLING:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def cooled(self, now_s: float) -> Iterator[HostQueue]:
        """Takes out the hosts that have cooled by now, which are IDLE from here on."""
        while self._heap and self._heap[0][0] <= now_s:
            queue = self._hosts[heapq.heappop(self._heap)[1]]
            if queue.status is Status.COOLING:
                queue.status = Status.IDLE
                yield queue
