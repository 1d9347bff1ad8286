"""A process that runs jobs: `python -m opilio.lab.worker FD`. Reads one job after the other from a socket until it ends, and
writes what came of each. It keeps the web open between jobs."""

import socket

import msgspec

from opilio.core.child import connect_to_owner, frame, read_messages
from opilio.model.compiling import report_to

from .protocol import Failure, Job, Run
from .runner import Runner


class JobResult(msgspec.Struct):
    """The result of a job: exactly one of the two is set."""

    run: Run | None = None
    failure: Failure | None = None


def serve(connection: socket.socket) -> None:
    report_to(lambda: connection.sendall(frame(b"")))
    runner = Runner()
    for message in read_messages(connection):
        came = runner.run(msgspec.msgpack.decode(message, type=Job))
        result = JobResult(run=came) if isinstance(came, Run) else JobResult(failure=came)
        connection.sendall(frame(msgspec.msgpack.encode(result)))


if __name__ == "__main__":
    with connect_to_owner() as connection:
        serve(connection)
