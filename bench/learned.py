"""`bench learned`: what a whole learned crawl costs, next to a breadth-first crawl of the same pages.

Both run through the command line with one worker, and crawl the recorded web to its end. So they fetch the same pages in
different orders and store all of them, and differ only in judging, learning and ranking. CPU is that of the whole process tree,
start-up included. Each first crawls a few pages that are not counted, in which numba compiles every kernel. Then each runs once
in every round, and its cheapest run counts.
"""

import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from opilio.core.errors import ConfigError, OpilioError
from opilio.folder import CrawlFolder, View
from opilio.lab.labels import read_labels
from opilio.lab.samples import PLAIN, write_samples
from opilio.lab.shelf import Shelf

from . import Progress
from .chart import Chart
from .child import command
from .contender import Contender, Job, Run, measure, tell_opilio
from .form import Cell, Goal, Report
from .schools import find_web

START: Final = "http://schools-wikipedia.org/wp/g/Great_Bustard.htm"
TOPIC: Final = "Science.Biology.Birds"
_LEARNED: Final = "learned"
_BASELINE: Final = "breadth-first"
_SAMPLES: Final = 5
_WARM_UP_PAGES: Final = 50  # every kernel is called at least once for them
_GOAL: Final = 1.8
_COLUMNS: Final = ("contender", "pages", "kept", "wall s", "CPU s", "CPU ms/page", f"times {_BASELINE}")


class Place(NamedTuple):
    """What both crawls are given."""

    web: Sequence[Path]
    samples: Sequence[str]  # names of files


def run(pages: int = 0, rounds: int = 2, progress: Progress | None = None) -> Report:
    """`pages` is for small versions: only pages that a breadth-first crawl keeps of its first `pages` are then in the web. With 0
    it is the whole web, which takes about a minute and a half per round."""
    web, labels = find_web("schools")
    with tempfile.TemporaryDirectory(prefix="opilio-learned-") as name:
        folder = Path(name)
        job = Job(folder / "seeds.txt", 0, folder, folder / "bytecode")
        job.seeds.write_text(f"{START}\n", "utf-8")
        place = Place([web], _write_samples(web, labels, folder))
        if pages:
            place = place._replace(web=_cut_down(place, job, pages))
        contenders = _contenders(place)
        for contender in contenders:
            measure(contender, job._replace(pages=_WARM_UP_PAGES, folder=folder / f"warm-{contender.name}"))
        runs: dict[str, list[Run]] = {contender.name: [] for contender in contenders}
        for number in range(1, rounds + 1):
            for contender in contenders:
                runs[contender.name].append(
                    measure(contender, job._replace(folder=folder / f"{contender.name}-{number}"))
                )
            _check(folder / f"{_BASELINE}-{number}", folder / f"{_LEARNED}-{number}")
            if progress is not None:
                progress(number, rounds)
    return _report({name: min(each, key=lambda run: run.cpu_s) for name, each in runs.items()}, rounds)


def _write_samples(web: Path, labels: Path, folder: Path) -> list[str]:
    """Writes the main texts of pages of the topic, evenly chosen, into files."""
    shelf = Shelf(web)
    urls = read_labels(labels, shelf).topics.get(TOPIC, ())
    chosen = [urls[len(urls) * number // _SAMPLES] for number in range(_SAMPLES)] if len(urls) >= _SAMPLES else []
    texts = [page.text for url in chosen if (page := shelf.page(url)) is not None]
    if START not in shelf or len(texts) < _SAMPLES:
        raise ConfigError(f"{web} must have {START} and at least {_SAMPLES} pages of {TOPIC}.")
    return write_samples(texts, PLAIN, folder)


def _contenders(place: Place) -> list[Contender]:
    return [Contender(recipe, partial(_crawl, place, recipe), tell_opilio) for recipe in (_BASELINE, _LEARNED)]


def _crawl(place: Place, recipe: str, job: Job) -> list[str]:
    like = place.samples if recipe == _LEARNED else ()
    return command(
        "opilio", "crawl", job.folder, "--recipe", recipe, "--seeds", job.seeds, "--pages", job.pages,
        *(f"--web={web}" for web in place.web), *(f"--like={sample}" for sample in like), "--workers", 1, "--quiet",
    )  # fmt: skip


def _cut_down(place: Place, job: Job, pages: int) -> list[Path]:
    """Crawls some pages, and returns the files in which they are stored: a smaller web, which can be crawled to its end."""
    folder = job.folder / "web"
    measure(_contenders(place)[0], job._replace(pages=pages, folder=folder))
    return sorted((folder / "warc").glob("*.warc.gz"))


def _check(*folders: Path) -> None:
    """Refuses crawls that did not fetch the same pages: large pages cost more than small ones."""
    fetched = []
    for folder in folders:
        with View(CrawlFolder(folder)) as view:
            fetched.append((view.meta.tally.pages, view.meta.tally.size_bytes))
    if len(set(fetched)) > 1:
        found = " and ".join(f"{pages:,} pages with {size_bytes:,} bytes" for pages, size_bytes in fetched)
        raise OpilioError(f"the crawls fetched {found}: the comparison would be unfair")


def _report(runs: dict[str, Run], rounds: int) -> Report:
    def row(name: str) -> Sequence[Cell]:
        run = runs[name]
        return name, run.told.pages, run.told.kept, run.wall_s, run.cpu_s, run.cpu_ms, run.cpu_ms / baseline_ms

    baseline_ms = runs[_BASELINE].cpu_ms
    times = runs[_LEARNED].cpu_ms / baseline_ms
    return Report(
        "learned",
        _COLUMNS,
        [row(name) for name in runs],
        [Goal("CPU per page of a whole learned crawl", times, _GOAL, f"times {_BASELINE}", at_least=False)],
        [
            f"{_SAMPLES} samples of {TOPIC}; CPU of whole process trees, start-up included.",
            f"Runs of each: {rounds}; the cheapest is shown.",
        ],
        Chart("CPU per page", "milliseconds", tuple((name, runs[name].cpu_ms) for name in (_LEARNED, _BASELINE))),
    )
