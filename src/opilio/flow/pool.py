"""All cores for the work that needs them: worker processes that turn responses into pages.

A worker is a fresh interpreter that gets the settings once and then one task after the other over a socket, as
msgpack. It keeps no state, so when one dies its pages end as `GLEAN_FAILED`, another takes its
place and the crawl goes on. When the owner dies, however suddenly, the socket ends and so do the workers.
"""

import asyncio
import socket
import struct
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import Final, Protocol

import msgspec

from opilio.core.config import Config
from opilio.core.items import Gleaned
from opilio.core.outcome import Drop

from .work import Task, Workshop

LENGTH: Final = struct.Struct("<I")
_PATIENCE_S: Final = 5.0
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Gleaned).decode


class Pool(Protocol):
    async def run(self, task: Task) -> Gleaned: ...

    async def close(self) -> None: ...


class InlinePool:
    """No pool: the work is done here and now, in order."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def run(self, task: Task) -> Gleaned:
        return self._workshop.supervise(task)

    async def close(self) -> None:
        pass


class Setup(msgspec.Struct, frozen=True):
    """The first message to a worker."""

    config: Config
    folder: str | None


class ProcessPool:
    """`size` workers, each started when there is a task that no idle one can take."""

    def __init__(self, size: int, config: Config, folder: Path | None) -> None:
        self._setup = _encode(Setup(config, str(folder) if folder else None))
        self._workers: list[_Worker | None] = [None] * size
        self._start = asyncio.Lock()

    async def run(self, task: Task) -> Gleaned:
        worker = await self._least_busy()
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


class _Worker:
    def __init__(
        self, process: subprocess.Popen[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer
        self._answers: deque[asyncio.Future[Gleaned]] = deque()
        self._listener = asyncio.create_task(self._listen())
        self.dead = False

    @classmethod
    async def start(cls, setup: bytes) -> "_Worker":
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "opilio.flow.worker", str(theirs.fileno())]
            process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)  # noqa: S603, ASYNC220
        reader, writer = await asyncio.open_connection(sock=ours, limit=2**20)
        writer.write(LENGTH.pack(len(setup)) + setup)
        return cls(process, reader, writer)

    @property
    def waiting(self) -> int:
        return len(self._answers)

    async def run(self, task: Task) -> Gleaned:
        answer: asyncio.Future[Gleaned] = asyncio.get_running_loop().create_future()
        message = _encode(task)
        self._answers.append(answer)
        self._writer.write(LENGTH.pack(len(message)) + message)  # one system call
        return await answer

    async def close(self) -> None:
        """The end of the socket ends the worker; one that is stuck in a page is ended by force."""
        self._writer.close()
        self._listener.cancel()
        try:
            await asyncio.to_thread(self._process.wait, _PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    async def _listen(self) -> None:
        """Answers come in the order of the tasks."""
        try:
            while True:
                (length,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
                gleaned = _decode(await self._reader.readexactly(length))
                answer = self._answers.popleft()
                if not answer.done():
                    answer.set_result(gleaned)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.dead = True
            self._writer.close()
            code = await asyncio.to_thread(self._process.wait)
            for answer in self._answers:
                if not answer.done():
                    answer.set_result(Gleaned(Drop.GLEAN_FAILED, f"its worker ended with code {code}"))
            self._answers.clear()
