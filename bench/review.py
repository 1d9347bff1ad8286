"""`bench review`: how much better does a judge get when it may ask?

For each topic of OPILIO_DATA/samples/topics.jsonl the judge of the recipe `learned` gets one text that somebody has written about
it, meets all pages of `schools`, and asks about the pages that `opilio review` would ask about; the labels answer. F1 is that of
the verdicts on all pages that it did not ask about: at the judge's own line, and at the best possible line, which tells how well
the pages are ranked. Questions about pages that are drawn by chance stand beside it.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Page, Verdict
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.judge import Judge
from opilio.judge.asking import choose_pool, least_sure

from .form import Cell, Goal, Report
from .schools import Schools, read_schools

_ANSWERS: Final = (0, 10, 20)
_RULES: Final = ("review", "chance")
_LINE: Final = 0.5
_GOAL: Final = 60.0
_COLUMNS: Final = ("topic", "asked about", "answers", "yes %", "F1 at its line %", "F1 at the best line %")
_SAMPLES: Final = "samples/topics.jsonl"


class Stage(NamedTuple):
    own: float  # F1 at the judge's own line
    best: float
    yes: float  # share of the answers


def run(topics: int = 12, rounds: int = 1, progress: Callable[[int, int], None] = lambda _done, _all: None) -> Report:
    """`topics`: how many of the file are taken, in its order. `rounds`: how many texts of each topic are tried, each alone, which
    takes two minutes each."""
    schools = read_schools()
    texts = own_texts()
    chosen = [(topic, text) for topic in list(texts)[:topics] for text in texts[topic][:rounds]]
    found: list[tuple[str, str, int, Stage]] = []
    for number, (topic, text) in enumerate(chosen):
        progress(number, len(chosen))
        judge = acquainted(schools, topic, text)
        verdicts = _judge(judge, schools.pages.values())
        for rule in _RULES:
            found += [(topic, rule, *stage) for stage in interview(schools, topic, _copy(judge), verdicts, rule)]
    return _report(found)


def acquainted(schools: Schools, topic: str, text: str) -> Judge:
    """Returns a judge that has met all pages."""
    judge = _build((Sample(topic, text),))
    for page in schools.pages.values():
        judge.watch(page, judge.judge(page))
    return judge


def _copy(judge: Judge) -> Judge:
    return _build((), judge.state())


def _build(samples: tuple[Sample, ...], state: bytes | None = None) -> Judge:
    config = load_config(recipe="learned")
    return Judge.adopt(build_plugin("judge", config.judge, Context(config, None, samples, state)))


def interview(
    schools: Schools, topic: str, judge: Judge, verdicts: Sequence[Verdict], rule: str
) -> Iterator[tuple[int, Stage]]:
    """Yields how good the verdicts are after each number of answers; `verdicts` are those before the first."""
    pages = list(schools.pages.values())
    relevant = schools.labels.relevant(topic)
    ranked = sorted(range(len(pages)), key=lambda place: -verdicts[place].score)
    pool = choose_pool(ranked)
    asked_pages = [pages[place] for place in pool]
    scores = [verdicts[place].score for place in pool]
    said: dict[str, bool] = {}
    asked: list[int] = []
    by_chance = Random(0).sample(range(len(pool)), len(pool))
    for count in range(max(_ANSWERS) + 1):
        if count in _ANSWERS:
            others = [page for page in pages if page.url not in said]
            now = _judge(judge, others) if said else verdicts
            yield count, _stage(now, np.array([page.url in relevant for page in others]), said)
        place = least_sure(scores, _LINE, asked) if rule == "review" else by_chance[len(asked)]
        if place is None:
            return
        asked.append(place)
        page = asked_pages[place]
        said[page.url] = page.url in relevant
        if judge.teach(page, said[page.url]):
            scores = [judge.judge(page).score for page in asked_pages]


def _judge(judge: Judge, pages: Iterable[Page]) -> list[Verdict]:
    return [judge.judge(page) for page in pages]


def _stage(verdicts: Sequence[Verdict], belongs: npt.NDArray[np.bool_], said: dict[str, bool]) -> Stage:
    kept = np.array([verdict.belongs for verdict in verdicts])
    best = belongs[np.argsort([-verdict.score for verdict in verdicts], kind="stable")].cumsum()
    yes = fmean(said.values()) if said else 0.0
    lengths = np.arange(1, len(best) + 1)
    return Stage(
        float(_f1(kept[belongs].sum(), kept.sum(), belongs.sum())), float(_f1(best, lengths, belongs.sum()).max()), yes
    )


def _f1(right: npt.NDArray[np.int_], kept: npt.NDArray[np.int_], relevant: int) -> npt.NDArray[np.float64]:
    return 2.0 * right / np.maximum(1, kept + relevant)


def own_texts() -> dict[str, list[str]]:
    path = Path(os.environ.get("OPILIO_DATA", "")) / _SAMPLES
    if not path.is_file():
        raise ConfigError(f"there is no {path}. Let OPILIO_DATA name a folder with {_SAMPLES}.")
    found: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        sample = json.loads(line)
        found.setdefault(sample["topic"], []).append(sample["text"])
    return found


def _report(found: Sequence[tuple[str, str, int, Stage]]) -> Report:
    own = [(topic, rule, answers, stage) for topic, rule, answers, stage in found if rule == "review"]
    rows = [_row(topic, rule, answers, [stage]) for topic, rule, answers, stage in own]
    for rule in dict.fromkeys(rule for _, rule, _, _ in found):
        for answers in _ANSWERS:
            stages = [stage for _, name, count, stage in found if (name, count) == (rule, answers)]
            rows.append(_row("mean", rule, answers, stages))
    after = [stage.own for _, _, answers, stage in own if answers == _ANSWERS[-1]]
    goal = Goal(f"F1 after {_ANSWERS[-1]} answers, mean", round(100 * fmean(after), 1), _GOAL, "%")
    return Report("review", _COLUMNS, rows, [goal])


def _row(topic: str, rule: str, answers: int, stages: Sequence[Stage]) -> tuple[Cell, ...]:
    own, best, yes = (round(100 * fmean(figures), 1) for figures in zip(*stages, strict=True))
    return topic, rule, answers, yes, own, best
