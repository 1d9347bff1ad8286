"""Time as an argument, so that a day of politeness can pass in a second.

`now()` is seconds since the epoch and never steps back while a process runs: the system's wall clock is read
once and a monotonic clock counts from there, so a corrected wall clock cannot shorten a delay.

Whoever waits for the next thing to do asks the clock (`wait`), and need not know whether its time is simulated.
"""

import asyncio
import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Protocol


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

    def __init__(self, start_s: float = 1_767_225_600.0) -> None:  # 2026-01-01T00:00:00Z
        self._now_s = start_s

    def now(self) -> float:
        return self._now_s

    async def sleep_until(self, when_s: float) -> None:
        self._now_s = max(self._now_s, when_s)
        await asyncio.sleep(0)

    async def wait(self, event: asyncio.Event, until_s: float | None, *, at_most_s: float, working: bool) -> None:  # noqa: ARG002
        if working:
            await asyncio.sleep(0)
        elif until_s is not None:
            await self.sleep_until(until_s)
        else:
            await event.wait()
            event.clear()

    def passed_s(self, since_s: float) -> float:  # noqa: ARG002
        return 0.0


def iso_time(when_s: float) -> str:
    return _iso_second(int(when_s))


@lru_cache(maxsize=64)
def _iso_second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
