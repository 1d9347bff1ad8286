"""`bench calibration`: do pages that the perplexity judge calls likely belong as often as it says?

For topics of a labelled web the judge gets five pages as samples, then meets other pages, and is asked about pages that
it has neither learned from nor met: all that belong, and some of the others, each of which counts for several. Pages
are met in the order of a breadth-first crawl from the first sample, which is what a crawl sees, and at random, which is
what the web is like. The judge never sees a label. Labels are not all of the truth: a page on a neighbouring topic
reads like one that belongs.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from opilio.core.config import load_config
from opilio.core.plugin import Context, Sample
from opilio.judge import Perplexity

from .answers import Answers, pool
from .chart import CurveChart, Panel
from .form import Cell, Goal, Report
from .schools import Schools, read_schools

_SAMPLES: Final = 5
_SIZES: Final = range(25, 401)  # pages of a topic
_STAGES: Final = (0, 20, 160, 640)  # pages met
_BREADTH_FIRST: Final = "breadth-first"
_RANDOM: Final = "random"
_SPARE_PAGES: Final = 20  # pages that turn out to have no sentence
_LEAST_BELONGING: Final = 5  # pages to ask about, else a crawl has met nearly all of the topic
_THRESHOLD: Final = 0.5
_COLUMNS: Final = (
    "topic", "met", "pages met", "belong %", "calibration error %", "Brier %", "Brier of the share %", "AUC %",
    "precision %", "recall %",
)  # fmt: skip


class Stage(NamedTuple):
    met: str  # in which order
    pages: int


class Examination(NamedTuple):
    urls: list[str]
    belongs: npt.NDArray[np.bool_]
    weights: npt.NDArray[np.float64]


Results = dict[Stage, Answers]


def run(
    topics: int = 16,
    pages: int = 1_000,
    seed: int = 1,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Report:
    """`topics`: how many are drawn of those with 25 to 400 pages. `pages`: how many pages outside of each topic stand for
    all of them; 0 takes all. The defaults take about two minutes."""
    schools = read_schools()
    labels = schools.labels
    fitting = [topic for topic, urls in labels.topics.items() if len(urls) in _SIZES]
    chosen = sorted(Random(seed).sample(fitting, min(topics, len(fitting))))
    results: dict[str, Results] = {}
    for number, topic in enumerate(chosen):
        progress(number, len(chosen))
        results[topic] = examine(schools, topic, pages, seed)
    return _report(results)


def examine(schools: Schools, topic: str, others: int, seed: int, stages: Sequence[int] = _STAGES) -> Results:
    """Returns what the judge of one topic answers at each stage."""
    random = Random(f"{seed} {topic}")
    relevant = schools.labels.relevant(topic)
    samples = random.sample(sorted(relevant), _SAMPLES)
    orders = {
        _BREADTH_FIRST: list(schools.breadth_first(samples[0])),
        _RANDOM: random.sample(list(schools.pages), len(schools.pages)),
    }
    results: Results = {}
    for name, order in orders.items():
        most = min(stages[-1] + _SPARE_PAGES, len(order) // 2)  # some are left to ask about
        met = [url for url in order if url not in samples][:most]
        exam = _examination(schools, relevant, {*samples, *met}, others, random)
        if exam.belongs.sum() < _LEAST_BELONGING:
            continue
        judge = Perplexity.build(Context(load_config(), None, tuple(_sample(schools, url) for url in samples)))
        for pages in _meet(judge, schools, met, stages):
            scores = np.array([judge.judge(schools.pages[url]).score for url in exam.urls])
            results[Stage(name, pages)] = Answers(scores, exam.belongs, exam.weights)
    return results


def _examination(
    schools: Schools, relevant: frozenset[str], known: set[str], others: int, random: Random
) -> Examination:
    belonging = sorted(relevant - known)
    rest = [url for url in schools.pages if url not in known and url not in relevant]
    asked = random.sample(rest, min(others or len(rest), len(rest)))
    weights = np.array([1.0] * len(belonging) + [len(rest) / max(1, len(asked))] * len(asked))
    return Examination([*belonging, *asked], np.arange(len(weights)) < len(belonging), weights)


def _sample(schools: Schools, url: str) -> Sample:
    return Sample(url, schools.pages[url].prose)


def _meet(judge: Perplexity, schools: Schools, met: Sequence[str], stages: Sequence[int]) -> Iterator[int]:
    """Stops at each stage, when the judge has just been calibrated by that many pages."""
    yield 0
    for url in met:
        page = schools.pages[url]
        if judge.watch(page, judge.judge(page)) and judge.calibration.pages in stages:
            yield judge.calibration.pages


def _report(results: dict[str, Results]) -> Report:
    """Returns one row for each topic at the end of a crawl, then the means."""
    last = Stage(_BREADTH_FIRST, _STAGES[-1])
    rows = [_row(topic, last, [answers[last]]) for topic, answers in results.items() if last in answers]
    stages = sorted({stage for answers in results.values() for stage in answers})
    every = {stage: [answers[stage] for answers in results.values() if stage in answers] for stage in stages}
    means = [_row(f"mean of {len(answers)} topics", stage, answers) for stage, answers in every.items()]
    goals = []
    if last in every:
        goals = [
            Goal("AUC after a crawl of 640 pages", 100 * _mean(every[last], Answers.auc), 95, "%"),
            Goal("calibration error", 100 * _mean(every[last], Answers.calibration_error), 5, "%", at_least=False),
        ]
    note = (
        "“belong %” are the pages that belong among those asked about; “Brier of the share” is that of a judge who knows this "
        "share and gives it as the score of every page."
    )
    return Report("calibration", _COLUMNS, [*rows, *means], goals, [note], _chart(every))


def _row(name: str, stage: Stage, answers: Sequence[Answers]) -> tuple[Cell, ...]:
    measures: tuple[Callable[[Answers], float], ...] = (
        lambda one: one.share,
        Answers.calibration_error,
        Answers.brier,
        lambda one: one.share * (1 - one.share),
        Answers.auc,
        lambda one: one.precision(_THRESHOLD),
        lambda one: one.recall(_THRESHOLD),
    )
    return (name, stage.met, stage.pages, *(round(100 * _mean(answers, measure), 2) for measure in measures))


def _mean(answers: Sequence[Answers], measure: Callable[[Answers], float]) -> float:
    return float(np.mean([measure(one) for one in answers]))


def _chart(every: dict[Stage, list[Answers]]) -> CurveChart:
    """Draws scores against the shares that belong, all topics together."""
    panels = []
    for met in (_BREADTH_FIRST, _RANDOM):
        curves = [
            (f"{stage.pages} pages met", tuple((one.said, one.true) for one in pool(answers).bins()))
            for stage, answers in every.items()
            if stage.met == met
        ]
        panels.append(
            Panel(f"met {met}", "share that belongs", (*reversed(curves), ("perfect", ((0.0, 0.0), (1.0, 1.0)))))
        )
    return CurveChart("Do pages belong as often as the score says?", "score", tuple(panels))
