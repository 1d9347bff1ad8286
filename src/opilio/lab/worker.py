"""A process that runs jobs: `python -m opilio.lab.worker`. It reads one after the other from stdin until that ends, and
writes each result to stdout, as msgpack with its length before it. It keeps the web open between jobs."""

import os
import signal
import sys
from typing import IO

import msgspec

from opilio.engine.pool import LENGTH

from .protocol import Failure, Job, Run
from .runner import Runner


class Outcome(msgspec.Struct):
    """The result of a job: exactly one of the two is set."""

    run: Run | None = None
    failure: Failure | None = None


def serve(source: IO[bytes], out: IO[bytes]) -> None:
    runner = Runner()
    while message := read_message(source):
        came = runner.run(msgspec.msgpack.decode(message, type=Job))
        outcome = Outcome(run=came) if isinstance(came, Run) else Outcome(failure=came)
        write_message(out, msgspec.msgpack.encode(outcome))


def read_message(source: IO[bytes]) -> bytes:
    """Returns the next message, or b"" if the other side has closed the pipe."""
    head = source.read(LENGTH.size)
    return source.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else b""


def write_message(out: IO[bytes], message: bytes) -> None:
    out.write(LENGTH.pack(len(message)) + message)
    out.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group, but the parent process decides
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # what a plug-in prints must not get into the results
        serve(sys.stdin.buffer, answers)
