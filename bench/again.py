"""`bench again`: what it costs to judge the stored pages of a crawl again with other samples, next to the crawl itself.

The crawl is that of `learned`: with one worker, through the command line, to the end of the recorded web. Its samples, and the
other ones, are texts that somebody has written about a topic. CPU is that of the whole process tree, start-up included; each
command first runs on a few pages that are not counted, in which numba compiles every kernel.
"""

import shutil
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from opilio.lab.samples import PLAIN, write_samples

from . import Progress
from .child import command
from .contender import Contender, Count, Job, Run, measure, tell_opilio
from .form import Goal, Report
from .learned import START, TOPIC
from .review import own_texts
from .schools import find_web

OTHER: Final = "Science.Biology.Dinosaurs"
_WARM_UP_PAGES: Final = 50
_GOAL: Final = 0.2
_COLUMNS: Final = ("command", "pages", "kept", "wall s", "CPU s", "CPU ms/page")


class Judged(msgspec.Struct):
    """What `judge again --json` says."""

    judged: int
    kept: int


def run(pages: int = 0, rounds: int = 1, progress: Progress | None = None) -> Report:
    """`pages` ends the crawl early; with 0, a round takes a minute. The cheapest run of each command counts."""
    web, _ = find_web("schools")
    with tempfile.TemporaryDirectory(prefix="opilio-again-") as name:
        folder = Path(name)
        job = Job(folder / "seeds.txt", pages, folder, folder / "bytecode")
        job.seeds.write_text(f"{START}\n", "utf-8")
        samples = {topic: _write(own_texts()[topic], folder / topic) for topic in (TOPIC, OTHER)}
        _round(web, samples, job._replace(pages=_WARM_UP_PAGES, folder=folder / "warm"))
        found: list[tuple[Run, Run]] = []
        for number in range(1, rounds + 1):
            found.append(_round(web, samples, job._replace(folder=folder / f"round-{number}")))
            if progress is not None:
                progress(number, rounds)
    return _report(*(min(runs, key=lambda run: run.cpu_s) for runs in zip(*found, strict=True)))


def _write(texts: Sequence[str], folder: Path) -> list[str]:
    folder.mkdir()
    return write_samples(texts, PLAIN, folder)


def _round(web: Path, samples: dict[str, list[str]], job: Job) -> tuple[Run, Run]:
    """Crawls, and judges again. The second job's folder stays empty: it works on that of the crawl."""
    crawl = Contender("crawl", partial(_crawl, web, samples[TOPIC]), tell_opilio)
    again = Contender("judge again", partial(_judge, job.folder, samples[OTHER]), _tell)
    runs = measure(crawl, job), measure(again, job._replace(folder=job.folder / "unused"))
    shutil.rmtree(job.folder)
    return runs


def _crawl(web: Path, like: Sequence[str], job: Job) -> list[str]:
    return command(
        "opilio", "crawl", job.folder, "--seeds", job.seeds, "--pages", job.pages, "--web", web,
        *(f"--like={sample}" for sample in like), "--workers", 1, "--quiet",
    )  # fmt: skip


def _judge(crawled: Path, like: Sequence[str], _job: Job) -> list[str]:
    return command(
        "opilio", "judge", "again", crawled, *(f"--like={sample}" for sample in like), "--workers", 1, "--json"
    )


def _tell(_job: Job, output: bytes) -> Count:
    judged = msgspec.json.decode(output, type=Judged)
    return Count(judged.judged, judged.kept)


def _report(crawl: Run, again: Run) -> Report:
    rows = [
        (name, run.told.pages, run.told.kept, run.wall_s, run.cpu_s, run.cpu_ms)
        for name, run in (("crawl", crawl), ("judge again", again))
    ]
    goal = Goal(
        "CPU of judging again, as a share of the crawl's", again.cpu_s / crawl.cpu_s, _GOAL, "times", at_least=False
    )
    return Report("again", _COLUMNS, rows, [goal], [f"Five texts on {TOPIC}, then five on {OTHER}."])
