"""Time never steps back, and simulated time passes only when somebody sleeps."""

import asyncio
import time

import pytest

from opilio.core.clock import SimulatedClock, SystemClock, iso_time


def test_system_time_is_the_time_of_day_and_never_steps_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SystemClock()
    before = clock.now()
    assert abs(before - time.time()) < 60
    monkeypatch.setattr(time, "time", lambda: 0.0)  # somebody corrects the wall clock
    assert clock.now() >= before


def test_sleeping_until_the_past_returns_at_once() -> None:
    async def sleep() -> None:
        clock = SystemClock()
        await clock.sleep_until(clock.now() - 1000)

    asyncio.run(asyncio.wait_for(sleep(), 5))


def test_a_day_of_simulated_time_passes_at_once_and_only_forward() -> None:
    async def sleep() -> list[float]:
        clock = SimulatedClock(100.0)
        times = [clock.now()]
        for until_s in (86_500.0, 200.0):
            await clock.sleep_until(until_s)
            times.append(clock.now())
        return times

    assert asyncio.run(asyncio.wait_for(sleep(), 5)) == [100.0, 86_500.0, 86_500.0]


def test_times_are_written_in_utc() -> None:
    assert iso_time(0.0) == "1970-01-01T00:00:00Z"
    assert iso_time(SimulatedClock().now()) == "2026-01-01T00:00:00Z"
    assert iso_time(1_767_225_600.99) == "2026-01-01T00:00:00Z"
