"""Turns the options of `opilio lab judge` into jobs, and their runs into a result.

Ways of giving samples are all combinations of the origins, numbers, lengths and forms that are asked for. Texts of one's
own are taken in the order of their file: the first one, two, … of a topic. With `each`, every text is the first one in
turn. Pages of the web are drawn by the repetition. A result holds neither times nor the names of folders.
"""

from collections.abc import Iterator
from itertools import product, starmap
from typing import Final, NamedTuple

import msgspec

from opilio.core.errors import ConfigError
from opilio.lab.protocol import SAMPLES, Failure
from opilio.lab.samples import FORMS, PLAIN
from opilio.lab.texts import Texts
from opilio.lab.topics import Scope, Selected, check_names, find_recipe, own_texts, select
from opilio.lab.workers import JudgeProgress, run_jobs

from .job import OF_THE_WEB, ORIGINS, OWN, JudgeJob, JudgeRun, Way

_RECIPE: Final = "learned"


class JudgeQuestion(msgspec.Struct, frozen=True):
    """The options of `lab judge`, as they were given on the command line."""

    scope: Scope
    origins: tuple[str, ...] = ()  # empty: the texts if there are any, else pages of the web
    samples: tuple[int, ...] = (SAMPLES,)
    words: tuple[int, ...] = (0,)
    forms: tuple[str, ...] = (PLAIN,)
    each: bool = False
    meet: int = 0
    others: int = 0

    @property
    def ways(self) -> list[Way]:
        origins = self.origins or (OWN if self.scope.texts else OF_THE_WEB,)
        return list(dict.fromkeys(starmap(Way, product(origins, self.samples, self.forms, self.words))))


class JudgePlan(NamedTuple):
    jobs: list[JudgeJob]
    notes: list[str]  # what the operator should know: what was left out, and how much


class JudgeResult(msgspec.Struct, frozen=True):
    repeat: int
    meet: int  # 0: all
    others: int  # 0: all
    settings: tuple[str, ...]
    notes: tuple[str, ...]
    runs: tuple[JudgeRun, ...]
    failures: tuple[Failure, ...]


def plan(question: JudgeQuestion) -> JudgePlan:
    _check(question)
    texts = own_texts(question.scope)
    found = JudgePlan([], [])
    for selected in select(question.scope, found.notes):
        for topic in selected.topics:
            found.jobs.extend(_jobs(question, selected, topic, texts, found.notes))
    if not found.jobs:
        raise ConfigError(f"there is nothing to run. {' '.join(found.notes)}")
    return found


def answer(question: JudgeQuestion, found: JudgePlan, processes: int, progress: JudgeProgress) -> JudgeResult:
    outcomes = run_jobs(found.jobs, processes, progress)
    return JudgeResult(
        question.scope.repeat,
        question.meet,
        question.others,
        question.scope.settings,
        tuple(found.notes),
        tuple(each for each in outcomes if isinstance(each, JudgeRun)),
        tuple(each for each in outcomes if isinstance(each, Failure)),
    )


def _check(question: JudgeQuestion) -> None:
    check_names("--recipe", question.scope.recipes)
    for option, given, known in (("form", question.forms, [*FORMS]), ("origin", question.origins, ORIGINS)):
        if unknown := [each for each in given if each not in known]:
            raise ConfigError(f'"{unknown[0]}" is not a value of --{option}. It takes: {", ".join(known)}.')
    if OWN in question.origins and question.scope.texts is None:
        raise ConfigError(f"--origin {OWN} needs --texts FILE, with a topic and a text in each line.")


def _jobs(
    question: JudgeQuestion, selected: Selected, topic: str, texts: Texts, notes: list[str]
) -> Iterator[JudgeJob]:
    """Yields the jobs of one topic."""
    own, scope = texts.get(topic, ()), question.scope
    for way in question.ways:
        if way.origin == OWN and way.samples > len(own):
            notes.append(f"{topic} has {len(own)} texts; {way.samples} samples of it are left out.")
            continue
        repetitions, firsts = range(1, scope.repeat + 1), _firsts(way, len(own), each=question.each)
        for recipe, repetition, first in product(scope.recipes or (_RECIPE,), repetitions, firsts):
            chosen = [(first + step) % len(own) for step in range(way.samples)] if way.origin == OWN else []
            yield JudgeJob(
                web=str(selected.web.absolute()),
                labels=str(selected.labels.absolute()),
                topic=topic,
                recipe=find_recipe(recipe),
                repetition=repetition,
                way=way,
                first=first,
                texts=tuple(own[place] for place in chosen),
                fellows=tuple(text for place, text in enumerate(own) if place not in chosen),
                strangers=tuple(text for other, found in texts.items() if other != topic for text in found),
                meet=question.meet,
                others=question.others,
                settings=scope.settings,
            )


def _firsts(way: Way, count: int, *, each: bool) -> range:
    """Returns the places of the first sample in the file of texts."""
    return range(count) if each and way.origin == OWN and way.samples < count else range(1)
