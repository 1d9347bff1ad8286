"""A process that runs jobs: `python -m opilio.lab.worker FD`. Reads one job after the other from a socket until it ends, and
writes what came of each. It keeps the web open between jobs."""

import socket

import msgspec

from opilio.core.child import connect_to_owner, frame, read_messages
from opilio.model.compiling import report_to

from .opened import Webs
from .protocol import Cost, Failure, Job, Run
from .runner import Runner
from .verdicts.job import JudgeJob, JudgeRun
from .verdicts.runner import JudgeRunner


class JobResult(msgspec.Struct):
    """The result of a job: exactly one of the first three is set."""

    run: Run | None = None
    judged: JudgeRun | None = None
    failure: Failure | None = None
    cost: Cost | None = None


def serve(connection: socket.socket) -> None:
    report_to(lambda: connection.sendall(frame(b"")))
    webs = Webs()
    runner, judges = Runner(webs), JudgeRunner(webs)
    for message in read_messages(connection):
        job = msgspec.msgpack.decode(message, type=Job | JudgeJob)
        result = _result(judges.run(job)) if isinstance(job, JudgeJob) else _result(runner.run(job), runner.cost)
        connection.sendall(frame(msgspec.msgpack.encode(result)))


def _result(came: Run | JudgeRun | Failure, cost: Cost | None = None) -> JobResult:
    if isinstance(came, Failure):
        return JobResult(failure=came)
    return JobResult(judged=came) if isinstance(came, JudgeRun) else JobResult(run=came, cost=cost)


if __name__ == "__main__":
    with connect_to_owner() as connection:
        serve(connection)
