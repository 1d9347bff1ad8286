"""Time never steps back, and simulated time passes only when somebody sleeps."""

import asyncio
import time

import pytest

from opilio.core.clock import Clock, ParallelClock, SimulatedClock, SystemClock, iso_time


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


def _wait(
    clock: Clock, until_s: float | None, at_most_s: float = 60.0, *, news: bool = False, working: bool = False
) -> None:
    async def wait() -> None:
        event = asyncio.Event()
        if news:
            event.set()
        await clock.wait(event, until_s, at_most_s=at_most_s, working=working)
        assert not event.is_set()

    asyncio.run(asyncio.wait_for(wait(), 5))


@pytest.mark.parametrize("working", [False, True])
def test_the_system_clock_waits_for_an_event_a_time_or_a_while(working: bool) -> None:
    clock = SystemClock()
    _wait(clock, None, 0.01, working=working)
    _wait(clock, clock.now() + 0.01, working=working)
    _wait(clock, clock.now() - 10.0, working=working)
    _wait(clock, clock.now() + 60.0, news=True, working=working)


def test_simulated_time_jumps_only_while_nothing_is_under_way() -> None:
    clock = SimulatedClock(100.0)
    _wait(clock, 500.0, working=True)
    assert clock.now() == 100.0
    _wait(clock, 500.0)
    assert clock.now() == 500.0
    _wait(clock, None, news=True)
    assert clock.now() == 500.0


def test_several_sleep_at_once_and_wake_in_the_order_of_their_times() -> None:
    clock = ParallelClock(100.0)
    woken: list[tuple[str, float]] = []

    async def sleep(name: str, until_s: float) -> None:
        await clock.sleep_until(until_s)
        woken.append((name, clock.now()))

    async def run() -> None:
        event = asyncio.Event()
        sleepers = [
            asyncio.create_task(sleep(*each)) for each in (("b", 103.0), ("c", 103.0), ("a", 101.0), ("d", 90.0))
        ]
        gone = asyncio.create_task(sleep("cancelled", 102.0))
        await asyncio.sleep(0)
        gone.cancel()
        times = []
        for until_s in (102.5, None, None, None, 107.0):
            await clock.wait(event, until_s, at_most_s=60.0, working=until_s is None)
            times.append(clock.now())
        await asyncio.gather(*sleepers)
        assert times == [100.0, 101.0, 102.0, 103.0, 107.0]

    asyncio.run(asyncio.wait_for(run(), 5))
    assert woken == [("d", 100.0), ("a", 101.0), ("b", 103.0), ("c", 103.0)]


def test_time_does_not_pass_for_sleepers_while_there_is_news() -> None:
    clock = ParallelClock(100.0)

    async def run() -> None:
        event = asyncio.Event()
        asleep = asyncio.create_task(clock.sleep_until(200.0))
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_soon(event.set)
        await clock.wait(event, 150.0, at_most_s=60.0, working=True)
        assert (clock.now(), event.is_set()) == (100.0, False)
        asleep.cancel()

    asyncio.run(asyncio.wait_for(run(), 5))


def test_only_real_time_really_passes() -> None:
    system, simulated = SystemClock(), SimulatedClock(100.0)
    assert system.passed_s(system.now() - 5.0) >= 5.0
    asyncio.run(simulated.sleep_until(500.0))
    assert simulated.passed_s(100.0) == 0.0


def test_times_are_written_in_utc() -> None:
    assert iso_time(0.0) == "1970-01-01T00:00:00Z"
    assert iso_time(SimulatedClock().now()) == "2026-01-01T00:00:00Z"
    assert iso_time(1_767_225_600.99) == "2026-01-01T00:00:00Z"
