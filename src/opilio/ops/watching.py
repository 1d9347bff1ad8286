"""What watches a crawl or a scout in the foreground, such as a progress bar; and how Ctrl-C stops them."""

import asyncio
import contextlib
import signal
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final, Protocol

_LAST_LOOK_S: Final = 0.001
Status = Callable[[], dict[str, Any]]


class Watch:
    """Sees nothing. Derive from it, and override what you want to be told."""

    interval_s: float = 3600.0  # between two ticks

    def note(self, notes: Sequence[str]) -> None:
        """Is told, before the start, how the operator was understood, and what changed settings have brought about."""

    def start(self, status: Status, warnings: Sequence[str], pages: int) -> None:
        """Begins to watch. `status` returns how the crawl stands; `pages` is the most that it can fetch, 0 if unknown."""

    def tick(self) -> None:
        """Is called whenever the interval has passed."""

    def stopping(self) -> None:
        """Is called when the operator has asked for a stop. Requests that are under way are still finished."""

    def end(self) -> None:
        """Is called when the crawl has ended, even by an error."""


class Ticking(Protocol):
    interval_s: float

    def tick(self) -> None: ...


async def keep_ticking(watch: Ticking) -> None:
    """Ticks until it is cancelled."""
    while True:
        await asyncio.sleep(watch.interval_s)
        watch.tick()


@contextlib.asynccontextmanager
async def heed_signals(stop_cleanly: Callable[[], None]) -> AsyncIterator[None]:
    """Stops cleanly at the first Ctrl-C and at once at the second. Nothing committed is lost either way. Signals reach only the
    main thread, so what runs in another thread has to be stopped by its caller."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()

    def stop() -> None:
        stop_cleanly()
        loop.remove_signal_handler(signal.SIGINT)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        await asyncio.sleep(_LAST_LOOK_S)  # one that has arrived, and was not told yet, is not lost
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
