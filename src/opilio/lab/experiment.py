"""Turns the options of `opilio lab run` into jobs, and their runs into a result.

Rule: a result holds neither times nor the names of machines or folders, so that the same question gives the same bytes.
"""

from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.outcome import Drop
from opilio.core.url import parse

from .budget import Budget
from .pace import Pace
from .protocol import SAMPLES, Cost, Failure, Job, Run, judged_by_language, recipes_with_yardsticks
from .runner import name_of
from .shelf import Shelf
from .topics import Scope, Selected, check_names, find_recipe, own_texts, select
from .workers import Progress, run_jobs

_NAMED_TOPICS: Final = 8  # in a note


class Question(msgspec.Struct, frozen=True):
    """The options of an experiment, as they were given on the command line."""

    scope: Scope
    samples: int = SAMPLES
    seed_urls: Path | None = None
    budget: Budget = Budget()
    gold: bool = False
    per_host_cap: int = 0
    flip: float = 0.0  # share of the pages whose verdict is reversed
    pace: Pace = Pace()
    against: str = ""  # the recipe that the others are compared with
    baselines: bool = True  # with random order, breadth-first and the oracle


class Plan(NamedTuple):
    jobs: list[Job]
    notes: list[str]  # what the operator should know: what was left out, and how much


class Result(msgspec.Struct, frozen=True):
    """The content of the JSON file."""

    gold: bool
    repeat: int
    budget: int  # 0: R, or a multiple of it
    per_host_cap: int  # 0: none
    settings: tuple[str, ...]
    notes: tuple[str, ...]
    runs: tuple[Run, ...]
    failures: tuple[Failure, ...]
    flip: float = 0.0
    budget_of_r: float = 0.0  # the budget in multiples of R
    delay_s: float = 0.0
    parallel: int = 1
    samples: int = SAMPLES
    against: str = ""
    costs: tuple[Cost, ...] = ()  # not in the file, because they differ from one time to the next


def plan(question: Question) -> Plan:
    recipes = recipes_with_yardsticks(_named(question), baselines=question.baselines)
    if not recipes:
        raise ConfigError("there is nothing to run: name a recipe with --recipe, or leave --no-baselines out.")
    check_names("--recipe", recipes)
    found = Plan([], [])
    for selected in select(question.scope, found.notes):
        seeds = _seeds(question.seed_urls, selected.shelf, found.notes)
        found.notes.extend(_judged_by_language(selected))
        found.jobs.extend(_jobs(question, selected, seeds))
    if not found.jobs:
        raise ConfigError(f"there is nothing to run. {' '.join(found.notes)}")
    return found


def answer(question: Question, found: Plan, processes: int = 0, progress: Progress = lambda _: None) -> Result:
    costs: list[Cost] = []
    outcomes = run_jobs(found.jobs, processes, progress, costs.append)
    runs = tuple(each for each in outcomes if isinstance(each, Run))
    failures = tuple(each for each in outcomes if isinstance(each, Failure))
    return Result(
        question.gold,
        question.scope.repeat,
        question.budget.fetches,
        question.per_host_cap,
        question.scope.settings,
        tuple(found.notes),
        runs,
        failures,
        question.flip,
        question.budget.of_r,
        *question.pace,
        question.samples,
        name_of(question.against),
        tuple(costs),
    )


def _seeds(path: Path | None, shelf: Shelf, notes: list[str]) -> tuple[str, ...]:
    if path is None:
        return ()
    try:
        lines = [line.strip() for line in path.read_text("utf-8-sig").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the seed URLs {path}: {error}.") from error
    urls = [parse(line) for line in lines if line and not line.startswith("#")]
    known = dict.fromkeys(url.href for url in urls if not isinstance(url, Drop) and url.href in shelf)
    if not known:
        raise ConfigError(f"none of the seed URLs in {path} is a page of the web.")
    if len(known) < len(urls):
        notes.append(f"{path.name}: {len(urls) - len(known):,} of {len(urls):,} seed URLs are not pages of the web.")
    return tuple(known)


def _judged_by_language(selected: Selected) -> list[str]:
    """Says where the judge is not that of the recipe."""
    topics = [topic for topic in selected.topics if judged_by_language(topic, selected.known)]
    if not topics:
        return []
    some = ", ".join(topics[:_NAMED_TOPICS]) + (" …" if len(topics) > _NAMED_TOPICS else "")
    what = "is a language" if len(topics) == 1 else "are languages"
    return [f"{name_of(str(selected.web))}: {some} {what}, and judged as such, unless a recipe keeps every page."]


def _named(question: Question) -> list[str]:
    """Returns the recipes that were named, with the one that the others are compared with."""
    return list(dict.fromkeys((*question.scope.recipes, *filter(None, [question.against]))))


def _jobs(question: Question, selected: Selected, seeds: tuple[str, ...]) -> list[Job]:
    """Returns the jobs in the order topic, repetition, recipe, so that consecutive jobs share cached pages."""
    texts = own_texts(question.scope)
    named = [find_recipe(name) for name in _named(question)]
    recipes = recipes_with_yardsticks(named, baselines=question.baselines)
    return [
        Job(
            str(selected.web.absolute()), str(selected.labels.absolute()), topic, recipe, repetition, question.samples, seeds,
            question.budget.fetches, question.gold, question.per_host_cap, question.scope.settings, question.flip,
            texts.get(topic, ())[: question.samples], question.budget.of_r, *question.pace,
        )
        for topic in selected.topics
        for repetition in range(1, question.scope.repeat + 1)
        for recipe in recipes
    ]  # fmt: skip
