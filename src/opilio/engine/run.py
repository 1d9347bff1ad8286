"""How code that is not asynchronous runs a crawl: with the event loop that all verbs share."""

import asyncio
from collections.abc import Callable, Sequence

from opilio.core.errors import ConfigError
from opilio.core.items import Gleaned, Seed
from opilio.folder import FolderLock

from .build import Blueprint, build_crawl
from .loop import Crawl


def event_loop() -> asyncio.Runner:
    """Returns a runner with the fastest event loop of this platform. Enter it before anything is written."""
    _refuse_running_loop()
    try:
        import uvloop  # noqa: PLC0415
    except ImportError:  # not made for this platform
        return asyncio.Runner()
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)


def run_crawl(plan: Blueprint, seeds: Sequence[Seed], keep: Callable[[Gleaned], None] = lambda _gleaned: None) -> Crawl:
    """Crawls to the end, without a control channel, and hands each kept page to `keep`. This is for crawls that are part of
    something else, such as an experiment."""

    async def run() -> Crawl:
        crawl = build_crawl(plan)
        async for kept in crawl.stream(seeds):
            for gleaned in kept:
                keep(gleaned)
        return crawl

    with event_loop() as runner, FolderLock(plan.folder):
        return runner.run(run())


def _refuse_running_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise ConfigError("Opilio cannot run inside an event loop, such as a notebook's. Call it from a thread of its own.")
