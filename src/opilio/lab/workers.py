"""Uses all cores for an experiment: processes that run one job after the other, each with the web open.

Rules: jobs are given in their order to whichever process is free, and results are returned in that order, so that the
number of processes changes only the time. All processes have the same hash seed, so that a recipe that iterates over a
set does so in the same order every time. If a process dies, only its present run is lost, and another process replaces
it. Whatever ends this process or the call ends the processes too, in the middle of their runs (`core.child`).
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Lock
from typing import Any, Final, overload

import msgspec

from opilio.core.child import Child, frame, read_messages
from opilio.model.compiling import announce

from .protocol import Cost, Failure, Job, Run
from .runner import name_of
from .verdicts.job import JudgeJob, JudgeRun
from .worker import JobResult

_MODULE: Final = "opilio.lab.worker"
_PATIENCE_S: Final = 5.0

Progress = Callable[[Run | Failure], None]
Spent = Callable[[Cost], None]
JudgeProgress = Callable[[JudgeRun | Failure], None]


@overload
def run_jobs(
    jobs: Sequence[Job], processes: int, progress: Progress = ..., spent: Spent = ...
) -> list[Run | Failure]: ...
@overload
def run_jobs(jobs: Sequence[JudgeJob], processes: int, progress: JudgeProgress = ...) -> list[JudgeRun | Failure]: ...
def run_jobs(
    jobs: Sequence[Any],
    processes: int,
    progress: Callable[[Any], None] = lambda _: None,
    spent: Spent = lambda _: None,
) -> list[Any]:
    """`progress` hears of each result, and `spent` what it cost, both in any thread."""
    count = min(processes or os.cpu_count() or 1, len(jobs))
    workers = [_Worker(spent) for _ in range(count)]
    idle: SimpleQueue[_Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def run(job: Job | JudgeJob) -> Run | JudgeRun | Failure:
        worker = idle.get()
        try:
            outcome = worker.run(job)
        finally:
            idle.put(worker)  # whatever happened: somebody may be waiting for it
        progress(outcome)
        return outcome

    executor = ThreadPoolExecutor(count)
    try:
        return list(executor.map(run, jobs))
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.end()


class _Worker:
    def __init__(self, spent: Spent) -> None:
        self._spent = spent
        self._ended = False
        self._lock = Lock()  # between starting a process and ending them all
        self._start()

    def _start(self) -> None:
        self._child = Child(_MODULE, os.environ | {"PYTHONHASHSEED": "0"})
        self._messages = read_messages(self._child.socket)

    def run(self, job: Job | JudgeJob) -> Run | JudgeRun | Failure:
        with self._lock:
            if self._ended:
                return self._lost(job, "it was called off.")
            if self._child.process.poll() is not None:
                self._start()
        try:
            self._child.socket.sendall(frame(msgspec.msgpack.encode(job)))
            while (message := next(self._messages, None)) == b"":
                announce()
        except ConnectionError:
            message = None
        if message is None:
            self.close()
            return self._lost(job, "its process has died. Its messages are above.")
        result = msgspec.msgpack.decode(message, type=JobResult)
        if result.cost:
            self._spent(result.cost)
        ending = result.run or result.judged or result.failure
        assert ending is not None
        return ending

    def _lost(self, job: Job | JudgeJob, reason: str) -> Failure:
        return Failure(name_of(job.web), job.topic, name_of(job.recipe), job.repetition, reason)

    def end(self) -> None:
        """Closes the worker for good: no job can start another process."""
        with self._lock:
            self._ended = True
            self.close()

    def close(self) -> None:
        """Ends the process at once, since it has nothing that could be lost."""
        self._child.process.terminate()
        self._child.reap(_PATIENCE_S)
        self._child.socket.close()
