"""The lanes of the addresses, and which of the hosts that are parked at one compete for its next turn.

Rule: when a lane is let go, the best of its parked hosts, `_ROUSED` at most, cool until it may be used. Rousing all of them
each time would cost the more, the more names somebody gives to one address.
"""

import heapq
from collections.abc import Sequence
from typing import Final

from .cooling import Cooling
from .hosts import HostQueue, Lane, Status

_ROUSED: Final = 64  # hosts of an address that compete for its next turn


class Lanes:
    def __init__(self, hosts: Sequence[HostQueue], cooling: Cooling) -> None:
        self._hosts = hosts  # by number; the schedule adds to them
        self._cooling = cooling
        self._lanes: dict[str, Lane] = {}

    def at(self, address: str) -> Lane:
        return self._lanes.setdefault(address, Lane())

    def may_use(self, queue: HostQueue, rank: tuple[int, float, int], now_s: float) -> bool:
        """Returns whether a ready host may use its lane now. If not, it is parked there, or cools until the lane may be
        used."""
        if queue.lane.busy:
            queue.status = Status.PARKED
            heapq.heappush(queue.lane.parked, (*rank, queue.id))
        elif queue.lane.ready_s > now_s:
            self._cooling.add(queue, queue.lane.ready_s)
        return queue.status is Status.READY

    def let_go(self, lane: Lane, ready_s: float, delay_s: float) -> None:
        """Ends a lane's request; the best of the hosts that are parked there compete for the next turn."""
        lane.busy = False
        lane.ready_s = max(lane.ready_s, ready_s)
        self._rouse(lane, delay_s)

    def leave(self, queue: HostQueue, delay_s: float) -> None:
        """Notes that a host does not want its turn any more."""
        if queue.lane.parked and not queue.lane.busy:
            self._rouse(queue.lane, delay_s)

    def _rouse(self, lane: Lane, delay_s: float) -> None:
        """Lets some of the hosts that are parked at a free lane cool until it may be used. The last of them cools for a delay
        longer: if the lane is still free when it wakes, more are roused."""
        roused = 0
        while lane.parked and roused < _ROUSED:
            queue = self._hosts[heapq.heappop(lane.parked)[-1]]
            if queue.status is Status.PARKED:
                roused += queue.ready_s <= lane.ready_s
                later_s = delay_s if roused == _ROUSED else 0.0
                self._cooling.add(queue, max(lane.ready_s + later_s, queue.ready_s))
