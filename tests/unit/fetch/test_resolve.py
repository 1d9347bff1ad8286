"""The resolver: overrides, guard, cache, and what a failing name service becomes."""

import asyncio
import socket
import threading
from collections.abc import Sequence

import pytest

from opilio.core.clock import SimulatedClock
from opilio.core.outcome import Outcome
from opilio.fetch import Resolver, resolve
from opilio.fetch.resolve import Answer


class NameService:
    """Answers from a table and counts how often it was asked."""

    def __init__(self, **answers: Sequence[str] | Exception) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def lookup(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        answer = self.answers[host]
        if isinstance(answer, Exception):
            raise answer
        return answer


def _resolve(resolver: Resolver, *hosts: str) -> list[Answer]:
    async def ask() -> list[Answer]:
        return [await resolver.resolve(host) for host in hosts]

    try:
        return asyncio.run(ask())
    finally:
        resolver.close()


def test_literals_are_judged_and_not_looked_up() -> None:
    service = NameService()
    resolver = Resolver({}, True, SimulatedClock(), lookup=service.lookup)
    answers = _resolve(resolver, "8.8.8.8", "[2606:4700::1111]", "127.0.0.1", "[::1]")
    assert answers == [("8.8.8.8",), ("2606:4700::1111",), Outcome.ADDRESS_REFUSED, Outcome.ADDRESS_REFUSED]
    assert service.asked == []


def test_without_the_guard_any_literal_will_do() -> None:
    assert _resolve(Resolver({}, False, SimulatedClock()), "127.0.0.1", "[::1]") == [("127.0.0.1",), ("::1",)]


def test_overrides_win_and_are_guarded() -> None:
    service = NameService()
    hosts = {"a": "127.0.0.1", "b": "[::1]", "c": "8.8.8.8"}
    refused = Outcome.ADDRESS_REFUSED
    guarded = Resolver(hosts, True, SimulatedClock(), lookup=service.lookup)
    assert _resolve(guarded, "a", "b", "c") == [refused, refused, ("8.8.8.8",)]
    free = Resolver(hosts, False, SimulatedClock(), lookup=service.lookup)
    assert _resolve(free, "a", "b", "c") == [("127.0.0.1",), ("::1",), ("8.8.8.8",)]


def test_one_private_answer_refuses_the_host() -> None:
    service = NameService(mixed=["8.8.8.8", "10.0.0.1"], mapped=["::ffff:8.8.8.8"], good=["8.8.8.8", "2606:4700::1"])
    resolver = Resolver({}, True, SimulatedClock(), lookup=service.lookup)
    assert _resolve(resolver, "mixed", "mapped", "good") == [
        Outcome.ADDRESS_REFUSED,
        Outcome.ADDRESS_REFUSED,
        ("8.8.8.8", "2606:4700::1"),
    ]


def test_a_host_with_several_addresses_stays_on_one() -> None:
    first = Resolver(
        {}, True, SimulatedClock(), lookup=NameService(h=["2606::1", "9.9.9.9", "8.8.8.8", "9.9.9.9"]).lookup
    )
    second = Resolver({}, True, SimulatedClock(), lookup=NameService(h=["9.9.9.9", "8.8.8.8", "2606::1"]).lookup)
    assert _resolve(first, "h") == _resolve(second, "h") == [("8.8.8.8", "9.9.9.9", "2606::1")]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (socket.gaierror(socket.EAI_NONAME, "x"), Outcome.DNS_NOT_FOUND),
        (socket.gaierror(socket.EAI_AGAIN, "x"), Outcome.DNS_ERROR),
        (socket.gaierror(socket.EAI_FAIL, "x"), Outcome.DNS_ERROR),
        (OSError("x"), Outcome.DNS_ERROR),
        (UnicodeError("x"), Outcome.DNS_ERROR),
        (TimeoutError(), Outcome.DNS_TIMEOUT),
    ],
)
def test_failures_of_the_name_service_are_outcomes(error: Exception, expected: Outcome) -> None:
    assert _resolve(Resolver({}, True, SimulatedClock(), lookup=NameService(h=error).lookup), "h") == [expected]


