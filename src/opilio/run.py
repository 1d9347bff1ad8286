"""A crawl in the foreground: signals, progress and all. What the command line runs."""

import asyncio
import contextlib
import signal
from collections.abc import Iterator

from rich.console import Console

from opilio.api import loop_factory, stream_crawl
from opilio.core.items import Seed
from opilio.flow import Crawl
from opilio.report.live import Progress
from opilio.wiring import Blueprint, build_crawl


def run_crawl(plan: Blueprint, seeds: list[Seed], *, quiet: bool = False) -> str:
    """Crawls to the end or to Ctrl-C; why it stopped."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(_run(plan, seeds, quiet=quiet))


async def _run(plan: Blueprint, seeds: list[Seed], *, quiet: bool) -> str:
    crawl = build_crawl(plan)
    console = Console(stderr=True, quiet=quiet)
    with _signals(crawl, console), Progress(crawl.status, crawl.config.stop.pages, console) as progress:
        ticker = asyncio.create_task(_tick(progress))
        try:
            async for _ in stream_crawl(crawl, plan.folder, seeds):
                pass
        finally:
            ticker.cancel()
    return crawl.parts.tally.stop_reason


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
