"""A worker process: `python -m opilio.engine.worker FD`. Reads tasks from a socket until it ends, writes what it gleaned."""

import contextlib
import gc
import signal
import socket
import sys
from typing import IO, cast

import msgspec

from .pool import LENGTH, Setup
from .work import Task


def serve(connection: socket.socket) -> None:
    with cast(IO[bytes], connection.makefile("rb", buffering=2**18)) as tasks:
        workshop = msgspec.msgpack.decode(_read(tasks), type=Setup).workshop()
        decode = msgspec.msgpack.Decoder(Task | Setup).decode
        encode = msgspec.msgpack.Encoder().encode
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)  # a page makes thousands of objects and hardly a cycle
        while message := _read(tasks):
            wish = decode(message)
            if isinstance(wish, Setup):
                workshop = wish.workshop()
                continue
            answer = encode(workshop.supervise(wish))
            connection.sendall(LENGTH.pack(len(answer)) + answer)


def _read(tasks: IO[bytes]) -> bytes:
    """The next message; empty when the owner is gone."""
    head = tasks.read(LENGTH.size)
    return tasks.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else b""


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the owner decides
    with contextlib.suppress(ConnectionError):  # the owner is gone
        serve(socket.socket(fileno=int(sys.argv[1])))
