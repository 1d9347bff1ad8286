"""The verb `demo`: crawls the embedded web on loopback, with and without a focus."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from opilio.folder import CrawlFolder
from opilio.ops.watching import Watch

from .experiment import OPERATOR_STOP, SETTINGS, Run, run_experiment
from .tour import crawl_all

Progress = Callable[[str, int], None]  # the crawl that begins now, and its number


class Demo(NamedTuple):
    folder: Path  # where the corpora are
    reason: str  # why the last crawl stopped
    runs: tuple[Run, ...]  # empty if the whole web was crawled

    @property
    def stopped(self) -> bool:
        """Returns whether the operator stopped it early."""
        return self.reason == OPERATOR_STOP


def run(
    folder: str | Path = "opilio-demo",
    pages: int = 100,
    *,
    watch: Watch | None = None,
    progress: Progress = lambda _title, _number: None,
) -> Demo:
    """Serves the embedded demo web on loopback and crawls it three times: without a focus, and with two. With 0 pages, it is
    crawled once and whole. The corpora go to the folder, or to FOLDER-2 and so on if it is not empty."""
    place = _free(Path(folder))
    if not pages:
        return Demo(place, crawl_all(CrawlFolder(place), watch), ())
    runs: list[Run] = []
    progress(SETTINGS[0].title, 1)
    for done in run_experiment(place, pages):
        runs.append(done)
        if len(runs) < len(SETTINGS):
            progress(SETTINGS[len(runs)].title, len(runs) + 1)
    return Demo(place, runs[-1].reason, tuple(runs))


def _free(folder: Path) -> Path:
    tries = (folder.with_name(f"{folder.name}-{number}") for number in range(2, 1000))
    while folder.exists() and any(folder.iterdir()):
        folder = next(tries)
    return folder
