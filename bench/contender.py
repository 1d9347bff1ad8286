"""One crawler of `speed` or `learned`: it runs in a fresh process and is charged for all processes that it starts.

The CPU time is that of the whole process tree, start-up included, as the kernel adds it up for children that ended; so
nobody else may wait for a child meanwhile. A first crawl of few pages is not counted: it leaves every module compiled,
as an installation does, in a cache of the benchmark's own, whatever the environment says about bytecode.
"""

import resource
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from opilio.core.errors import OpilioError
from opilio.folder import CrawlFolder, View

from .child import command, environment

CONNECTIONS: Final = 64  # of every contender, over all hosts; one per host
_PATIENCE_S: Final = 3600.0


class Job(NamedTuple):
    seeds: Path
    pages: int
    folder: Path  # the contender's own
    bytecode: Path  # shared by all of them


class Count(msgspec.Struct, frozen=True):
    """What a contender reports about its crawl."""

    pages: int
    kept: int | None = None  # None: it keeps nothing


class Contender(NamedTuple):
    name: str
    command: Callable[[Job], list[str]]
    tell: Callable[[Job, bytes], Count]  # from its folder and its output


class Run(NamedTuple):
    told: Count
    wall_s: float
    cpu_s: float

    @property
    def cpu_ms(self) -> float:
        """Returns CPU milliseconds per page."""
        return self.cpu_s * 1000 / max(1, self.told.pages)


def warm_up(contender: Contender, job: Job) -> None:
    _crawl(contender, job._replace(pages=1))


def measure(contender: Contender, job: Job) -> Run:
    cpu_s, wall_s = children_cpu_s(), time.monotonic()
    said = _crawl(contender, job)
    cpu_s, wall_s = children_cpu_s() - cpu_s, time.monotonic() - wall_s
    return Run(contender.tell(job, said), wall_s, cpu_s)


def children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _crawl(contender: Contender, job: Job) -> bytes:
    job.folder.mkdir(parents=True)
    done = subprocess.run(
        contender.command(job), stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE_S, check=False,
        env=environment(PYTHONPYCACHEPREFIX=str(job.bytecode)),
    )  # fmt: skip
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()[-2000:]
        raise OpilioError(f"{contender.name} ended with code {done.returncode}: {said}")
    return done.stdout


def contenders() -> tuple[Contender, ...]:
    """Lists ours first."""
    return (
        Contender("Opilio, whole pipeline", _opilio, tell_opilio),
        Contender("Scrapy, links only", lambda job: _peer("links", job), _tell_peer),
        Contender("Scrapy, links only, hand-tuned", lambda job: _peer("tuned", job), _tell_peer),
        Contender("Scrapy, trafilatura, warcio", lambda job: _peer("stack", job), _tell_peer),
    )


def _opilio(job: Job) -> list[str]:
    settings = (
        "fetch.delay_s=0",
        "fetch.allow_private_addresses=true",
        f"fetch.connections={CONNECTIONS}",
        f"crawl.in_flight={CONNECTIONS}",
    )
    return command(
        "opilio", "crawl", job.folder, "--seeds", job.seeds, "--pages", job.pages, "--quiet",
        *(f"--set={setting}" for setting in settings),
    )  # fmt: skip


def tell_opilio(job: Job, _output: bytes) -> Count:
    """Counts as kept the rows of the corpus, each of which names its bytes in both shards."""
    with View(CrawlFolder(job.folder)) as view:
        return Count(view.meta.tally.pages, len(view.documents))


def _peer(module: str, job: Job) -> list[str]:
    return command(f"bench.peers.{module}", job.seeds, job.pages, CONNECTIONS, job.folder)


def _tell_peer(_job: Job, output: bytes) -> Count:
    return msgspec.json.decode(output.strip().splitlines()[-1], type=Count)
