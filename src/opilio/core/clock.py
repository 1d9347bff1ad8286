"""Time as an argument, so that a day of politeness can pass in a second.

`now()` is seconds since the epoch and never steps back while a process runs: the system's wall clock is read
once and a monotonic clock counts from there, so a corrected wall clock cannot shorten a delay.
"""

import asyncio
import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float: ...

    async def sleep_until(self, when_s: float) -> None: ...


class SystemClock:
    def __init__(self) -> None:
        self._offset_s = time.time() - time.monotonic()

    def now(self) -> float:
        return self._offset_s + time.monotonic()

    async def sleep_until(self, when_s: float) -> None:
        await asyncio.sleep(max(0.0, when_s - self.now()))


class SimulatedClock:
    """Jumps to whatever time it is asked to sleep until, without waiting for it."""

    def __init__(self, start_s: float = 1_767_225_600.0) -> None:  # 2026-01-01T00:00:00Z
        self._now_s = start_s

    def now(self) -> float:
        return self._now_s

    async def sleep_until(self, when_s: float) -> None:
        self._now_s = max(self._now_s, when_s)
        await asyncio.sleep(0)


def iso_time(when_s: float) -> str:
    return _iso_second(int(when_s))


@lru_cache(maxsize=64)
def _iso_second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
