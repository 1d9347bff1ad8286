"""Worker processes that turn responses into pages, so that this work uses all cores.

A worker is a child process (`core.child`) that gets the settings once and then one task after the other, as msgpack. It
keeps no state, so when one dies, the page that it was working on ends as `GLEAN_FAILED`, another worker takes its place
and the crawl goes on.

A page that takes long holds up no other: hardly any page waits behind another in one worker, and where all workers are stuck,
one more is started, and the system divides the processors among them.
"""

import asyncio
import contextlib
import math
import signal
from collections import deque
from pathlib import Path
from typing import Final, Protocol, cast

import msgspec

from opilio.core.child import Child, frame, take_messages
from opilio.core.config import Config
from opilio.core.items import Gleaned, Origin
from opilio.core.outcome import Drop
from opilio.core.plugin import Context
from opilio.judge import Judging, build_judge
from opilio.model.compiling import announce

from .work import Order, Workshop

_MODULE: Final = "opilio.engine.worker"
_PATIENCE_S: Final = 5.0
_DEPTH: Final = 2  # pages that a worker has at once, so that it need not wait for the next
_STUCK_S: Final = 1.0  # a page that takes longer is heavy
_PAGE_TIMEOUT_S: Final = 120.0  # the largest page that the bounds allow takes a few seconds
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Gleaned).decode


class Setup(msgspec.Struct, frozen=True, tag=True):
    """The settings to work with from now on: the first message to a worker, and every later one that is not a task."""

    config: Config
    folder: str | None
    context: bool
    state: bytes | None = None  # what the judge has learned
    origin: Origin = Origin()

    def workshop(self) -> Workshop:
        folder = Path(self.folder) if self.folder else None
        judge = build_judge(Context(self.config, folder, state=self.state))
        return Workshop(self.config, judge, context=self.context, origin=self.origin)


class Pool(Protocol):
    async def run(self, task: Order) -> Gleaned: ...

    def renew(self, setup: Setup, judge: Judging) -> None:
        """Uses the new setup for every task that is handed in afterwards. `judge` is the owner's own, in the same state."""
        ...

    async def close(self) -> None: ...


class InlinePool:
    """Does the work in this process, one task after the other."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def run(self, task: Order) -> Gleaned:
        return self._workshop.supervise(task)

    def renew(self, setup: Setup, judge: Judging) -> None:
        """Shares the owner's judge, because a copy would take as long as a new calibration."""
        self._workshop = Workshop(
            setup.config, judge, context=setup.context, gleaner=self._workshop.gleaner, origin=setup.origin
        )

    async def close(self) -> None:
        pass


class ProcessPool:
    """Runs up to `size` workers, and one more once all of them were stuck. One is started when there is a task and no worker is
    idle."""

    def __init__(self, size: int, setup: Setup) -> None:
        self._setup = _encode(setup)
        self._page_cpu_s = setup.config.limits.page_cpu_s
        self._workers: list[_Worker | None] = [None] * size
        self._most = size + 1
        self._turn = asyncio.Lock()  # tasks are handed out in their order
        self._news = asyncio.Event()  # a page is done

    def renew(self, setup: Setup, judge: Judging) -> None:  # noqa: ARG002  (other processes need copies)
        self._setup, self._page_cpu_s = _encode(setup), setup.config.limits.page_cpu_s
        for worker in self._workers:
            if worker is not None and not worker.dead:
                worker.send(self._setup)

    async def run(self, task: Order) -> Gleaned:
        """Hands the task to a worker. If the worker dies of another page before this one, another worker gets it."""
        while True:
            worker = await self._least_busy()
            with contextlib.suppress(_WorkerLostError):
                try:
                    return await worker.run(task)
                finally:
                    self._news.set()

    async def close(self) -> None:
        for worker in self._workers:
            if worker is not None:
                await worker.close()

    async def _least_busy(self) -> "_Worker":
        async with self._turn:
            while True:
                living = [worker for worker in self._workers if worker is not None and not worker.dead]
                best = min((each for each in living if not each.is_stuck), key=lambda each: each.waiting, default=None)
                if best is not None and not best.waiting:
                    return best
                if len(living) < len(self._workers) or (best is None and len(living) < self._most):
                    return await self._begin()
                if best is not None and best.waiting < _DEPTH:
                    return best
                self._news.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_STUCK_S):
                        await self._news.wait()

    async def _begin(self) -> "_Worker":
        """Starts a worker in the place of one that is dead or was never started, or beside all others."""
        fresh = await _Worker.start(self._setup, self._page_cpu_s)
        free = (place for place, worker in enumerate(self._workers) if worker is None or worker.dead)
        if (place := next(free, None)) is None:
            self._workers.append(fresh)
        else:
            self._workers[place] = fresh
        return fresh