def test_no_answer_is_not_found() -> None:
    assert _resolve(Resolver({}, True, SimulatedClock(), lookup=NameService(h=[]).lookup), "h") == [
        Outcome.DNS_NOT_FOUND
    ]


def test_a_lookup_without_end_times_out() -> None:
    async def never(host: str) -> Sequence[str]:
        await asyncio.sleep(3600)
        return []

    assert _resolve(Resolver({}, True, SimulatedClock(), timeout_s=0.01, lookup=never), "h") == [Outcome.DNS_TIMEOUT]


def test_answers_are_kept_for_their_time_and_failures_for_less() -> None:
    clock = SimulatedClock()
    service = NameService(good=["8.8.8.8"], bad=[])
    resolver = Resolver({}, True, clock, ttl_s=300, failure_ttl_s=30, lookup=service.lookup)

    async def ask() -> None:
        for _ in range(3):
            await resolver.resolve("good")
            await resolver.resolve("bad")
        assert service.asked == ["good", "bad"]
        await clock.sleep_until(clock.now() + 31)
        await resolver.resolve("good")
        await resolver.resolve("bad")
        assert service.asked == ["good", "bad", "bad"]
        await clock.sleep_until(clock.now() + 300)
        await resolver.resolve("good")
        assert service.asked == ["good", "bad", "bad", "good"]

    asyncio.run(ask())
    resolver.close()


def test_the_cache_forgets_what_was_not_asked_for_longest() -> None:
    service = NameService(a=["8.8.8.8"], b=["8.8.8.8"], c=["8.8.8.8"])
    _resolve(Resolver({}, True, SimulatedClock(), capacity=2, lookup=service.lookup), "a", "b", "a", "c", "a", "b")
    assert service.asked == ["a", "b", "c", "b"]


def test_the_system_is_asked_for_names() -> None:
    answers = _resolve(Resolver({}, True, SimulatedClock()), "localhost")
    assert answers == [Outcome.ADDRESS_REFUSED]


def test_a_name_that_cannot_exist_is_a_failure_of_the_name_service() -> None:
    [answer] = _resolve(Resolver({}, True, SimulatedClock()), f"{'a' * 300}.invalid")
    assert answer in {Outcome.DNS_NOT_FOUND, Outcome.DNS_ERROR}


def test_a_known_host_keeps_its_address_while_the_name_service_is_silent() -> None:
    service, clock = NameService(a=["9.9.9.9"]), SimulatedClock()
    resolver = Resolver({}, True, clock, ttl_s=300.0, lookup=service.lookup)

    async def ask() -> list[Answer]:
        first = await resolver.resolve("a")
        service.answers["a"] = TimeoutError()
        await clock.sleep_until(clock.now() + 301.0)
        return [first, await resolver.resolve("a")]

    assert asyncio.run(ask()) == [("9.9.9.9",), ("9.9.9.9",)]
    assert service.asked == ["a", "a"]
    resolver.close()


def test_names_that_are_never_answered_hold_up_no_known_host(monkeypatch: pytest.MonkeyPatch) -> None:
    never = threading.Event()

    def addresses(host: str) -> Sequence[str]:
        if host != "known":
            never.wait()
        return ["9.9.9.9"]

    monkeypatch.setattr(resolve, "_addresses", addresses)
    clock = SimulatedClock()

    async def ask() -> Answer:
        resolver = Resolver({}, True, clock, timeout_s=5.0, threads=2)
        await resolver.resolve("known")
        await clock.sleep_until(clock.now() + 301.0)
        silent = [asyncio.create_task(resolver.resolve(f"n{number}")) for number in range(20)]
        await asyncio.sleep(0.05)
        async with asyncio.timeout(2.0):
            answer = await resolver.resolve("known")
        never.set()
        await asyncio.gather(*silent)
        resolver.close()
        return answer

    assert asyncio.run(ask()) == ("9.9.9.9",)
