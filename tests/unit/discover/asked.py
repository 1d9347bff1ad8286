"""A source at work over real HTTP on loopback, through the asker of a real scout. Only the time of its pauses is simulated."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from aiohttp import web

from opilio.core.clock import SimulatedClock, SystemClock
from opilio.core.config import load_config
from opilio.discover import BudgetSpent, Find, Source, SourceError
from opilio.engine.asking import Asker, Spending
from opilio.fetch import ROBOTS_SCHEMA, HttpFetcher, Resolver, RobotsCache

Query = Mapping[str, str]
Reply = str | bytes | web.Response
Answer = Reply | Callable[[Query], Reply]


class Ran(NamedTuple):
    finds: list[Find]
    batches: int
    memory: dict[str, bytes]  # as it was committed with the last batch
    asked: list[tuple[float, str]]  # when, in simulated time, and what: path and query
    error: str
    over: bool  # the budget is spent
    port: int

    @property
    def urls(self) -> list[str]:
        return [find.url for find in self.finds]

    @property
    def paths(self) -> list[str]:
        return [urlsplit(target).path for _, target in self.asked]


def run(
    make: Callable[[str], Source],
    answers: Mapping[str, Answer] | None = None,
    *,
    memory: Mapping[str, bytes] | None = None,
    kill_after: int = 0,
    budget: int = 0,
    settings: tuple[str, ...] = (),
    port: int = 0,
) -> Ran:
    """Runs the source that is made for an origin on loopback, whose paths have these answers: all of it, or up to a batch."""
    return asyncio.run(_run(make, answers or {}, dict(memory or {}), kill_after, budget, settings, port))


async def _run(
    make: Callable[[str], Source],
    answers: Mapping[str, Answer],
    memory: dict[str, bytes],
    kill_after: int,
    budget: int,
    settings: tuple[str, ...],
    port: int,
) -> Ran:
    clock, asked = SimulatedClock(), list[tuple[float, str]]()

    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        asked.append((clock.now(), request.path_qs))
        found = answers.get(request.path, web.Response(status=404))
        reply = found(dict(parse_qsl(request.query_string))) if callable(found) else found
        return _sent(reply, request)

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    port = runner.addresses[0][1]
    names = 'fetch.hosts={"one.example" = "127.0.0.1"}'
    config = load_config(settings=["fetch.allow_private_addresses=true", names, *settings])
    connection = sqlite3.connect(":memory:")
    connection.executescript(ROBOTS_SCHEMA)
    resolver = Resolver(config.fetch.hosts, guard=False, clock=SystemClock())
    fetcher = HttpFetcher(resolver, config.limits, SystemClock(), config.user_agent)
    robots = RobotsCache(connection, config.operator.name, trust_s=3600, retry_s=60)
    ask = Asker(config, fetcher, robots, clock, Spending(budget))
    finds, batches, committed, error, over = list[Find](), 0, dict(memory), "", False
    stream = make(f"http://one.example:{port}").finds(ask, memory)
    try:
        async for batch in stream:
            finds += batch
            batches, committed = batches + 1, dict(memory)
            if batches == kill_after:
                break
    except SourceError as caught:
        error = str(caught)
    except BudgetSpent:
        over = True
    finally:
        await stream.aclose()  # type: ignore[attr-defined]
        await fetcher.close()
        await runner.cleanup()
        connection.close()
    return Ran(finds, batches, committed, asked, error, over, port)


def _sent(reply: Reply, request: web.BaseRequest) -> web.StreamResponse:
    """Gives a range of a body where one is asked for, as servers of files do."""
    if isinstance(reply, web.Response):
        return web.Response(body=reply.body, status=reply.status, headers=reply.headers)
    body = reply.encode() if isinstance(reply, str) else reply
    wanted = request.http_range
    if wanted.start is None:
        return web.Response(body=body)
    stop = min(len(body), wanted.stop or len(body))
    fields = {"Content-Range": f"bytes {wanted.start}-{stop - 1}/{len(body)}", "ETag": '"one"'}
    return web.Response(body=body[wanted.start : stop], status=206, headers=fields)
