"""Somebody who looks on while a crawl runs in the foreground: what they are told, and how they stop it."""

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from opilio.engine.loop import Crawl

Status = Callable[[], dict[str, Any]]


class Watch(Protocol):
    interval_s: float  # between two ticks

    def start(self, status: Status, warnings: Sequence[str], pages: int) -> None:
        """`status` says how the crawl stands whenever it is asked; `pages` is how many it can come to, 0 if nobody knows."""
        ...

    def tick(self) -> None: ...

    def stopping(self) -> None:
        """The operator has asked for a stop, and what is under way is being finished."""
        ...

    def end(self) -> None: ...


class Nobody:
    interval_s = 3600.0

    def start(self, status: Status, warnings: Sequence[str], pages: int) -> None: ...

    def tick(self) -> None: ...

    def stopping(self) -> None: ...

    def end(self) -> None: ...


@contextlib.contextmanager
def heed_signals(crawl: Crawl, watch: Watch) -> Iterator[None]:
    """The first Ctrl-C stops cleanly, the second at once: nothing committed is lost either way. Signals reach only the main
    thread, so a crawl in another one is stopped by its caller."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()

    def stop() -> None:
        watch.stopping()
        crawl.stop("stopped by the operator")
        loop.remove_signal_handler(signal.SIGINT)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
