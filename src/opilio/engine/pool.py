"""All cores for the work that needs them: worker processes that turn responses into pages.

A worker is a fresh interpreter that gets the settings once and then one task after the other over a socket, as
msgpack. It keeps no state, so when one dies the page it was at ends as `GLEAN_FAILED`, another takes its
place and the crawl goes on. When the owner dies, however suddenly, the socket ends and so do the workers.
"""

import asyncio
import contextlib
import socket
import struct
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import Final, Protocol, cast

import msgspec

from opilio.core.config import Config
from opilio.core.items import Gleaned
from opilio.core.outcome import Drop
from opilio.core.plugin import Context, build_plugin
from opilio.glean import glean

from .work import Gleaner, Task, Workshop

LENGTH: Final = struct.Struct("<I")
_PATIENCE_S: Final = 5.0
_PAGE_S: Final = 120.0  # the largest page that the bounds allow takes a few seconds
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Gleaned).decode


class Setup(msgspec.Struct, frozen=True, tag=True):
    """The first message to a worker, and every other one that is no task: how to work from here on."""

    config: Config
    folder: str | None
    context: bool
    state: bytes | None = None  # of the judge

    def workshop(self, gleaner: Gleaner = glean) -> Workshop:
        folder = Path(self.folder) if self.folder else None
        judge = build_plugin("judge", self.config.judge, Context(self.config, folder, state=self.state))
        return Workshop(self.config, judge, context=self.context, gleaner=gleaner)


class Pool(Protocol):
    async def run(self, task: Task) -> Gleaned: ...

    def renew(self, setup: Setup) -> None:
        """Holds for every task that is handed in afterwards."""
        ...

    async def close(self) -> None: ...


class InlinePool:
    """No pool: the work is done here and now, in order."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def run(self, task: Task) -> Gleaned:
        return self._workshop.supervise(task)

    def renew(self, setup: Setup) -> None:
        self._workshop = setup.workshop(self._workshop.gleaner)

    async def close(self) -> None:
        pass


class ProcessPool:
    """`size` workers, each started when there is a task that no idle one can take."""

    def __init__(self, size: int, setup: Setup) -> None:
        self._setup = _encode(setup)
        self._workers: list[_Worker | None] = [None] * size
        self._start = asyncio.Lock()

    def renew(self, setup: Setup) -> None:
        self._setup = _encode(setup)
        for worker in self._workers:
            if worker is not None and not worker.dead:
                worker.send(self._setup)

    async def run(self, task: Task) -> Gleaned:
        """A page that was waiting behind the one that ended its worker is handed to another."""
        while True:
            worker = await self._least_busy()
            with contextlib.suppress(_WorkerLostError):
                return await worker.run(task)

    async def close(self) -> None:
        for worker in self._workers:
            if worker is not None:
                await worker.close()

    async def _least_busy(self) -> "_Worker":
        async with self._start:
            living = [worker for worker in self._workers if worker is not None and not worker.dead]
            idle = next((worker for worker in living if not worker.waiting), None)
            if idle is not None:
                return idle
            for place, worker in enumerate(self._workers):
                if worker is None or worker.dead:
                    fresh = await _Worker.start(self._setup)
                    self._workers[place] = fresh
                    return fresh
            return min(living, key=lambda worker: worker.waiting)


class _WorkerLostError(Exception):
    """The worker ended before it came to this page."""


class _Worker(asyncio.Protocol):
    """A process and the socket to it. A plain protocol: streams would cost 50 µs more a page."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._answers: deque[asyncio.Future[Gleaned]] = deque()
        self._received = bytearray()
        self._transport: asyncio.WriteTransport | None = None
        self._watch: asyncio.TimerHandle | None = None  # over the page that is being worked on
        self.dead = False

    @classmethod
    async def start(cls, setup: bytes) -> "_Worker":
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "opilio.engine.worker", str(theirs.fileno())]
            process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)  # noqa: S603, ASYNC220
        ours.setblocking(False)
        _, worker = await asyncio.get_running_loop().create_connection(lambda: cls(process), sock=ours)
        worker.send(setup)
        return worker

    @property
    def waiting(self) -> int:
        return len(self._answers)

    async def run(self, task: Task) -> Gleaned:
        answer: asyncio.Future[Gleaned] = asyncio.get_running_loop().create_future()
        self._answers.append(answer)
        self.send(_encode(task))
        if len(self._answers) == 1:
            self._look_after_next()
        return await answer

    async def close(self) -> None:
        """The end of the socket ends the worker; one that is stuck in a page is ended by force."""
        self.dead = True
        self._look_after_next()
        if self._transport is not None:
            self._transport.close()
        await asyncio.to_thread(self._reap)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)

    def data_received(self, data: bytes) -> None:
        """Answers come in the order of the tasks."""
        received = self._received
        received += data
        while len(received) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(received)[0]
            if len(received) < end:
                return
            gleaned = _decode(memoryview(received)[LENGTH.size : end].tobytes())
            del received[:end]
            self._answer(gleaned)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """The worker is gone, and its pages with it; unless we ended it ourselves."""
        if not self.dead:
            self.dead = True
            code = self._reap()
            if self._answers:
                self._answer(Gleaned(Drop.GLEAN_FAILED, f"its worker ended with code {code}"))
            for answer in self._answers:
                if not answer.done():
                    answer.set_exception(_WorkerLostError())
            self._answers.clear()
            self._look_after_next()

    def send(self, message: bytes) -> None:
        if self._transport is not None:
            self._transport.write(LENGTH.pack(len(message)) + message)  # one system call

    def _reap(self) -> int:
        try:
            return self._process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _answer(self, gleaned: Gleaned) -> None:
        answer = self._answers.popleft()
        if not answer.done():
            answer.set_result(gleaned)
        self._look_after_next()

    def _look_after_next(self) -> None:
        """A worker that is stuck in a page or a plug-in is ended; the page with it, the others not."""
        if self._watch is not None:
            self._watch.cancel()
        waits = self._answers and not self.dead
        self._watch = asyncio.get_running_loop().call_later(_PAGE_S, self._process.kill) if waits else None
