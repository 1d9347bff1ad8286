"""A fresh interpreter that works for its owner, and the messages between the two.

Rules:
* A child is `python -m MODULE FD`, with one end of a socket pair as FD. A message is four bytes that say its length, and as
  many bytes as they say.
* An empty message from a child says that it has begun to compile, which may take half a minute (`model.compiling`).
* The end of the socket is the end of the child, even in the middle of its work. So children end with their owner, however
  suddenly that dies. A child that is told to end (SIGTERM) cleans up after itself.
* What a child prints goes to stderr: stdout belongs to the owner's data, and a plug-in may print anything.
* Ctrl-C reaches the whole process group, and a child ignores it: the owner decides.
"""

import atexit
import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from threading import Event, Thread
from typing import IO, Final, cast

_LENGTH: Final = struct.Struct("<I")
_BUFFER_BYTES: Final = 2**18
_STDERR: Final = 2
_REMINDERS: Final = 5
_PATIENCE_S: Final = 2.0


class Child:
    """The owner's side: the process, and the socket to it."""

    def __init__(self, module: str, environment: Mapping[str, str] | None = None) -> None:
        self.socket, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603  our own interpreter and module
                [sys.executable, "-m", module, str(theirs.fileno())],
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=_STDERR, env=environment,
            )  # fmt: skip

    def reap(self, patience_s: float) -> int:
        """Waits for the end, brings it about by force after `patience_s`, and returns the exit code."""
        try:
            return self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


@contextlib.contextmanager
def connect_to_owner() -> Iterator[socket.socket]:
    """Returns the child's side, by the number on its command line. That the owner is gone is a good reason to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gone = Event()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0 if gone.is_set() else 128 + signal.SIGTERM))
    # A second SIGTERM (the owner's, or a reminder) must not interrupt the interpreter's own cleaning up with a traceback.
    atexit.register(signal.signal, signal.SIGTERM, signal.SIG_IGN)
    Thread(target=_end_with_owner, args=(int(sys.argv[1]), gone), daemon=True).start()
    with contextlib.suppress(ConnectionError), socket.socket(fileno=int(sys.argv[1])) as connection:
        yield connection


def _end_with_owner(descriptor: int, gone: Event) -> None:
    """Waits until the owner's end of the socket is closed, and ends this process: as it does when it is told to, or by force if
    it takes too long."""
    closed = select.poll()
    closed.register(descriptor, 0)  # a hang-up is always reported
    closed.poll()
    gone.set()
    for _ in range(_REMINDERS):  # an exception in a destructor, say, is lost, and with it the end
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_PATIENCE_S)
    os._exit(0)


def frame(message: bytes) -> bytes:
    """Returns the message with its length, in one piece: sending it is one system call."""
    return _LENGTH.pack(len(message)) + message


def take_messages(received: bytearray) -> Iterator[bytes]:
    """Takes the whole messages out of what has been received so far; the rest stays in it."""
    while len(received) >= _LENGTH.size:
        end = _LENGTH.size + _LENGTH.unpack_from(received)[0]
        if len(received) < end:
            return
        message = memoryview(received)[_LENGTH.size : end].tobytes()
        del received[:end]
        yield message


def read_messages(connection: socket.socket) -> Iterator[bytes]:
    """Waits for one message after the other, until the other side is gone."""
    with cast(IO[bytes], connection.makefile("rb", buffering=_BUFFER_BYTES)) as source:
        while len(head := source.read(_LENGTH.size)) == _LENGTH.size:
            (length,) = _LENGTH.unpack(head)
            if len(message := source.read(length)) < length:
                return
            yield message
