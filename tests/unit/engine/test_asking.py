"""Questions of sources over real HTTP on loopback: polite, guarded, within a budget."""

import asyncio
import gzip
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
from aiohttp import web

from opilio.core.clock import SystemClock
from opilio.core.config import load_config
from opilio.core.items import Fetched
from opilio.core.outcome import Outcome
from opilio.discover import BudgetSpent, Question
from opilio.engine.asking import Asker, Spending
from opilio.fetch import ROBOTS_SCHEMA, HttpFetcher, Resolver, RobotsCache

Answer = Callable[[web.BaseRequest], Awaitable[web.Response]]
DELAY_S = 0.05


class Service:
    """A service on loopback that logs what it is asked, and when."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        self.answers = answers
        self.log: list[tuple[float, web.BaseRequest]] = []
        self.origin = ""

    async def answer(self, request: web.BaseRequest) -> web.Response:
        self.log.append((asyncio.get_running_loop().time(), request))
        answer = self.answers.get(request.path)
        return await answer(request) if answer else web.Response(status=404)

    @property
    def paths(self) -> list[str]:
        return [request.path for _, request in self.log]

    @property
    def pauses_s(self) -> list[float]:
        times_s = [when_s for when_s, _ in self.log]
        return [later_s - earlier_s for earlier_s, later_s in pairwise(times_s)]


@asynccontextmanager
async def asking(answers: dict[str, Answer], *settings: str, budget: int = 0) -> AsyncIterator[tuple[Service, Asker]]:
    service = Service(answers)
    runner = web.ServerRunner(web.Server(service.answer))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    service.origin = f"http://one.example:{runner.addresses[0][1]}"
    hosts = ['fetch.hosts={"one.example" = "127.0.0.1", "two.example" = "127.0.0.1"}']
    config = load_config(
        settings=[
            "fetch.allow_private_addresses=true",
            f"fetch.delay_s={DELAY_S}",
            "fetch.backoff_s=0.1",
            *hosts,
            *settings,
        ]
    )
    clock = SystemClock()
    connection = sqlite3.connect(":memory:")
    connection.executescript(ROBOTS_SCHEMA)
    resolver = Resolver(config.fetch.hosts, guard=not config.fetch.allow_private_addresses, clock=clock)
    fetcher = HttpFetcher(resolver, config.limits, clock, config.user_agent)
    robots = RobotsCache(connection, config.operator.name, trust_s=3600, retry_s=60)
    try:
        yield service, Asker(config, fetcher, robots, clock, Spending(budget))
    finally:
        await fetcher.close()
        await runner.cleanup()
        connection.close()


def text(body: str | bytes = "", status: int = 200, **headers: str) -> Answer:
    async def answer(_request: web.BaseRequest) -> web.Response:
        data = body.encode() if isinstance(body, str) else body
        return web.Response(
            body=data, status=status, headers={name.replace("_", "-"): one for name, one in headers.items()}
        )

    return answer


def turns(*answers: Answer) -> Answer:
    waiting = list(answers)

    async def answer(request: web.BaseRequest) -> web.Response:
        return await (waiting.pop(0) if len(waiting) > 1 else waiting[0])(request)

    return answer


def test_an_answer_comes_decoded() -> None:
    async def ask() -> Fetched:
        async with asking({"/": text(gzip.compress(b'{"a": 1}'), Content_Encoding="gzip")}) as (service, asker):
            return await asker(Question(service.origin + "/"))

    fetched = asyncio.run(ask())
    assert (fetched.outcome, fetched.body) == (Outcome.OK, b'{"a": 1}')


def test_two_requests_lie_the_delay_apart_even_when_several_sources_ask() -> None:
    async def ask() -> list[float]:
        async with asking({"/": text("x")}) as (service, asker):
            other = service.origin.replace("one.", "two.")  # another name at the same address
            await asyncio.gather(*(asker(Question(f"{origin}/")) for origin in (service.origin, other) * 3))
            return service.pauses_s

    assert min(asyncio.run(ask())) >= DELAY_S * 0.9


def test_a_refused_request_is_repeated_after_the_time_that_the_service_names() -> None:
    async def ask() -> tuple[Fetched, list[float]]:
        async with asking({"/": turns(text(status=429, Retry_After="1"), text("x"))}) as (service, asker):
            return await asker(Question(service.origin + "/")), service.pauses_s

    fetched, pauses_s = asyncio.run(ask())
    assert fetched.body == b"x"
    assert pauses_s[0] >= 0.95


def test_the_last_request_of_a_limit_is_followed_by_the_pause_that_the_headers_ask_for() -> None:
    async def ask() -> list[float]:
        spent = text("x", X_RateLimit_Remaining="0", X_RateLimit_Reset="0.6")
        async with asking({"/": turns(spent, text("y"))}) as (service, asker):
            for _ in range(2):
                await asker(Question(service.origin + "/"))
            return service.pauses_s

    assert asyncio.run(ask())[0] >= 0.55


def test_the_budget_is_spent_before_a_request_and_never_after_it() -> None:
    async def ask() -> int:
        async with asking({"/": text("x")}, budget=3) as (service, asker):
            for _ in range(3):
                await asker(Question(service.origin + "/"))
            with pytest.raises(BudgetSpent):
                await asker(Question(service.origin + "/"))
            return len(service.log)

    assert asyncio.run(ask()) == 3


def test_robots_has_a_say_where_the_question_lets_it() -> None:
    async def ask() -> tuple[list[Outcome], list[str]]:
        rules = text("User-agent: *\nDisallow: /private\nCrawl-delay: 0.3")
        async with asking({"/robots.txt": rules, "/private": text("x"), "/b": text("x")}) as (service, asker):
            asked = [("/private", True), ("/b", True), ("/private", False)]
            found = [await asker(Question(service.origin + path, robots=robots)) for path, robots in asked]
            return [one.outcome for one in found], service.paths

    outcomes, paths = asyncio.run(ask())
    assert outcomes == [Outcome.ROBOTS_REFUSED, Outcome.OK, Outcome.OK]
    assert paths == ["/robots.txt", "/b", "/private"]


def test_a_token_is_not_sent_to_the_host_that_a_redirect_leads_to() -> None:
    async def ask() -> list[str | None]:
        answers: dict[str, Answer] = {"/end": text("x")}
        async with asking(answers) as (service, asker):
            answers["/start"] = text(status=302, Location=service.origin.replace("one.", "two.") + "/end")
            fetched = await asker(Question(service.origin + "/start", headers=(("Authorization", "secret"),)))
            assert fetched.url.endswith("/end")
            return [request.headers.get("Authorization") for _, request in service.log]

    assert asyncio.run(ask()) == ["secret", None]


def test_head_asks_where_a_url_leads_without_its_body() -> None:
    async def ask() -> tuple[Fetched, list[str]]:
        answers = {"/short": text(status=301, Location="/long"), "/long": text("x" * 1000)}
        async with asking(answers) as (service, asker):
            fetched = await asker(Question(service.origin + "/short", method="HEAD"))
            return fetched, [request.method for _, request in service.log]

    fetched, methods = asyncio.run(ask())
    assert fetched.url.endswith("/long")
    assert (fetched.outcome, fetched.body, methods) == (Outcome.OK, b"", ["HEAD", "HEAD"])


def test_a_private_address_is_not_asked() -> None:
    async def ask() -> tuple[Fetched, int]:
        async with asking({"/": text("x")}, "fetch.allow_private_addresses=false") as (service, asker):
            return await asker(Question(service.origin + "/")), len(service.log)

    fetched, requests = asyncio.run(ask())
    assert (fetched.outcome, requests) == (Outcome.ADDRESS_REFUSED, 0)


def test_a_loop_of_redirects_ends() -> None:
    async def ask() -> tuple[Outcome, int]:
        async with asking({"/": text(status=302, Location="/")}, "fetch.delay_s=0") as (service, asker):
            return (await asker(Question(service.origin + "/"))).outcome, len(service.log)

    assert asyncio.run(ask()) == (Outcome.REDIRECT, load_config().limits.redirects + 1)
