"""Time as an argument, so that a day of politeness can pass in a second.

`now()` is seconds since the epoch and never steps back while a process runs: the system's wall clock is read
once and a monotonic clock counts from there, so a corrected wall clock cannot shorten a delay.

Whoever waits for the next thing to do asks the clock (`wait`), and need not know whether its time is simulated.
"""

import asyncio
import heapq
import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final, Protocol

SIMULATED_START_S: Final = 1_767_225_600.0  # 2026-01-01T00:00:00Z


class Clock(Protocol):
    def now(self) -> float: ...

    async def sleep_until(self, when_s: float) -> None: ...

    async def wait(self, event: asyncio.Event, until_s: float | None, *, at_most_s: float, working: bool) -> None:
        """Waits until the event is set, which it clears, or until the time `until_s`; never longer than `at_most_s`
        seconds that really pass. `working`: work is under way whose answers may come before that time."""
        ...

    def passed_s(self, since_s: float) -> float:
        """Returns how many seconds have really passed since that time."""
        ...


class SystemClock:
    def __init__(self) -> None:
        self._offset_s = time.time() - time.monotonic()

    def now(self) -> float:
        return self._offset_s + time.monotonic()

    async def sleep_until(self, when_s: float) -> None:
        await asyncio.sleep(max(0.0, when_s - self.now()))

    async def wait(self, event: asyncio.Event, until_s: float | None, *, at_most_s: float, working: bool) -> None:  # noqa: ARG002
        wait_s = at_most_s if until_s is None else min(at_most_s, until_s - self.now())
        timer = asyncio.get_running_loop().call_later(max(0.0, wait_s), event.set)
        await event.wait()
        timer.cancel()
        event.clear()

    def passed_s(self, since_s: float) -> float:
        return self.now() - since_s


class SimulatedClock:
    """Jumps to whatever time it is asked to wait for; no time really passes.

    While work is under way its time stands still, and others have their turn: simulated answers come at once. So time
    jumps only where nothing else could happen before, and an event is waited for only where there is no time to jump
    to."""

    def __init__(self, start_s: float = SIMULATED_START_S) -> None:
        self._now_s = start_s

    def now(self) -> float:
        return self._now_s

    async def sleep_until(self, when_s: float) -> None:
        self._pass(when_s)
        await asyncio.sleep(0)

    async def wait(self, event: asyncio.Event, until_s: float | None, *, at_most_s: float, working: bool) -> None:  # noqa: ARG002
        if working:
            await asyncio.sleep(0)
        elif until_s is not None:
            self._pass(until_s)
            await asyncio.sleep(0)
        else:
            await event.wait()
            event.clear()

    def passed_s(self, since_s: float) -> float:  # noqa: ARG002
        return 0.0

    def _pass(self, until_s: float) -> None:
        self._now_s = max(self._now_s, until_s)


class ParallelClock(SimulatedClock):
    """Simulated time in which several sleep at once. Time jumps to the earliest moment that anybody waits for, and only when
    everybody has done what can be done before. Whoever sleeps wakes only while somebody else waits (`wait`).

    Invariant: sleepers wake in the order of their times; at the same time, in the order in which they fell asleep."""

    def __init__(self, start_s: float = SIMULATED_START_S) -> None:
        super().__init__(start_s)
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []  # heap of (when, order of falling asleep, …)
        self._slept = 0

    async def sleep_until(self, when_s: float) -> None:
        asleep: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._slept += 1
        heapq.heappush(self._sleepers, (when_s, self._slept, asleep))
        await asleep

    async def wait(self, event: asyncio.Event, until_s: float | None, *, at_most_s: float, working: bool) -> None:
        await asyncio.sleep(0)  # whoever is awake goes on,
        await asyncio.sleep(0)  # and whoever waits for the end of that hears of it
        if event.is_set():
            event.clear()
        elif self._sleepers:
            earliest_s = self._sleepers[0][0]
            self._pass(earliest_s if until_s is None else min(earliest_s, until_s))
        else:
            await super().wait(event, until_s, at_most_s=at_most_s, working=working)

    def _pass(self, until_s: float) -> None:
        super()._pass(until_s)
        while self._sleepers and self._sleepers[0][0] <= self._now_s:
            asleep = heapq.heappop(self._sleepers)[2]
            if not asleep.done():  # it may have been cancelled
                asleep.set_result(None)


def iso_time(when_s: float) -> str:
    return _iso_second(int(when_s))


@lru_cache(maxsize=64)
def _iso_second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
