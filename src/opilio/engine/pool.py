"""Worker processes that turn responses into pages, so that this work uses all cores.

A worker is a child process (`core.child`) that gets the settings once and then one task after the other, as msgpack. It
keeps no state, so when one dies, the page that it was working on ends as `GLEAN_FAILED`, another worker takes its place
and the crawl goes on.

A page that takes long holds up no other. A page is expected to be quick if it is short and the last page of its host was. Such a
page waits in no worker behind one that may take long. Where all workers are stuck, one more is started for quick pages alone,
and the system divides the processors among them. It ends once it has been idle for a while and another worker reports.
"""

import asyncio
import math
import signal
from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum, auto
from heapq import heappop, heappush
from itertools import chain, count
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple, Protocol, cast

import msgspec

from opilio.core.child import Child, frame, take_messages
from opilio.core.config import Config
from opilio.core.items import Gleaned, Origin
from opilio.core.outcome import Drop
from opilio.core.plugin import Context
from opilio.judge import Judging, build_judge
from opilio.model.compiling import announce

from .work import Order, Task, Workshop

_MODULE: Final = "opilio.engine.worker"
_PATIENCE_S: Final = 5.0
_DEPTH: Final = 2  # pages that a worker has at once, so that it need not wait for the next
_STUCK_S: Final = 0.5  # a page that takes longer is heavy
_BYTES_PER_S: Final = (
    500_000  # a page lets others go first that come soon after it and are shorter: parsing takes linear time
)
_SHORT_BYTES: Final = 300_000
_CODED: Final = 6  # how many times as long as it looks a page with a coding usually is
_DOUBT_S: Final = 1.0  # a page of a host in doubt lets those of proven hosts go first that come so soon after it
_RESTART_S: Final = 0.5
_IDLE_S: Final = 10.0  # after which the worker for quick pages ends, if there were none for it
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


class _Kind(Enum):
    """How long a page can be expected to take."""

    QUICK = auto()  # no time worth mentioning
    UNSURE = auto()  # it is short, but its host is in doubt
    LONG = auto()


class _Errand(NamedTuple):
    """A task on its way through the pool."""

    due_s: float  # the one with the lowest goes first
    number: int
    kind: _Kind
    task: Order
    answer: asyncio.Future[Gleaned]


class ProcessPool:
    """Runs up to `size` workers, and one more for quick pages once all of them were stuck. One is started when there is a task
    and no worker is idle."""

    def __init__(self, size: int, setup: Setup) -> None:
        self._setup = _encode(setup)
        self._workers: list[_Worker | None] = [None] * (size + 1)  # the last one is for quick pages
        self._starts: dict[int, asyncio.Task[None]] = {}  # by the place of the worker
        self._waiting: dict[_Kind, list[_Errand]] = {kind: [] for kind in _Kind}  # heaps
        self._numbers = count()
        self._look: asyncio.TimerHandle | None = None  # for workers that have become stuck
        self._ends: set[asyncio.Task[None]] = set()  # of workers that are not needed any more

    def renew(self, setup: Setup, judge: Judging) -> None:  # noqa: ARG002  (other processes need copies)
        self._setup = _encode(setup)
        for worker in self._workers:
            if worker is not None and not worker.dead:
                worker.set_up(self._setup)

    async def run(self, task: Order, *, proven: bool = True) -> Gleaned:
        """Hands the task to a worker. If the worker dies of another page before this one, another worker gets it."""
        loop = asyncio.get_running_loop()
        size_bytes = _size_bytes(task)
        kind = _Kind.LONG if size_bytes > _SHORT_BYTES else _Kind.QUICK if proven else _Kind.UNSURE
        due_s = loop.time() + size_bytes / _BYTES_PER_S + (0.0 if proven else _DOUBT_S)
        errand = _Errand(due_s, next(self._numbers), kind, task, loop.create_future())
        heappush(self._waiting[kind], errand)
        self._hand_out()
        return await errand.answer

    async def close(self) -> None:
        for waiting in self._waiting.values():
            waiting.clear()
        await asyncio.gather(*self._starts.values(), *self._ends)
        for worker in self._workers:
            if worker is not None:
                await worker.close()

    def _hand_out(self) -> None:
        """Gives tasks that wait to workers that have room for them, as long as there are any."""
        while (chosen := self._match()) is not None:
            worker, errand = chosen
            worker.take(errand)
        loop = asyncio.get_running_loop()
        if any(self._waiting.values()) and (self._look is None or self._look.when() <= loop.time()):
            self._look = loop.call_later(_STUCK_S, self._hand_out)

    def _match(self) -> "tuple[_Worker, _Errand] | None":
        for waiting in sorted(filter(None, self._waiting.values()), key=itemgetter(0)):
            if (worker := self._free(waiting[0].kind)) is not None:
                return worker, heappop(waiting)
        return None

    def _free(self, kind: _Kind) -> "_Worker | None":
        """Returns a worker that has room for such a page. If all are busy and one more may be started, it is, and the
        page waits for that one. While a worker is stuck in a long page, no other long page is begun, which might take as much
        memory once more."""
        common = len(self._workers) - 1
        workers = self._workers if kind is _Kind.QUICK else self._workers[:common]
        living = [worker for worker in workers if worker is not None and not worker.dead]
        if kind is _Kind.LONG and any(worker.is_stuck and worker.has_long for worker in living):
            return None
        best = min((each for each in living if each.has_room), key=lambda each: each.waiting, default=None)
        if best is not None and not best.waiting:
            return best
        missing = [place for place, worker in enumerate(workers) if worker is None or worker.dead]
        is_needed = missing and (missing[0] < common or (best is None and all(each.is_stuck for each in living)))
        if not is_needed:
            return best
        if missing[0] not in self._starts:
            self._starts[missing[0]] = asyncio.create_task(self._start(missing[0]))
        return None

    async def _start(self, place: int) -> None:
        """Starts a worker in the place of one that is dead or was never started."""
        try:
            fresh = await _Worker.start(self._take_back)
        except OSError as error:
            for errand in chain(*self._waiting.values()):
                if not errand.answer.done():
                    errand.answer.set_exception(error)
        else:
            fresh.set_up(self._setup)
            self._workers[place] = fresh
            self._hand_out()
        finally:
            del self._starts[place]

    def _take_back(self, errands: Iterable[_Errand]) -> None:
        """Hears that a worker is done with a task or dead, and gets the tasks that it has not come to."""
        for errand in errands:
            heappush(self._waiting[errand.kind], errand)
        self._hand_out()
        if (more := self._workers[-1]) is not None and more.idle_s > _IDLE_S:
            self._workers[-1] = None
            end = asyncio.create_task(more.close())
            self._ends.add(end)
            end.add_done_callback(self._ends.discard)