class _WorkerLostError(Exception):
    """The worker ended before it got to this page."""


class _Worker(asyncio.Protocol):
    """A child process and the pages that it is working on. It is a plain protocol, since streams would cost 50 µs more a page."""

    def __init__(self, child: Child, page_cpu_s: float) -> None:
        self._child = child
        self._page_cpu_s = page_cpu_s
        self._answers: deque[asyncio.Future[Gleaned]] = deque()
        self._received = bytearray()
        self._transport: asyncio.WriteTransport | None = None
        self._watch: asyncio.TimerHandle | None = None  # for the page that is being worked on
        self._page_since_s = math.inf  # when it was begun; not known of the first, nor while numeric code is compiled
        self._clock = asyncio.get_running_loop().time
        self._is_warm = False  # has done its first page, for which everything is loaded
        self.dead = False

    @classmethod
    async def start(cls, setup: bytes, page_cpu_s: float) -> "_Worker":
        child = Child(_MODULE)
        child.socket.setblocking(False)
        _, worker = await asyncio.get_running_loop().create_connection(
            lambda: cls(child, page_cpu_s), sock=child.socket
        )
        worker.send(setup)
        return worker

    @property
    def waiting(self) -> int:
        return len(self._answers)

    @property
    def is_stuck(self) -> bool:
        return bool(self._answers) and self._clock() - self._page_since_s > _STUCK_S

    async def run(self, task: Order) -> Gleaned:
        answer: asyncio.Future[Gleaned] = asyncio.get_running_loop().create_future()
        self._answers.append(answer)
        self.send(_encode(task))
        if len(self._answers) == 1:
            self._page_since_s = self._clock() if self._is_warm else math.inf
            self._look_after_next()
        return await answer

    async def close(self) -> None:
        """Closes the socket, which ends the worker. One that has a page in work is killed: nobody waits for that page any
        more, and it may take long."""
        self.dead = True
        if self._answers:
            self._child.process.kill()
        self._look_after_next()
        if self._transport is not None:
            self._transport.close()
        await asyncio.to_thread(self._child.reap, _PATIENCE_S)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)

    def data_received(self, data: bytes) -> None:
        """Gives each answer to its task; answers come in the order of the tasks."""
        self._received += data
        for message in take_messages(self._received):
            if message:
                self._is_warm, self._page_since_s = True, self._clock()
                self._answer(_decode(message))
            else:
                self._page_since_s = math.inf
                announce()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Handles the death of a worker that was not closed: its page fails, and those behind it need another worker."""
        if not self.dead:
            self.dead = True
            code = self._child.reap(_PATIENCE_S)
            if self._answers:
                self._answer(_lost(code, self._page_cpu_s))
            for answer in self._answers:
                if not answer.done():
                    answer.set_exception(_WorkerLostError())
            self._answers.clear()
            self._look_after_next()

    def send(self, message: bytes) -> None:
        if self._transport is not None:
            self._transport.write(frame(message))

    def _answer(self, gleaned: Gleaned) -> None:
        answer = self._answers.popleft()
        if not answer.done():
            answer.set_result(gleaned)
        self._look_after_next()

    def _look_after_next(self) -> None:
        """Sets a timer that kills the worker if it gets stuck in a page or a plug-in. Only that page fails then."""
        if self._watch is not None:
            self._watch.cancel()
        waits = self._answers and not self.dead
        self._watch = (
            asyncio.get_running_loop().call_later(_PAGE_TIMEOUT_S, self._child.process.kill) if waits else None
        )


def _lost(code: int, page_cpu_s: float) -> Gleaned:
    """Returns how a page ends whose worker has ended."""
    if code == -signal.SIGPROF:
        detail = f"its page took more than {page_cpu_s:g} s of processor time"
        return Gleaned(Drop.GLEAN_FAILED, detail, held_s=page_cpu_s)
    return Gleaned(Drop.GLEAN_FAILED, f"its worker ended with code {code}")
