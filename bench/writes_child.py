"""Runs `opilio` again and again, each time in a fork of this process, so that a run takes a tenth of a second instead of one.

A line of its input is an `Order` as JSON, a line of its output an `Answer`. It is started with the layer of `writes_layer.c`
before the C library, which is armed in the fork alone.
"""

import ctypes
import os
import sys
import traceback
from pathlib import Path

import msgspec

from opilio.cli import app


class Order(msgspec.Struct, frozen=True):
    arguments: list[str]
    below: str  # the folder whose files fail
    at: int = 0  # the operation that fails; 0: none
    code: int = 0  # errno
    on_sync: bool = False


class Answer(msgspec.Struct, frozen=True):
    code: int
    words: str
    operations: int
    fired: bool


def main() -> None:
    layer = ctypes.CDLL(os.environ["LD_PRELOAD"])
    for line in sys.stdin.buffer:
        order = msgspec.json.decode(line, type=Order)
        # A run without a folder that fails loads what every run needs.
        answer = _forked(order, layer) if order.below else Answer(_run(order.arguments), "", 0, fired=False)
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.flush()


def _forked(order: Order, layer: ctypes.CDLL) -> Answer:
    ours, theirs = os.pipe()
    layer.arm(ctypes.c_long(order.at), order.code, order.on_sync, order.below.encode())
    if not (child := os.fork()):
        os.dup2(theirs, 2)
        os.dup2(os.open("/dev/null", os.O_RDWR), 0)
        os.dup2(0, 1)
        os._exit(_run(order.arguments))
    os.close(theirs)
    words = Path(f"/dev/fd/{ours}").read_bytes().decode("utf-8", "replace")
    os.close(ours)
    _, status = os.waitpid(child, 0)
    return Answer(os.waitstatus_to_exitcode(status), words[-2000:], layer.operations(), bool(layer.fired()))


def _run(arguments: list[str]) -> int:
    sys.argv = ["opilio", *arguments]
    try:
        app.main()
    except SystemExit as end:
        return int(end.code or 0)
    except BaseException:  # noqa: BLE001  what nobody declared is shown as Python shows it
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    main()
