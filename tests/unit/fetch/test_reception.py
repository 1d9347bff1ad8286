"""Bodies that are received at the same time are bounded together: long ones wait, short ones and the first one never do."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from opilio.fetch.reception import Reception


def _waits(act: Coroutine[Any, Any, bool]) -> bool:
    async def look() -> bool:
        try:
            return await asyncio.wait_for(act, 0.02)
        except TimeoutError:
            return True

    return asyncio.run(look())


def test_long_bodies_wait_while_all_together_are_too_long() -> None:
    reception = Reception(1_000)
    assert not _waits(reception.take("first", 500))
    assert not _waits(reception.take("second", 400))
    assert _waits(reception.take("second", 600))
    assert not _waits(reception.take("first", 5_000))  # there is always one that goes on
    assert not _waits(reception.take("short", 100))
    reception.end("first")
    assert not _waits(reception.take("second", 700))


def test_bodies_of_one_length_do_not_let_each_other_grow() -> None:
    """A share of what they take, instead of what they may take, would grow with them."""

    async def receive() -> int:
        reception, sizes = Reception(10_000), dict.fromkeys(range(20), 0)

        async def grow(body: int) -> None:
            while True:
                sizes[body] += 100
                await reception.take(body, sizes[body])
                await asyncio.sleep(0)

        tasks = [asyncio.create_task(grow(body)) for body in list(sizes)[1:]]
        sizes[0] = 1
        await reception.take(0, 1)
        await asyncio.sleep(0.2)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return sum(sorted(sizes.values())[:-1])  # all but the one that goes on

    assert asyncio.run(receive()) <= 15_000


def test_a_body_goes_on_when_another_has_ended() -> None:
    async def receive() -> bool:
        reception = Reception(1_000)
        await reception.take("first", 900)
        second = asyncio.create_task(reception.take("second", 950))
        await asyncio.sleep(0.05)
        assert not second.done()
        reception.end("first")
        return await asyncio.wait_for(second, 5)

    assert asyncio.run(receive())  # it is told that it has waited, since that is no fault of its host


def test_what_has_ended_leaves_nothing_behind() -> None:
    reception = Reception(10)
    for number in range(100):
        assert not _waits(reception.take(number, 1_000))
        reception.end(number)
        reception.end(number)
    assert not _waits(reception.take("last", 5))
