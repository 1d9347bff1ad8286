"""A crawl in the foreground: signals, progress and all. What the command line runs."""

import asyncio
import contextlib
import signal
from collections.abc import Iterator
from urllib.parse import urlsplit

from rich.console import Console

from opilio.core.errors import ConfigError
from opilio.core.items import Seed
from opilio.engine import Crawl
from opilio.engine.build import Blueprint, build_crawl
from opilio.fetch.recorded import RecordedWeb
from opilio.report.live import Progress

from .api import loop_factory, stream_crawl


def run_crawl(plan: Blueprint, seeds: list[Seed] | None, *, quiet: bool = False) -> str:
    """Crawls to the end or to Ctrl-C; why it stopped. Without seeds: every page of the recorded web is one."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(_run(plan, seeds, quiet=quiet))


async def _run(plan: Blueprint, seeds: list[Seed] | None, *, quiet: bool) -> str:
    crawl = build_crawl(plan)
    console = Console(stderr=True, quiet=quiet)
    for warning in crawl.warnings:
        console.print(f"Warning: {warning}", markup=False, highlight=False)
    pages = crawl.config.stop.pages
    if seeds is None:
        seeds = _every_page(crawl)
        pages = min(pages or len(seeds), len(seeds))
    with _signals(crawl, console), Progress(crawl.status, pages, console) as progress:
        ticker = asyncio.create_task(_tick(progress))
        try:
            async for _ in stream_crawl(crawl, plan.folder, seeds):
                pass
        finally:
            ticker.cancel()
    return crawl.parts.tally.stop_reason


def _every_page(crawl: Crawl) -> list[Seed]:
    """In the order in which they were recorded. A robots.txt is read as such, never as a document."""
    web = crawl.parts.fetcher
    assert isinstance(web, RecordedWeb)
    for links in crawl.parts.frontier.all_open_links():
        missing = [row.url for row, _ in links if not row.hops and row.url not in web]
        if missing:
            raise ConfigError(
                f"the folder has pages queued that these files do not hold, such as {missing[0]}. Name the files of the run "
                "before too, or choose another folder."
            )
    return [Seed(url, "of the recorded web") for url in web.urls() if urlsplit(url).path != "/robots.txt"]


async def _tick(progress: Progress) -> None:
    while True:
        await asyncio.sleep(progress.interval_s)
        progress.tick()


@contextlib.contextmanager
def _signals(crawl: Crawl, console: Console) -> Iterator[None]:
    """The first Ctrl-C stops cleanly, the second at once: nothing committed is lost either way."""
    loop = asyncio.get_running_loop()

    def stop() -> None:
        console.print("Stopping: finishing what is under way (Ctrl-C again stops at once).", highlight=False)
        crawl.stop("stopped by the operator")
        loop.remove_signal_handler(signal.SIGINT)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
