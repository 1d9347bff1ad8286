"""A worker process: `python -m opilio.engine.worker FD`. It reads tasks from a socket until that ends, and writes the results."""

import socket

import msgspec

from opilio.core.child import connect_to_owner, frame, read_messages
from opilio.core.collector import collect_rarely
from opilio.model.compiling import before_compiling, report_to

from .allowance import Allowance
from .pool import Setup
from .work import Order


def serve(connection: socket.socket) -> None:
    report_to(lambda: connection.sendall(frame(b"")))
    messages = read_messages(connection)
    if (setup := next(messages, None)) is None:
        return
    first = msgspec.msgpack.decode(setup, type=Setup)
    workshop, allowance = first.workshop(), Allowance(first.config.limits)
    before_compiling(allowance.lift)
    decode = msgspec.msgpack.Decoder(Order | Setup).decode
    encode = msgspec.msgpack.Encoder().encode
    collect_rarely()
    for message in messages:
        order = decode(message)
        if isinstance(order, Setup):
            allowance.begin_anew(order.config.limits)
            workshop = order.workshop()
        else:
            with allowance:
                answer = encode(workshop.supervise(order))
            connection.sendall(frame(answer))


if __name__ == "__main__":
    with connect_to_owner() as connection:
        serve(connection)
