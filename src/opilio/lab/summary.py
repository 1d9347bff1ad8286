"""Summarises the runs of an experiment by means: one line for each recipe on each web.

Rules: all topics count the same, however many repetitions they have, and the standard error is that of the mean over
topics; if there is a single topic, over its repetitions. The gain over breadth-first is paired, topic by topic and
repetition by repetition. A figure that a run does not have (harvest at 2R of a shorter crawl) is left out of the mean. The
pooled calibration error is not a mean: the pages of all runs are put together, and each counts the same.
"""

import math
from collections.abc import Iterable, Sequence
from statistics import fmean, stdev
from typing import Final

import msgspec

from .accuracy import Accuracy, calibration_error
from .protocol import BASELINES, Run

FIGURES: Final = (
    "harvest_at_quarter_r", "harvest_at_r", "harvest_at_2r", "harvest_at_4r", "auc",
    "weighted_coverage", "held_out_recall", "bytes_per_relevant", "hosts",
    "new_tokens_per_1000", "fetched", "kept_precision", "kept_recall", "kept_f1", "best_f1", "calibration_error",
)  # fmt: skip
POOLED: Final = "pooled_calibration_error"
_YARDSTICK: Final = BASELINES[1]


class Mean(msgspec.Struct, frozen=True):
    mean: float
    error: float | None  # standard error; None: a single value has none


class Line(msgspec.Struct, frozen=True):
    web: str
    recipe: str
    runs: int
    topics: int
    gain: Mean | None  # harvest at R minus that of breadth-first
    figures: dict[str, Mean]


def summarise(runs: Sequence[Run]) -> list[Line]:
    keys = dict.fromkeys((run.web, run.recipe) for run in runs)
    return [_line([run for run in runs if (run.web, run.recipe) == key], runs) for key in keys]


def _line(own: list[Run], runs: Sequence[Run]) -> Line:
    plain = {(run.topic, run.repetition): run for run in runs if (run.web, run.recipe) == (own[0].web, _YARDSTICK)}
    pairs = [(run, plain[run.topic, run.repetition]) for run in own if (run.topic, run.repetition) in plain]
    gains = [(run.topic, run.harvest_at_r - other.harvest_at_r) for run, other in pairs]
    figures = {name: [(run.topic, getattr(run, name)) for run in own] for name in FIGURES}
    means = {name: mean_of(values) for name, values in figures.items()} | {POOLED: pooled(own)}
    return Line(
        own[0].web,
        own[0].recipe,
        len(own),
        len({run.topic for run in own}),
        None if own[0].recipe == _YARDSTICK else mean_of(gains),
        {name: mean for name, mean in means.items() if mean is not None},
    )


def pooled(runs: "Sequence[Run | Accuracy]") -> Mean | None:
    """Returns the calibration error of the pages of all runs together, or None if nothing was judged."""
    judged = [run.bins for run in runs if run.bins]
    return Mean(calibration_error(judged), None) if judged else None


def mean_of(values: Iterable[tuple[str, float | None]]) -> Mean | None:
    """Returns the mean of pairs (topic, value)."""
    topics: dict[str, list[float]] = {}
    for topic, value in values:
        if value is not None:
            topics.setdefault(topic, []).append(value)
    if not topics:
        return None
    units = [fmean(each) for each in topics.values()] if len(topics) > 1 else next(iter(topics.values()))
    return Mean(fmean(units), stdev(units) / math.sqrt(len(units)) if len(units) > 1 else None)
