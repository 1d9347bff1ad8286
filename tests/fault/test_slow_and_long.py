"""Hosts that trickle, hosts that share an address, clocks that were wrong: each has its outcome, and others go on."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from opilio.core.config import load_config
from opilio.core.items import Lease
from opilio.core.limits import Limits
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, parse
from opilio.engine.loop import Crawl
from opilio.engine.visit import Visit
from opilio.enqueue import Frontier, Policy
from opilio.enqueue.hosts import HostQueue
from opilio.fetch import attempt
from opilio.fetch.robots_fetch import fetch_robots
from tests.builders import memory_store
from tests.fault.hostile import hostile_server, sized
from tests.fault.test_fetch_faults import fetcher_for, located, url_of
from tests.unit.enqueue.yard import POLITE, START_S, Yard

_DAYS_S = 2 * 86_400.0


def test_bodies_that_trickle_are_too_slow_and_a_good_host_beside_them_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempt, "_WINDOW_S", 0.2)
    hosts = {f"h{number}.test": "127.0.0.1" for number in range(20)} | {"good.test": "127.0.0.1"}

    async def inside() -> list[Outcome]:
        fetcher = fetcher_for(hosts=hosts, limits=Limits(least_bytes_per_s=1_000.0))
        async with hostile_server() as server:
            urls = [url_of(server, "/good" if host == "good.test" else "/slow_body", host) for host in hosts]
            results = await asyncio.gather(*(located(fetcher, url) for url in urls))
            await fetcher.close()
        return [fetched.outcome for fetched in results]

    assert asyncio.run(inside()) == [Outcome.TOO_SLOW] * 20 + [Outcome.OK]


def room(tasks: int, doubtful: int, *, young: int = 0, recorded: bool = False, doubtful_bytes: int = 0) -> set[bool]:
    settings = ["fetch.connections=4", "crawl.in_flight=4", "crawl.in_flight_bytes=1600"]
    config = load_config(settings=settings)
    crawl: Any = object.__new__(Crawl)
    crawl.config, crawl.paused, crawl._tasks, crawl._is_recorded = config, False, set(range(tasks)), recorded
    leases = SimpleNamespace(
        on_wire=tasks, doubtful=doubtful, proven_on_wire=tasks - doubtful, young=lambda _now_s: young
    )
    frontier = SimpleNamespace(leases=leases, policy=SimpleNamespace(crosses=True))
    crawl.parts = SimpleNamespace(
        frontier=frontier, tally=SimpleNamespace(pages=0), clock=SimpleNamespace(now=lambda: 0.0)
    )
    crawl._visit = SimpleNamespace(held_bytes={True: 0, False: doubtful_bytes})
    return set(crawl._room())


def test_hosts_in_doubt_and_proven_ones_take_no_room_from_each_other() -> None:
    assert room(tasks=3, doubtful=0) == {True, False}
    assert room(tasks=4, doubtful=0) == {False}
    assert room(tasks=4, doubtful=4) == {True}
    assert room(tasks=8, doubtful=4) == set()
    assert room(tasks=1, doubtful=1, doubtful_bytes=101) == {True}


def test_young_leases_of_hosts_in_doubt_and_proven_ones_bound_what_a_kill_costs() -> None:
    assert room(tasks=2, doubtful=2, young=2) == {True}  # half of the pages in flight
    assert room(tasks=4, doubtful=2, young=2) == set()
    assert room(tasks=4, doubtful=0, young=0) == {False}  # one new host is always let in
    assert room(tasks=5, doubtful=1, young=1) == set()
    assert room(tasks=4, doubtful=3, young=1) == {True, False}  # answers that take long do not count


def test_a_recorded_web_has_one_room_for_all() -> None:
    assert room(tasks=3, doubtful=3, recorded=True) == {True, False}
    assert room(tasks=4, doubtful=4, recorded=True) == set()


Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def test_a_robots_txt_over_the_bound_of_bodies_is_read_to_its_own() -> None:
    rules = b"User-agent: *\nDisallow: /private\n" + b"# and so on\n" * 200_000 + b"Disallow: /late\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(sized(rules, "Content-Type: text/plain"))
        writer.close()

    async def permit(_target: Url, _address: str) -> bool:
        return True

    async def inside() -> list[bool]:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        fetcher = fetcher_for(limits=Limits(body_bytes=2**20))
        base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        urls = [parse(base + path) for path in ("/private", "/late", "/")]
        assert isinstance(urls[0], Url)
        found, _ = await fetch_robots(fetcher, urls[0], permit, Limits(body_bytes=2**20), "opilio")
        await fetcher.close()
        server.close()
        return [isinstance(url, Url) and found.allows(url) for url in urls]

    assert asyncio.run(inside()) == [False, True, True]


def test_a_folder_saved_by_a_clock_two_days_ahead_resumes_at_once() -> None:
    yard = Yard(memory_store())
    yard.now_s += _DAYS_S
    yard.put("a.test", 0.5, 0.4)
    yard.end(yard.must_lease())
    yard.frontier.schedule.save()
    frontier = Frontier(yard.store, Policy(), POLITE, Random(7))
    frontier.open(START_S, 2, after_kill=False, saved_s=yard.now_s)
    assert frontier.lease(START_S + POLITE.delay_s) is not None


def test_a_stored_time_that_no_setting_explains_is_not_believed() -> None:
    yard = Yard(memory_store())
    yard.put("a.test", 0.5, 0.4)
    lease = yard.must_lease()
    yard.frontier.release(lease, yard.now_s + _DAYS_S)
    yard.frontier.give_back(lease, yard.now_s)
    yard.frontier.schedule.save()
    frontier = Frontier(yard.store, Policy(), POLITE, Random(7))
    frontier.open(START_S, 2, after_kill=False, saved_s=START_S)
    assert frontier.lease(START_S + POLITE.max_delay_s) is not None


def test_a_host_without_a_lease_waits_for_its_own_delay_and_for_its_address() -> None:
    """Answers as the target of a redirected robots.txt does."""
    schedule = Yard(memory_store()).frontier.schedule
    schedule.host("b.test")
    schedule.raise_crawl_delay("b.test", 30.0)
    assert schedule.hold("10.0.0.1", "b.test", START_S)
    assert not schedule.hold("10.0.0.1", "c.test", START_S)  # the address is in use
    schedule.let_go("10.0.0.1", "b.test", START_S)
    assert not schedule.hold("", "b.test", START_S + 29.0)  # at the caller's own address, too
    assert schedule.hold("10.0.0.1", "c.test", START_S + POLITE.delay_s)
    assert schedule.hold("", "b.test", START_S + 30.0)


def test_a_host_with_a_heavy_page_rests_and_another_is_asked() -> None:
    yard = Yard(memory_store())
    [heavy, _, _] = yard.put("heavy.test", 0.9, 0.8, 0.7)
    [light] = yard.put("light.test", 0.5)
    yard.end(yard.must_lease())
    yard.frontier.schedule.rest("heavy.test", 50.0, yard.now_s)
    began_s = yard.now_s
    assert yard.must_lease().id == light
    assert yard.must_lease().host == "heavy.test"
    assert yard.now_s == began_s + 50.0
    assert heavy == 1


@pytest.mark.parametrize("chars", [254, 10_000])
def test_host_names_that_no_name_server_knows_are_malformed(chars: int) -> None:
    name = ("a" * 49 + ".") * (chars // 50 + 1)
    assert parse(f"http://{name[: chars - 5]}.test/") is Drop.MALFORMED_URL


def test_a_thousand_names_of_one_address_take_turns_and_cost_no_more_each_than_a_hundred(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Best first, none is forgotten, and the end of a request does not wake all who wait."""
    yard = Yard(memory_store())
    cooling, woken = yard.frontier.schedule._cooling, 0
    cool = cooling.add

    def counted(queue: HostQueue, until_s: float) -> None:
        nonlocal woken
        woken += 1
        cool(queue, until_s)

    monkeypatch.setattr(cooling, "add", counted)
    links = [yard.put(f"h{number}.test", 1 - number / 1000)[0] for number in range(1000)]
    asked = []
    while yard.frontier.queued:
        lease = yard.must_lease()
        if yard.frontier.place(lease, "10.0.0.1", yard.now_s):
            while (other := yard.lease()) is not None:  # all others find the address in use
                assert not yard.frontier.place(other, "10.0.0.1", yard.now_s)
            asked.append(lease.id)
            yard.end(lease)
    assert asked == links
    assert woken < 1000 * 140


