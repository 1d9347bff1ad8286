"""Summarises the runs of an experiment by means: one line for each recipe on each web.

Rules: all topics count the same, however many repetitions they have, and the standard error and the 95 % interval are those
of the mean over topics; if there is a single topic, over its repetitions. Recipes are compared with another one (breadth-first,
or the one that the operator names) in pairs, topic by topic and repetition by repetition; the repetitions of a topic are alike
and so count as one pair, unless there is a single topic. A figure that a run does not have (harvest at 2R of a shorter crawl)
is left out of the mean. The pooled calibration error is not a mean: the pages of all runs are put together, and each counts
the same. Processor time is the median of the runs, because the first one of a process loads compiled code.
"""

from collections.abc import Iterable, Sequence
from statistics import fmean, median
from typing import Final

import msgspec

from .accuracy import Accuracy, calibration_error
from .inference import flip_signs, half_width, standard_error
from .protocol import BASELINES, Cost, Run

FIGURES: Final = (
    "harvest_at_quarter_r", "harvest_at_r", "harvest_at_2r", "harvest_at_4r", "auc",
    "weighted_coverage", "held_out_recall", "bytes_per_relevant", "hosts",
    "new_tokens_per_1000", "fetched", "time_to_r_s", "seconds_per_relevant",
    "kept_precision", "kept_recall", "kept_f1", "best_f1", "calibration_error",
)  # fmt: skip
POOLED: Final = "pooled_calibration_error"
CPU: Final = "cpu_ms"
_YARDSTICK: Final = BASELINES[1]


class Mean(msgspec.Struct, frozen=True):
    mean: float
    error: float | None  # standard error; None: a single value has none
    low: float | None = None  # the 95 % interval
    high: float | None = None


class Difference(Mean, frozen=True):
    """A recipe's figure minus that of the recipe that it is compared with."""

    p: float = 1.0
    pairs: int = 0


class Line(msgspec.Struct, frozen=True):
    web: str
    recipe: str
    runs: int
    topics: int
    gain: Mean | None  # harvest at R minus that of breadth-first
    figures: dict[str, Mean]
    judges: tuple[str, ...] = ()  # what decided about pages; several if the topics had different ones
    against: str = ""  # the recipe that this one is compared with
    differences: dict[str, Difference] = {}  # figure → difference from that recipe


def summarise(runs: Sequence[Run], against: str = "", costs: Sequence[Cost] = ()) -> list[Line]:
    """Returns the lines in the order of the runs. Each is compared with the recipe `against` too, if one is named."""
    cpu_ms: dict[tuple[str, str], list[float]] = {}
    for cost in costs:
        cpu_ms.setdefault((cost.web, cost.recipe), []).append(cost.cpu_ms)
    keys = dict.fromkeys((run.web, run.recipe) for run in runs)
    return [
        _line([run for run in runs if (run.web, run.recipe) == key], runs, against, cpu_ms.get(key, ())) for key in keys
    ]


def _line(own: list[Run], runs: Sequence[Run], against: str, cpu_ms: Sequence[float]) -> Line:
    pairs = _pairs(own, runs, _YARDSTICK)
    gains = [(run.topic, run.harvest_at_r - other.harvest_at_r) for run, other in pairs]
    rivals = _pairs(own, runs, against) if against != own[0].recipe else []
    compared = {name: _difference(rivals, name) for name in FIGURES}
    figures = {name: [(run.topic, getattr(run, name)) for run in own] for name in FIGURES}
    means = {name: mean_of(values) for name, values in figures.items()} | {POOLED: pooled(own)}
    means |= {CPU: Mean(median(cpu_ms), None)} if cpu_ms else {}
    return Line(
        own[0].web,
        own[0].recipe,
        len(own),
        len({run.topic for run in own}),
        None if own[0].recipe == _YARDSTICK else mean_of(gains),
        {name: mean for name, mean in means.items() if mean is not None},
        tuple(sorted({run.judge for run in own})),
        against,
        {name: difference for name, difference in compared.items() if difference is not None},
    )


def _pairs(own: Sequence[Run], runs: Sequence[Run], recipe: str) -> list[tuple[Run, Run]]:
    others = {(run.topic, run.repetition): run for run in runs if (run.web, run.recipe) == (own[0].web, recipe)}
    return [(run, others[run.topic, run.repetition]) for run in own if (run.topic, run.repetition) in others]


def _difference(pairs: Sequence[tuple[Run, Run]], name: str) -> Difference | None:
    found = [(run.topic, getattr(run, name), getattr(other, name)) for run, other in pairs]
    values = [(topic, one - other) for topic, one, other in found if one is not None and other is not None]
    if (mean := mean_of(values)) is None:
        return None
    units = _units(values)
    return Difference(mean.mean, mean.error, mean.low, mean.high, flip_signs(units), len(units))


def pooled(runs: "Sequence[Run | Accuracy]") -> Mean | None:
    """Returns the calibration error of the pages of all runs together, or None if nothing was judged."""
    judged = [run.bins for run in runs if run.bins]
    return Mean(calibration_error(judged), None) if judged else None


def mean_of(values: Iterable[tuple[str, float | None]]) -> Mean | None:
    """Returns the mean of pairs (topic, value)."""
    units = _units([(topic, value) for topic, value in values if value is not None])
    if not units:
        return None
    mean, half = fmean(units), half_width(units)
    interval = (None, None) if half is None else (mean - half, mean + half)
    return Mean(mean, standard_error(units), *interval)


def _units(values: Iterable[tuple[str, float]]) -> list[float]:
    """Returns the mean of each topic, or all values if there is a single topic."""
    topics: dict[str, list[float]] = {}
    alone = list(values)
    for topic, value in alone:
        topics.setdefault(topic, []).append(value)
    return [fmean(each) for each in topics.values()] if len(topics) > 1 else [value for _, value in alone]