class _Worker(asyncio.Protocol):
    """A child process and the pages that it is working on. It is a plain protocol, since streams would cost 50 µs more a page."""

    def __init__(self, child: Child, done: Callable[[Iterable[_Errand]], None]) -> None:
        self._child = child
        self._done = done
        self._errands: deque[_Errand] = deque()
        self._received = bytearray()
        self._transport: asyncio.WriteTransport | None = None
        self._watch: asyncio.TimerHandle | None = None  # for the page that is being worked on
        self._page_since_s = (
            math.inf
        )  # when it was begun; not known while models are loaded or numeric code is compiled
        self._clock = asyncio.get_running_loop().time
        self._loading = 0  # setups that it has not loaded yet
        self._idle_since_s = self._clock()
        self.dead = False

    @classmethod
    async def start(cls, done: Callable[[Iterable[_Errand]], None]) -> "_Worker":
        child = Child(_MODULE)
        child.socket.setblocking(False)
        _, worker = await asyncio.get_running_loop().create_connection(lambda: cls(child, done), sock=child.socket)
        return worker

    @property
    def waiting(self) -> int:
        return len(self._errands)

    @property
    def is_stuck(self) -> bool:
        return bool(self._errands) and self._clock() - self._page_since_s > _STUCK_S

    @property
    def idle_s(self) -> float:
        return 0.0 if self._errands else self._clock() - self._idle_since_s

    @property
    def has_long(self) -> bool:
        return any(errand.kind is _Kind.LONG for errand in self._errands)

    @property
    def has_room(self) -> bool:
        """Returns whether a page may be handed in: one that waits here must not wait for long."""
        if not self._errands:
            return True
        return (
            len(self._errands) < _DEPTH
            and all(errand.kind is _Kind.QUICK for errand in self._errands)
            and not self.is_stuck
        )

    def take(self, errand: _Errand) -> None:
        self._errands.append(errand)
        self._send(_encode(errand.task))  # not before: bodies that wait would be held twice
        if len(self._errands) == 1:
            self._begin_page()
            self._look_after_next()

    def set_up(self, setup: bytes) -> None:
        self._loading += 1
        self._send(setup)

    async def close(self) -> None:
        """Closes the socket, which ends the worker. One that has a page in work is killed: nobody waits for that page any
        more, and it may take long."""
        self.dead = True
        if self._errands:
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
                self._done(())
            else:
                self._page_since_s = math.inf
                announce()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Handles the death of a worker that was not closed: its page fails, and those behind it need another worker."""
        if not self.dead:
            self.dead = True
            code = self._child.reap(_PATIENCE_S)
            if self._errands:
                self._answer(_lost(code, self._clock() - min(self._page_since_s, self._clock())))
            left, self._errands = self._errands, deque()
            self._look_after_next()
            self._done(left)

    def _send(self, message: bytes) -> None:
        if self._transport is not None:
            self._transport.write(frame(message))

    def _begin_page(self) -> None:
        self._page_since_s = math.inf if self._loading else self._clock()

    def _answer(self, gleaned: Gleaned) -> None:
        answer = self._errands.popleft().answer
        if not answer.done():
            answer.set_result(gleaned)
        self._idle_since_s = self._clock()
        self._look_after_next()

    def _look_after_next(self) -> None:
        """Sets a timer that kills the worker if it gets stuck in a page or a plug-in. Only that page fails then."""
        if self._watch is not None:
            self._watch.cancel()
        waits = self._errands and not self.dead
        self._watch = (
            asyncio.get_running_loop().call_later(_PAGE_TIMEOUT_S, self._child.process.kill) if waits else None
        )


def _size_bytes(task: Order) -> int:
    """Returns about how long a page is, by which one can tell how long it takes to read. Coded ones are longer than they look."""
    if not isinstance(task, Task):
        return 0
    return len(task.fetched.body) * (_CODED if task.fetched.header("content-encoding") else 1)


def _lost(code: int, held_s: float) -> Gleaned:
    """Returns how a page ends whose worker has ended. It counts as heavy, because starting another takes half a second."""
    what = (
        "it took too much processor time" if code == -signal.SIGPROF else "it took too much memory, or broke a parser"
    )
    held_s = max(held_s, _RESTART_S)
    return Gleaned(Drop.GLEAN_FAILED, f"{what}: its worker ended with code {code}", cpu_s=held_s, held_s=held_s)
