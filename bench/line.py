"""`bench line`: do the constants of the topic judge's line carry over to topics that they were not chosen on?

The twelve topics of OPILIO_DATA/samples/topics.jsonl are two halves. The constants are chosen on one half, one after the other,
each as the value with the highest F1 at the judge's own line, mean of five texts and of the first text alone; then F1 is measured
on the other half, and the other way round. The constants as they are shipped stand beside them. What is chosen on a half and
measured on the same half shows what choosing can gain at most.

For each topic and number of texts a judge meets all pages of `schools` once; for each set of constants it is then fitted anew to
the pages that it remembers. While constants are chosen, a thousand pages stand for those that are not relevant; the figures of
the table are those of all pages.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from msgspec.structs import replace

from opilio.core.config import load_config
from opilio.core.items import Page
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.core.saved import pack, unpack
from opilio.judge import Judge, topic_search
from opilio.judge.topical import NO_TOPIC, State
from opilio.lab.accuracy import Accuracy, compare

from .form import Cell, Goal, Report
from .review import own_texts
from .schools import Schools, read_schools

FIRST_HALF: Final = ("Birds", "Space_Astronomy", "Railway_transport", "Mathematics", "Dinosaurs", "Architecture")
VALUES: Final[Mapping[str, Sequence[float]]] = {
    "LINE": (0.69, 0.72, 0.75, 0.78, 0.81, 0.84),
    "PRIOR_HEIGHT": (5.0, 6.0, 7.0, 8.0, 9.0),
    "_AGREEMENT": (0.2, 0.3, 0.4, 0.5, 0.6),
    "_RARITY": (0.0, 0.006, 0.012, 0.024),
    "_PRIOR_PAGES": (4, 8, 16),
}  # in the order in which they are chosen
_NUMBERS: Final = (5, 1)  # of texts
_OTHERS: Final = 1_000
_GOAL: Final = -2.0
_COLUMNS: Final = ("topics", "constants", "F1 of five %", "best %", "F1 of one %", "best %")

Constants = tuple[tuple[str, float], ...]
Progress = Callable[[int, int], None]


class Case(NamedTuple):
    """A judge that has met all pages, and the pages by which it is measured."""

    topic: str
    texts: int
    met: State
    relevant: Sequence[Page]
    others: Sequence[Page]

    def measure(self, constants: Constants, others: int = 0) -> Accuracy:
        """Fits the judge anew. If `others` is not 0, that many pages stand for all that are not relevant."""
        drawn = Random(0).sample(self.others, min(others, len(self.others))) if others else self.others
        for name, value in constants:
            setattr(topic_search, name, value)
        judge = _build((), pack(replace(self.met, topic=NO_TOPIC)))
        verdicts = [judge.judge(page) for page in (*self.relevant, *drawn)]
        truth = [True] * len(self.relevant) + [False] * len(drawn)
        return compare(
            [each.score for each in verdicts],
            [each.belongs for each in verdicts],
            truth,
            len(self.others) / max(1, len(drawn)),
        )


def run(topics: int = 12, progress: Progress = lambda _done, _all: None) -> Report:
    """`topics`: how many of the file are taken, in its order."""
    texts = dict(list(own_texts().items())[:topics])
    cases = list(_cases(read_schools(), texts, progress))
    halves = [[case for case in cases if (case.topic in FIRST_HALF) is first] for first in (True, False)]
    shipped = tuple((name, getattr(topic_search, name)) for name in VALUES)
    rows: list[tuple[Cell, ...]] = []
    gains = []
    try:
        for own, other in (halves, halves[::-1]):
            chosen = choose(own, shipped)
            for place, constants in (("where they were chosen", chosen), ("shipped", shipped)):
                rows.append(_row(own, place, constants))
            rows += [_row(other, "chosen on the others", chosen), _row(other, "shipped", shipped)]
            gains.append(_f1(other, chosen) - _f1(other, shipped))
    finally:
        for name, value in shipped:
            setattr(topic_search, name, value)
    notes = [f"Constants as shipped: {_named(shipped)}."]
    goal = Goal("gain on topics that constants were not chosen on", round(100 * fmean(gains), 1), _GOAL, "points of F1")
    return Report("line", _COLUMNS, rows, [goal], notes)


def choose(cases: Sequence[Case], start: Constants) -> Constants:
    """Returns the constants that are best for these cases, where each is chosen with those before it."""
    best = dict(start)
    for name, values in VALUES.items():
        best[name] = max(values, key=lambda value: _f1(cases, tuple({**best, name: value}.items()), _OTHERS))
    return tuple(best.items())


def _cases(schools: Schools, texts: Mapping[str, Sequence[str]], progress: Progress) -> Iterator[Case]:
    for number, (topic, own) in enumerate(texts.items()):
        progress(number, len(texts))
        relevant = schools.labels.relevant(topic)
        for count in _NUMBERS:
            judge = _build(tuple(Sample(f"{topic} {place}", text) for place, text in enumerate(own[:count])))
            for page in schools.pages.values():
                judge.watch(page, judge.judge(page))
            met: State = unpack(judge.state() or b"", State, "the judge")
            pages = schools.pages.values()
            yield Case(
                topic,
                count,
                met,
                [page for page in pages if page.url in relevant],
                [page for page in pages if page.url not in relevant],
            )


def _build(samples: tuple[Sample, ...], state: bytes | None = None) -> Judge:
    config = load_config(recipe="learned")
    return Judge.adopt(build_plugin("judge", config.judge, Context(config, None, samples, state)))


def _f1(cases: Sequence[Case], constants: Constants, others: int = 0) -> float:
    return fmean(case.measure(constants, others).f1 for case in cases)


def _row(cases: Sequence[Case], name: str, constants: Constants) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for count in _NUMBERS:
        found = [case.measure(constants) for case in cases if case.texts == count]
        cells += [round(100 * fmean(getattr(each, figure) for each in found), 1) for figure in ("f1", "best_f1")]
    half = "first half" if cases[0].topic in FIRST_HALF else "second half"
    return (half, name if name == "shipped" else f"{name}: {_named(constants)}", *cells)


def _named(constants: Constants) -> str:
    return ", ".join(f"{name.strip('_').lower()} {value:g}" for name, value in constants)
