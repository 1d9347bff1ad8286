"""Uses all cores for an experiment: processes that run one job after the other, each with the web open.

Rules: jobs are given in their order to whichever process is free, and results are returned in that order, so that the
number of processes changes only the time. All processes have the same hash seed, so that a recipe that iterates over a
set does so in the same order every time. If a process dies, only its present run is lost, and another process replaces
it.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Final

import msgspec

from .protocol import Failure, Job, Run
from .runner import name_of
from .worker import Outcome, read_message, write_message

_COMMAND: Final = (sys.executable, "-m", "opilio.lab.worker")

Progress = Callable[[Run | Failure], None]


def run_jobs(jobs: Sequence[Job], processes: int, progress: Progress = lambda _: None) -> list[Run | Failure]:
    count = min(processes or os.cpu_count() or 1, len(jobs))
    workers = [_Worker() for _ in range(count)]
    idle: SimpleQueue[_Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def run(job: Job) -> Run | Failure:
        worker = idle.get()
        try:
            outcome = worker.run(job)
        finally:
            idle.put(worker)  # in any case, because a thread may be waiting for it
        progress(outcome)
        return outcome

    executor = ThreadPoolExecutor(count)
    try:
        return list(executor.map(run, jobs))
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.close()


class _Worker:
    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        environment = os.environ | {"PYTHONHASHSEED": "0"}
        self._process = subprocess.Popen(  # noqa: S603  our own interpreter and module
            _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )

    def run(self, job: Job) -> Run | Failure:
        if self._process.poll() is not None:
            self._start()
        source, out = self._process.stdin, self._process.stdout
        assert source is not None
        assert out is not None
        message = b""
        try:
            write_message(source, msgspec.msgpack.encode(job))
            message = read_message(out)
        except BrokenPipeError:
            pass  # the process is dead, which the empty message shows, too
        if not message:
            self.close()
            reason = "its process has died. Its messages are above."
            return Failure(name_of(job.web), job.topic, name_of(job.recipe), job.repetition, reason)
        outcome = msgspec.msgpack.decode(message, type=Outcome)
        if outcome.run is not None:
            return outcome.run
        assert outcome.failure is not None
        return outcome.failure

    def close(self) -> None:
        """Ends the process, which has nothing that could be lost."""
        self._process.terminate()
        self._process.wait()
        for pipe in (self._process.stdout, self._process.stdin):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):  # a job that was not read
                    pipe.close()
