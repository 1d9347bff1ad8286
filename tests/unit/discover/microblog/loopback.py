"""Microblog services on loopback, asked by the real asker: recorded answers, made ones, and a record of every request."""

import asyncio
import gzip
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web

from opilio.core.clock import SystemClock
from opilio.core.config import Config, load_config
from opilio.core.plugin import Context, build_plugin
from opilio.discover import BudgetSpent, Find, Memory, Source
from opilio.engine.asking import Asker, Spending
from opilio.fetch import ROBOTS_SCHEMA, HttpFetcher, Resolver, RobotsCache

Reply = tuple[int, Mapping[str, str], bytes]  # status, headers, body
Answer = Callable[[str, Mapping[str, str]], Reply]  # of a path and a query
LOOPBACK = ("fetch.allow_private_addresses=true", "fetch.delay_s=0", "fetch.backoff_s=0.1", "fetch.tries=1")


class Served:
    """A service under a name that only the asker knows."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.origin = ""
        self.asked: list[str] = []  # path and query of every request
        self.times_s: list[float] = []
        self.headers: list[Mapping[str, str]] = []

    async def __call__(self, request: web.BaseRequest) -> web.Response:
        self.asked.append(request.path_qs)
        self.times_s.append(asyncio.get_running_loop().time())
        self.headers.append(dict(request.headers))
        status, headers, body = self._answer(request.path, dict(request.query))
        return web.Response(status=status, headers=headers, body=body)


@asynccontextmanager
async def serve(answer: Answer, port: int = 0) -> AsyncIterator[Served]:
    served = Served(answer)
    runner = web.ServerRunner(web.Server(served))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    served.origin = f"http://service.example:{runner.addresses[0][1]}"
    try:
        yield served
    finally:
        await runner.cleanup()


@asynccontextmanager
async def asking(config: Config, budget: int = 0) -> AsyncIterator[Asker]:
    clock = SystemClock()
    connection = sqlite3.connect(":memory:")
    connection.executescript(ROBOTS_SCHEMA)
    resolver = Resolver({"service.example": "127.0.0.1"}, guard=not config.fetch.allow_private_addresses, clock=clock)
    fetcher = HttpFetcher(resolver, config.limits, clock, config.user_agent)
    robots = RobotsCache(connection, config.operator.name, trust_s=3600, retry_s=60)
    try:
        yield Asker(config, fetcher, robots, clock, Spending(budget))
    finally:
        await fetcher.close()
        connection.close()


def built(name: str, settings: Sequence[str], **options: Any) -> tuple[Source, Config]:
    """The source as the engine builds it."""
    config = load_config(settings=[*LOOPBACK, *settings])
    return build_plugin("source", {"name": name, "where": "", **options}, Context(config, None)), config


async def collect(source: Source, config: Config, memory: Memory, budget: int = 0) -> list[Find]:
    """What the source finds until it ends or the budget does."""
    finds: list[Find] = []
    async with asking(config, budget) as ask:
        try:
            async for batch in source.finds(ask, memory):
                finds += batch
        except BudgetSpent:
            pass
    return finds


def json_reply(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    return status, {"Content-Type": "application/json", **(headers or {})}, msgspec.json.encode(body)


def recorded(name: str) -> Any:
    """A file of recorded answers of the real services."""
    path = Path(os.environ.get("OPILIO_DATA") or "nowhere") / "social" / name
    if not path.exists():
        pytest.skip(f"OPILIO_DATA names no folder with social/{name}")
    if path.suffix == ".gz":
        return [msgspec.json.decode(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    return msgspec.json.decode(path.read_bytes())
