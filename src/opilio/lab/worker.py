"""A process that runs jobs: `python -m opilio.lab.worker`. Reads one after the other from stdin until it ends, and writes what
came of each to stdout, as msgpack with the length before it. It keeps the web open between jobs."""

import os
import signal
import sys
from typing import IO

import msgspec

from opilio.engine.pool import LENGTH

from .protocol import Failure, Job, Run
from .runner import Runner


class Outcome(msgspec.Struct):
    """One of the two."""

    run: Run | None = None
    failure: Failure | None = None


def serve(source: IO[bytes], out: IO[bytes]) -> None:
    runner = Runner()
    while message := read_message(source):
        came = runner.run(msgspec.msgpack.decode(message, type=Job))
        outcome = Outcome(run=came) if isinstance(came, Run) else Outcome(failure=came)
        write_message(out, msgspec.msgpack.encode(outcome))


def read_message(source: IO[bytes]) -> bytes:
    """Empty when the other side is gone."""
    head = source.read(LENGTH.size)
    return source.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else b""


def write_message(out: IO[bytes], message: bytes) -> None:
    out.write(LENGTH.pack(len(message)) + message)
    out.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the owner decides
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # whatever a plug-in prints must not land among the answers
        serve(sys.stdin.buffer, answers)
