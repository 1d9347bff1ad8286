"""`bench writes`: whether a crawl survives the failure of any one of its operations on files, from its very first on.

The same crawl of a recorded web is begun in a new folder again and again. The n-th time, its n-th write fails, and then a
random write of the run that resumes it: once because the disk is full and stays so, once because of an error of the disk
that happens once, and once it is the n-th sync that fails. After each run the folder is inspected; then the same command
has to bring the crawl to its end, with the pages of a crawl that nothing has happened to.
"""

import errno
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import msgspec

from opilio.core.database import connect_to_read
from opilio.keep import payload_digest, response_record

from . import Goal, Progress, Report
from .child import command, environment
from .invariants import Inspector
from .writes_child import Answer, Order

_LAYER: Final = Path(__file__).with_name("writes_layer.c")
_DECLARED: Final = frozenset({0, 2})  # the end of a crawl, and an error in words
_SETTINGS: Final = ("crawl.commit_pages=1", "crawl.workers=1", "keep.shard_bytes=5000", "crawl.event_log=true")
_DATE: Final = "2026-01-01T00:00:00Z"
_WORDS: Final = "Every shepherd counts the sheep before the evening, and writes the number into a book. "


class Fault(NamedTuple):
    name: str
    code: int
    on_sync: bool = False


FAULTS: Final = (Fault("EIO", errno.EIO), Fault("ENOSPC", errno.ENOSPC), Fault("fsync", errno.EIO, on_sync=True))


def run(rounds: int = 500, pages: int = 30, seed: int = 0, progress: Progress = lambda _done, _all: None) -> Report:
    """`rounds` is how many operations fail, each in turn, of each kind."""
    random = Random(seed)
    with tempfile.TemporaryDirectory(prefix="opilio-writes-") as scratch, started(Path(scratch)) as trials:
        trials.prepare(pages)
        rows, violations = [], []
        for place, fault in enumerate(FAULTS):
            found, at = [], 0
            for at in range(1, rounds + 1):
                progress(place * rounds + at, len(FAULTS) * rounds)
                fired, words = trials.suffer(fault, at, random)
                found += words
                if not fired:  # the crawl has no such operation any more
                    break
            rows.append((fault.name, at, len(found)))
            violations += found
    goals = [
        Goal("violations of I1 to I5", len(violations), 0, "", at_least=False),
        Goal("writes that failed, of each kind", min(row[1] for row in rows[:2]), rounds, "writes"),
    ]
    return Report("writes", ("fault", "up to operation", "violations"), rows, goals, notes=violations[:20])


class Trials:
    """Crawls one recorded web in a folder that is made anew for each trial."""

    def __init__(self, scratch: Path, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._web = scratch / "web.warc.gz"
        self._folder = scratch / "crawl"
        self._whole: frozenset[str] = frozenset()  # what is kept if nothing happens
        self._arguments: list[str] = []

    def prepare(self, pages: int) -> None:
        seeds = _record(3, pages // 3, self._web)
        settings = [part for setting in _SETTINGS for part in ("--set", setting)]
        named = [part for url in seeds for part in ("--url", url)]
        self._arguments = ["crawl", str(self._folder), "--web", str(self._web), "--quiet", *named, *settings]
        self._ask(Order(self._arguments, ""))
        self._whole = self._kept()

    def suffer(self, fault: Fault, at: int, random: Random) -> tuple[bool, list[str]]:
        """Returns whether the operation failed, and what should not have been."""
        shutil.rmtree(self._folder, ignore_errors=True)
        inspector = Inspector(self._folder)
        first = self._fail(fault, at)
        found = self._judged(first, inspector)
        if first.fired:
            found += self._judged(self._fail(fault, random.randint(1, at)), inspector)
        last = self._fail(fault, 0)
        found += self._judged(last, inspector)
        if last.code:
            found.append(f"I5: the same command ended with code {last.code}: {last.words[-300:]}")
        elif (kept := self._kept()) != self._whole:
            found.append(f"I3: {len(self._whole - kept)} pages are missing, {len(kept - self._whole)} are new")
        return first.fired, [f"{fault.name} at {at}: {words}" for words in found]

    def _judged(self, answer: Answer, inspector: Inspector) -> list[str]:
        found = inspector.look(everything=True)
        if answer.code not in _DECLARED or "Traceback" in answer.words:
            found.append(f"I5: it ended with code {answer.code}: {answer.words[-600:]}")
        return found

    def _fail(self, fault: Fault, at: int) -> Answer:
        return self._ask(Order(self._arguments, str(self._folder), at, fault.code, fault.on_sync))

    def _ask(self, order: Order) -> Answer:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(order) + b"\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._process.stdout.readline(), type=Answer)

    def _kept(self) -> frozenset[str]:
        with closing(connect_to_read(self._folder / "crawl.db")) as connection:
            rows = connection.execute('SELECT url FROM links WHERE state = 3 AND "drop" IS NULL').fetchall()
        return frozenset(url for (url,) in rows)


@contextmanager
def started(scratch: Path) -> Iterator[Trials]:
    """Starts the process that crawls, with the layer in front of its C library."""
    layer = scratch / "layer.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", layer, _LAYER, "-ldl"], check=True)
    with subprocess.Popen(
        command("bench.writes_child"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(LD_PRELOAD=os.fspath(layer)),
    ) as process:  # fmt: skip
        yield Trials(scratch, process)


def _record(hosts: int, pages: int, path: Path) -> list[str]:
    """Writes a small web into a WARC file, and returns its front pages. Its pages are short, because there are thousands of
    crawls."""
    places = [(f"h{host}.test", f"/p{page}") for host in range(hosts) for page in range(pages)]
    with path.open("wb") as out:
        for number, (host, target) in enumerate(places):
            near = " ".join(f'<a href="http://{to}{at}">{at}</a>' for to, at in (places * 2)[number : number + 4])
            body = f"<title>{number}</title><main><p>{_WORDS * 5} {number}</p>{near}</main>".encode()
            url, digest = f"http://{host}{target}", payload_digest(body)
            out.write(response_record(url, _DATE, "", 200, (("Content-Type", "text/html"),), body, digest, 1))
    return [f"http://{host}{target}" for host, target in places[::pages]]
