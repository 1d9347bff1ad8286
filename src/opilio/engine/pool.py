"""Worker processes that turn responses into pages, so that this work uses all cores.

A worker is a child process (`core.child`) that gets the settings once and then one task after the other, as msgpack. It
keeps no state, so when one dies, the page that it was working on ends as `GLEAN_FAILED`, another worker takes its place
and the crawl goes on.

A page that takes long holds up no other. Pages of proven hosts, which are quickly read, are handed in beside those of hosts in
doubt, and never wait in one worker behind one of these. Where all workers are stuck, one more is started for proven hosts alone,
and the system divides the processors among them.
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
_STUCK_S: Final = 0.5  # a page that takes longer is heavy
_PAGE_TIMEOUT_S: Final = 120.0  # the largest page that the bounds allow takes a few seconds
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Gleaned).decode
READY: Final = _encode(None)  # what a worker says when it has loaded everything


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
    async def run(self, task: Order, *, proven: bool = True) -> Gleaned:
        """Does the task. `proven` says whether pages of its host are known to be read quickly."""
        ...

    def renew(self, setup: Setup, judge: Judging) -> None:
        """Uses the new setup for every task that is handed in afterwards. `judge` is the owner's own, in the same state."""
        ...

    async def close(self) -> None: ...


class InlinePool:
    """Does the work in this process, one task after the other."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def run(self, task: Order, *, proven: bool = True) -> Gleaned:  # noqa: ARG002  (there is no other worker)
        return self._workshop.supervise(task)

    def renew(self, setup: Setup, judge: Judging) -> None:
        """Shares the owner's judge, because a copy would take as long as a new calibration."""
        was_warm, gleaner = self._workshop.is_warm, self._workshop.gleaner
        self._workshop = Workshop(setup.config, judge, context=setup.context, gleaner=gleaner, origin=setup.origin)
        self._workshop.is_warm = was_warm

    async def close(self) -> None:
        pass


class ProcessPool:
    """Runs up to `size` workers, and one more for proven hosts once all of them were stuck. One is started when there is a task
    and no worker is idle."""

    def __init__(self, size: int, setup: Setup) -> None:
        self._setup = _encode(setup)
        self._page_cpu_s = setup.config.limits.page_cpu_s
        self._workers: list[_Worker | None] = [None] * (size + 1)  # the last one is for proven hosts
        self._turns = {
            True: asyncio.Lock(),
            False: asyncio.Lock(),
        }  # tasks of either kind of host are handed out in order
        self._starting = asyncio.Lock()
        self._news = asyncio.Event()  # a page is done

    def renew(self, setup: Setup, judge: Judging) -> None:  # noqa: ARG002  (other processes need copies)
        self._setup, self._page_cpu_s = _encode(setup), setup.config.limits.page_cpu_s
        for worker in self._workers:
            if worker is not None and not worker.dead:
                worker.set_up(self._setup)

    async def run(self, task: Order, *, proven: bool = True) -> Gleaned:
        """Hands the task to a worker. If the worker dies of another page before this one, another worker gets it."""
        while True:
            worker = await self._free(proven=proven)
            with contextlib.suppress(_WorkerLostError):
                try:
                    return await worker.run(task, proven=proven)
                finally:
                    self._news.set()

    async def close(self) -> None:
        for worker in self._workers:
            if worker is not None:
                await worker.close()

    async def _free(self, *, proven: bool) -> "_Worker":
        """Waits for a worker that has room for a page of such a host."""
        async with self._turns[proven]:
            while True:
                common, last = self._workers[:-1], self._workers[-1]
                workers = [each for each in (self._workers if proven else common) if each is not None and not each.dead]
                best = min((each for each in workers if each.has_room), key=lambda each: each.waiting, default=None)
                if best is not None and not best.waiting:
                    return best
                if (
                    place := next((at for at, each in enumerate(common) if each is None or each.dead), None)
                ) is not None:
                    await self._begin(place)
                elif best is not None:
                    return best
                elif proven and (last is None or last.dead) and all(each.is_stuck for each in workers):
                    await self._begin(len(common))
                else:
                    self._news.clear()
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(_STUCK_S):
                            await self._news.wait()

    async def _begin(self, place: int) -> None:
        """Starts a worker in the place of one that is dead or was never started."""
        async with self._starting:
            present = self._workers[place]
            if present is None or present.dead:
                fresh = await _Worker.start(self._page_cpu_s)
                fresh.set_up(self._setup)
                self._workers[place] = fresh


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
        self._page_since_s = (
            math.inf
        )  # when it was begun; not known while models are loaded or numeric code is compiled
        self._clock = asyncio.get_running_loop().time
        self._loading = 0  # setups that it has not loaded yet
        self._doubtful = 0  # pages in work of hosts that are not proven
        self.dead = False

    @classmethod
    async def start(cls, page_cpu_s: float) -> "_Worker":
        child = Child(_MODULE)
        child.socket.setblocking(False)
        _, worker = await asyncio.get_running_loop().create_connection(
            lambda: cls(child, page_cpu_s), sock=child.socket
        )
        return worker

    @property
    def waiting(self) -> int:
        return len(self._answers)

    @property
    def is_stuck(self) -> bool:
        return bool(self._answers) and self._clock() - self._page_since_s > _STUCK_S

    @property
    def has_room(self) -> bool:
        """Returns whether a page may be handed in: one that waits here must not wait for long."""
        return not self._answers or (len(self._answers) < _DEPTH and not self._doubtful and not self.is_stuck)

    async def run(self, task: Order, *, proven: bool) -> Gleaned:
        answer: asyncio.Future[Gleaned] = asyncio.get_running_loop().create_future()
        self._answers.append(answer)
        self._doubtful += not proven
        self._send(_encode(task))
        if len(self._answers) == 1:
            self._begin_page()
            self._look_after_next()
        try:
            return await answer
        finally:
            self._doubtful -= not proven

    def set_up(self, setup: bytes) -> None:
        self._loading += 1
        self._send(setup)

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
            if message == READY:
                self._loading -= 1
                self._begin_page()
            elif message:
                self._begin_page()
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

    def _send(self, message: bytes) -> None:
        if self._transport is not None:
            self._transport.write(frame(message))

    def _begin_page(self) -> None:
        self._page_since_s = math.inf if self._loading else self._clock()

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
