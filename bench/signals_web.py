"""Made webs for benchmarks that compare crawls of the lab: a web and its labels, the topics to ask for, and means of
runs.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from opilio.core.errors import OpilioError
from opilio.lab.labels import read_labels
from opilio.lab.maker import Library, Parameters, make_web
from opilio.lab.protocol import Failure, Job, Run
from opilio.lab.shelf import Shelf
from opilio.lab.workers import run_jobs

from . import Progress

_COMMONEST: Final = "lang.en"
_POINTS: Final = 50

Points = tuple[tuple[float, float], ...]


class MadeWeb(NamedTuple):
    path: Path
    labels: Path
    topics: dict[str, int]  # those that are asked for, and how many pages each has
    hosts: int

    def job(self, topic: str, recipe: str, repetition: int, *settings: str, per_host_cap: int = 0) -> Job:
        """Returns a crawl of as many pages as the topic has."""
        return Job(
            str(self.path), str(self.labels), topic, recipe, repetition,
            budget=self.topics[topic], per_host_cap=per_host_cap, settings=settings,
        )  # fmt: skip


def made(folder: Path, name: str, parameters: Parameters, subjects: int, library: Library) -> MadeWeb:
    """Makes a web and picks its largest first-level topics, this many, and its largest language except English."""
    path, labels = folder / f"{name}.warc.gz", folder / f"{name}.labels.tsv"
    facts = make_web(path, parameters, library)
    sizes = {topic: len(pages) for topic, pages in read_labels(labels, Shelf(path)).topics.items()}
    largest = sorted(sizes, key=lambda topic: (-sizes[topic], topic))
    topics = [topic for topic in largest if topic.startswith("topic.") and topic.count(".") == 1][:subjects]
    topics += [topic for topic in largest if topic.startswith("lang.") and topic != _COMMONEST][:1]
    return MadeWeb(path, labels, {topic: sizes[topic] for topic in topics}, int(facts["hosts"]))


def run_all(jobs: Sequence[Job], progress: Progress | None) -> list[Run | Failure]:
    """Runs the jobs on all cores and returns their runs in the order of the jobs."""
    done = 0

    def step(_: Run | Failure) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, len(jobs))

    return run_jobs(jobs, 0, step)


def must_run(came: Iterable[Run | Failure]) -> list[Run]:
    runs = []
    for each in came:
        if isinstance(each, Failure):
            raise OpilioError(
                f"{each.recipe} on {each.topic} of {each.web}, repetition {each.repetition}: {each.reason}"
            )
        runs.append(each)
    return runs


def harvest(runs: Iterable[Run]) -> float:
    return fmean(run.harvest_at_r for run in runs)


def mean_curve(runs: Sequence[Run], *, tokens: bool = False) -> Points:
    """Returns a curve over shares of the budget: relevant pages found, or with `tokens` the weighted coverage, as shares of
    all."""
    shares = [place / _POINTS for place in range(_POINTS + 1)]
    heights = [[_height(run, share, tokens=tokens) for share in shares] for run in runs]
    return tuple((share, fmean(column)) for share, column in zip(shares, zip(*heights, strict=True), strict=True))


def _height(run: Run, share: float, *, tokens: bool) -> float:
    """Returns the height of the curve at this share of the budget; a crawl that ends early keeps what it has."""
    curve = run.coverage_curve if tokens else run.curve
    reached = max(height for fetched, height in curve if fetched <= share * run.budget)
    if not tokens:
        return reached / run.relevant
    return run.weighted_coverage * reached / (curve[-1][1] or 1)
