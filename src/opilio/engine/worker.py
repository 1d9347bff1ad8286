"""A worker process: `python -m opilio.engine.worker FD`. It reads tasks from a socket until that ends, and writes the results.

With each setup it loads all models before its next task, so that no page pays for them, and says that it is ready. Then the
limits of a page hold (`allowance`). After a page that took long, it gives the memory back that it took."""

import socket

import msgspec

from opilio.core.child import connect_to_owner, frame, read_messages
from opilio.core.collector import collect_rarely
from opilio.core.heap import give_back
from opilio.glean.pdf import guard_with
from opilio.model.compiling import before_compiling, report_to

from .allowance import Allowance
from .pool import READY, Setup
from .work import Order, Workshop


def serve(connection: socket.socket) -> None:
    report_to(lambda: connection.sendall(frame(b"")))
    messages = read_messages(connection)
    if (setup := next(messages, None)) is None:
        return
    first = msgspec.msgpack.decode(setup, type=Setup)
    allowance = Allowance(first.config.limits)
    before_compiling(allowance.lift)
    guard_with(allowance.narrowed)
    workshop = _set_up(first, allowance, connection)
    decode = msgspec.msgpack.Decoder(Order | Setup).decode
    encode = msgspec.msgpack.Encoder().encode
    collect_rarely()
    for message in messages:
        order = decode(message)
        if isinstance(order, Setup):
            workshop = _set_up(order, allowance, connection)
        else:
            with allowance:
                gleaned = workshop.supervise(order)
                answer = encode(gleaned)
            connection.sendall(frame(answer))
            if gleaned.cpu_s:
                del order, message, gleaned, answer
                give_back()


def _set_up(setup: Setup, allowance: Allowance, connection: socket.socket) -> Workshop:
    allowance.begin_anew(setup.config.limits)
    workshop = setup.workshop()
    workshop.warm_up()
    allowance.hold()
    connection.sendall(frame(READY))
    return workshop


if __name__ == "__main__":
    with connect_to_owner() as connection:
        serve(connection)
