"""Summarises the runs of `lab judge`: means of each way of giving samples, and how much the ways differ.

Rules: every topic counts the same, however many runs it has; only in the pooled calibration error every page does. Two forms
are compared by the pages that both keep of a topic with the same samples: what only one of them keeps, as a share of what
either keeps. Numbers of samples are compared by F1: a fall is by how much F1 is lower with the next number.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from statistics import fmean
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from opilio.lab.summary import POOLED, Mean, mean_of, pooled

from .job import JudgeRun, Way

FIGURES: Final = (
    "precision", "recall", "f1", "best_f1", "auc", "calibration_error", "kept", "relevant", "strangers", "fellows",
)  # fmt: skip


class Group(msgspec.Struct, frozen=True, order=True):
    """Runs that differ only in topic and draw."""

    web: str
    recipe: str
    way: Way


class JudgeLine(msgspec.Struct, frozen=True):
    """The means of a group, or of one topic of it."""

    group: Group
    runs: int
    topics: int
    figures: dict[str, Mean]
    meeting_f1: float  # of the verdicts that were given while the pages were met
    least_precision: tuple[str, float]  # topic and precision


class Comparison(msgspec.Struct, frozen=True):
    """Two ways of giving samples, compared topic by topic."""

    web: str
    recipe: str
    one: Way
    other: Way
    mean: Mean
    most: tuple[str, float]  # the topic with the highest value


def groups(runs: Sequence[JudgeRun]) -> dict[Group, list[JudgeRun]]:
    found: dict[Group, list[JudgeRun]] = {}
    for run in runs:
        found.setdefault(Group(run.web, run.recipe, run.way), []).append(run)
    return found


def summarise(runs: Sequence[JudgeRun]) -> list[JudgeLine]:
    return [_line(group, own) for group, own in groups(runs).items()]


def by_topic(runs: Sequence[JudgeRun]) -> dict[str, list[JudgeLine]]:
    topics = dict.fromkeys(run.topic for run in runs)
    return {topic: summarise([run for run in runs if run.topic == topic]) for topic in topics}


def differences(runs: Sequence[JudgeRun]) -> Iterator[Comparison]:
    """Yields each pair of forms of the same samples: what only one of them keeps, as a share of what either keeps."""
    for (one, ones), (other, others) in combinations(groups(runs).items(), 2):
        if _with(one, form=other.way.form) == other:
            twins = {(run.topic, run.repetition, run.first): run for run in others}
            pairs = [(run, twins.get((run.topic, run.repetition, run.first))) for run in ones]
            yield from _compare(one, other, [(run.topic, _difference(run, twin)) for run, twin in pairs if twin])


def falls(runs: Sequence[JudgeRun]) -> Iterator[Comparison]:
    """Yields each step from one number of samples to the next: by how much F1 falls, or below 0 if it rises."""
    found = groups(runs)
    ordered = sorted(found, key=lambda group: (_with(group, samples=0), group.way.samples))
    for one, other in pairwise(ordered):
        if _with(one, samples=other.way.samples) == other:
            before, after = (_f1_by_topic(found[group]) for group in (one, other))
            yield from _compare(
                one, other, [(topic, before[topic] - after[topic]) for topic in before if topic in after]
            )


def _compare(one: Group, other: Group, values: Sequence[tuple[str, float]]) -> Iterator[Comparison]:
    """Yields one comparison, or none if the two have no topic in common."""
    if mean := mean_of(values):
        yield Comparison(one.web, one.recipe, one.way, other.way, mean, max(values, key=lambda pair: pair[1]))


def _with(group: Group, **changes: Any) -> Group:
    return replace(group, way=replace(group.way, **changes))


def _line(group: Group, own: list[JudgeRun]) -> JudgeLine:
    means = {name: mean_of((run.topic, getattr(run, name)) for run in own) for name in FIGURES} | {POOLED: pooled(own)}
    meeting = mean_of((run.topic, run.meeting.f1) for run in own)
    assert meeting is not None
    lowest = min(own, key=lambda run: run.precision)
    return JudgeLine(
        group,
        len(own),
        len({run.topic for run in own}),
        {name: mean for name, mean in means.items() if mean is not None},
        meeting.mean,
        (lowest.topic, lowest.precision),
    )


def _difference(one: JudgeRun, other: JudgeRun) -> float:
    weights = one.kept_pages | other.kept_pages
    by_one = one.kept_pages.keys() ^ other.kept_pages.keys()
    return sum(weights[page] for page in by_one) / sum(weights.values()) if weights else 0.0


def _f1_by_topic(runs: Sequence[JudgeRun]) -> dict[str, float]:
    topics = dict.fromkeys(run.topic for run in runs)
    return {topic: fmean(run.f1 for run in runs if run.topic == topic) for topic in topics}