def test_hosts_that_wait_at_an_address_go_on_when_those_before_them_are_closed() -> None:
    yard = Yard(memory_store())
    links = [yard.put(f"h{number}.test", 1 - number / 1000)[0] for number in range(200)]
    first = yard.must_lease()
    assert yard.frontier.place(first, "10.0.0.1", yard.now_s)
    while (other := yard.lease()) is not None:
        yard.frontier.place(other, "10.0.0.1", yard.now_s)
    yard.end(first)
    for number in range(1, 199):
        yard.frontier.close_host(f"h{number}.test", Drop.HOST_DEAD)
    assert yard.must_lease().id == links[-1]


def test_heavy_pages_of_many_hosts_together_get_a_quarter_of_the_workers() -> None:
    rests: list[float] = []
    visit: Any = object.__new__(Visit)
    visit.config, visit._heavy_until_s = load_config(settings=["crawl.workers=2"]), 0.0
    schedule = SimpleNamespace(rest=lambda _host, pause_s, _now_s: rests.append(pause_s))
    visit._parts = SimpleNamespace(
        clock=SimpleNamespace(now=lambda: START_S),
        frontier=SimpleNamespace(schedule=schedule),
        events=SimpleNamespace(emit=lambda *_event, **_fields: None),
    )
    for _ in range(100):
        visit._rest(Lease(1, "http://a.test/", "a.test", 0, 0, 0, 0, 0.0, 0.0), 1.0)
    assert (rests[0], rests[-1]) == (20.0, 200.0)  # 100 s of pages in 200 s of two workers
