"""The simulated network over real HTTP on loopback, with the headers that a Mastodon server sends.

`serving` runs it in a thread of its own, so that whoever asks may be another process, which can be killed.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from aiohttp import web

from .truc_network import Network

_RATES: Final = {
    "X-RateLimit-Limit": "300",
    "X-RateLimit-Remaining": "299",
    "X-RateLimit-Reset": "2026-01-01T00:05:00Z",
}


class NetworkServer:
    def __init__(self, network: Network) -> None:
        self._network = network
        self.port = 0
        self.asked: list[str] = []  # path and query of every request

    async def answer(self, request: web.BaseRequest) -> web.Response:
        self.asked.append(request.path_qs)
        status, headers, body = self._network.answer(request.path, dict(request.query))
        return web.Response(status=status, headers={**dict(headers), **_RATES}, body=body)


@contextmanager
def serving(network: Network) -> Iterator[NetworkServer]:
    server, loop, ready = NetworkServer(network), asyncio.new_event_loop(), threading.Event()

    async def serve() -> web.ServerRunner:
        runner = web.ServerRunner(web.Server(server.answer))
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        server.port = runner.addresses[0][1]
        return runner

    def work() -> None:
        runner = loop.run_until_complete(serve())
        ready.set()
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
