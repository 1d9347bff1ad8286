"""A web that is being served, by a thread of its own, until it is closed."""

import asyncio
import contextlib
import signal
import ssl
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Event, Thread
from typing import Any, Self

from opilio.core.errors import ConfigError
from opilio.fetch.recorded import RecordedWeb

from .server import Server


class Served:
    """`with` closes it. All its addresses, of whatever host, are answered at `url`."""

    def __init__(self, paths: Sequence[Path], port: int = 0, certificate: Path | None = None) -> None:
        for path in paths:
            if not path.is_file():
                raise ConfigError(f"{path} is not a file. A web to serve is one or more WARC files.")
        self._web = RecordedWeb(paths)
        if not len(self._web):
            raise ConfigError(f"{', '.join(map(str, paths))}: no response records, so there is nothing to serve.")
        self._server = Server(self._web, _context(certificate) if certificate else None)
        self._asked = port
        self._started: Future[None] = Future()
        self._ending = Event()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = Thread(target=self._loop.run_until_complete, args=(self._run(),), daemon=True)
        self._thread.start()
        try:
            self._started.result()
        except ConfigError:
            self.close()
            raise

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.port}"

    @property
    def port(self) -> int:
        return self._server.port

    @property
    def addresses(self) -> int:
        """Returns how many addresses the web has."""
        return len(self._web)

    @property
    def hosts(self) -> int:
        return len({url.split("/", 3)[2] for url in self._web.urls()})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def wait(self, ready: Callable[[], None] = lambda: None) -> None:
        """Calls `ready`, and waits for Ctrl-C or SIGTERM, which may come at once. Only the main thread can."""

        def end(*_signal: Any) -> None:
            self._ending.set()

        before = {name: signal.signal(name, end) for name in (signal.SIGINT, signal.SIGTERM)}
        try:
            ready()
            self._ending.wait()
        finally:
            for name, handler in before.items():
                signal.signal(name, handler)

    def close(self) -> None:
        if self._loop.is_closed():
            return
        with contextlib.suppress(RuntimeError):  # the loop has just ended
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()

    async def _run(self) -> None:
        try:
            server = await self._server.start(self._asked)
        except (OSError, OverflowError) as error:
            cause = getattr(error, "strerror", None) or str(error).rstrip(".")
            self._started.set_exception(
                ConfigError(f"port {self._asked} of 127.0.0.1 cannot be used: {cause}. Choose another --port.")
            )
            return
        self._started.set_result(None)
        await self._stop.wait()
        server.close()
        self._server.drop_clients()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)  # a client that failed must not keep the web open
        await self._web.close()


def _context(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate)
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(
            f"{certificate} is not a certificate with its key in one PEM file: {error.strerror or error}."
        ) from error
    return context
