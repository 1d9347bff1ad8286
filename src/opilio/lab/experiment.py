"""Turns the options of `opilio lab run` into jobs, and their runs into a result.

Rules: whatever cannot be used (labels or topics without a page, broken records) is counted and reported, and the rest
runs. A result holds neither times nor the names of machines or folders, so that the same question gives the same bytes.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from opilio.core.config import recipe_names
from opilio.core.errors import ConfigError
from opilio.core.outcome import Drop
from opilio.core.url import parse

from .labels import Labels, read_labels, sample_topics
from .protocol import BASELINES, ORACLE, SAMPLES, Failure, Job, Run, recipes_with_yardsticks
from .runner import labels_beside, name_of
from .shelf import Shelf
from .workers import Progress, run_jobs

EVERY_TOPIC: Final = "all"


class Question(msgspec.Struct, frozen=True):
    """The options of an experiment, as they were given on the command line."""

    webs: tuple[Path, ...]
    labels: tuple[Path, ...]  # one for each web; empty: WEB.labels.tsv beside it
    recipes: tuple[str, ...]
    topics: tuple[str, ...] = (EVERY_TOPIC,)
    topic_pages: tuple[int, int] = (1, 2**31)  # least and most pages of a topic, for "all" topics
    most_topics: int = 0  # how many of "all" topics are drawn; 0: all of them
    repeat: int = 1
    samples: int = SAMPLES
    seed_urls: Path | None = None
    budget: int = 0
    gold: bool = False
    per_host_cap: int = 0
    settings: tuple[str, ...] = ()
    flip: float = 0.0  # share of the pages whose verdict is reversed


class Plan(NamedTuple):
    jobs: list[Job]
    notes: list[str]  # what the operator should know: what was left out, and how much


class Result(msgspec.Struct, frozen=True):
    """The content of the JSON file."""

    gold: bool
    repeat: int
    budget: int  # 0: R
    per_host_cap: int  # 0: none
    settings: tuple[str, ...]
    notes: tuple[str, ...]
    runs: tuple[Run, ...]
    failures: tuple[Failure, ...]
    flip: float = 0.0


def plan(question: Question) -> Plan:
    _check_names("--web", [str(web) for web in question.webs])
    _check_names("--recipe", [*BASELINES, ORACLE, *question.recipes])
    found = Plan([], [])
    for web, path in zip(question.webs, _labels_files(question), strict=True):
        shelf = Shelf(web)
        labels = read_labels(path, shelf)
        found.notes.extend(_notes(name_of(str(web)), shelf, path, labels))
        topics = _topics(question, labels, name_of(str(web)), found.notes)
        found.notes.extend(_out_of_reach(path, shelf, labels, topics))
        seeds = _seeds(question.seed_urls, shelf, found.notes)
        found.jobs.extend(_jobs(question, web, path, topics, seeds))
    if not found.jobs:
        raise ConfigError(f"there is nothing to run. {' '.join(found.notes)}")
    return found


def answer(question: Question, found: Plan, processes: int = 0, progress: Progress = lambda _: None) -> Result:
    outcomes = run_jobs(found.jobs, processes, progress)
    runs = tuple(each for each in outcomes if isinstance(each, Run))
    failures = tuple(each for each in outcomes if isinstance(each, Failure))
    return Result(
        question.gold,
        question.repeat,
        question.budget,
        question.per_host_cap,
        question.settings,
        tuple(found.notes),
        runs,
        failures,
        question.flip,
    )


def _check_names(option: str, given: Sequence[str]) -> None:
    """Refuses equal names, because results are told apart by name."""
    of_names = {name_of(each): each for each in given}
    for each in given:
        if of_names[name_of(each)] != each:
            raise ConfigError(
                f'{option} {each} and {option} {of_names[name_of(each)]} would both be called "{name_of(each)}" in the result: '
                "rename one of them."
            )


def _labels_files(question: Question) -> Sequence[Path]:
    if question.labels and len(question.labels) != len(question.webs):
        raise ConfigError(
            f"{len(question.webs)} webs and {len(question.labels)} files of labels: give one --labels for each --web, in "
            "the same order."
        )
    return question.labels or [labels_beside(web) for web in question.webs]


def _notes(web: str, shelf: Shelf, path: Path, labels: Labels) -> list[str]:
    counts = (
        (shelf.broken, f"{web}: {shelf.broken:,} broken records were skipped."),
        (labels.missing, f"{path.name}: {labels.missing:,} URLs are not in the web; their labels do not count."),
        (labels.malformed, f"{path.name}: {labels.malformed:,} lines are not of the form url, TAB, label."),
    )
    return [note for count, note in counts if count]


def _out_of_reach(path: Path, shelf: Shelf, labels: Labels, topics: Sequence[str]) -> list[str]:
    """Notes relevant pages that cannot be fetched. It reads the record of each one once, in about 0.5 ms."""
    relevant = frozenset[str]().union(*(labels.topics[topic] for topic in topics))
    count = sum(not shelf.has_page(url) for url in relevant)
    note = f"{path.name}: {count:,} URLs of these topics are redirects or errors. They count in R, but are not pages."
    return [note] if count else []


def _topics(question: Question, labels: Labels, web: str, notes: list[str]) -> list[str]:
    named = [topic for topic in question.topics if topic != EVERY_TOPIC]
    empty = [topic for topic in named if topic not in labels.topics]
    notes += [f'{web}: no page has the topic "{topic}"; it is left out.' for topic in empty]
    chosen = [topic for topic in named if topic in labels.topics]
    if EVERY_TOPIC in question.topics:
        fewest, most = question.topic_pages
        fitting = [topic for topic, pages in labels.topics.items() if fewest <= len(pages) <= most]
        chosen += sample_topics(fitting, question.most_topics)
    return list(dict.fromkeys(chosen))


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


def _jobs(question: Question, web: Path, labels: Path, topics: list[str], seeds: tuple[str, ...]) -> list[Job]:
    """Returns the jobs in the order topic, repetition, recipe, so that consecutive jobs share cached pages."""
    return [
        Job(
            str(web.absolute()), str(labels.absolute()), topic, recipe, repetition, question.samples, seeds,
            question.budget, question.gold, question.per_host_cap, question.settings, question.flip,
        )
        for topic in topics
        for repetition in range(1, question.repeat + 1)
        for recipe in recipes_with_yardsticks([_recipe(name) for name in question.recipes])
    ]  # fmt: skip


def _recipe(name: str) -> str:
    if name.endswith(".toml"):
        if not Path(name).is_file():
            raise ConfigError(f"there is no file {name}. --recipe takes a recipe's name or the path of a crawl.toml.")
        return str(Path(name).absolute())
    if name not in (*recipe_names(), ORACLE):
        raise ConfigError(f'there is no recipe "{name}". Recipes: {", ".join((*recipe_names(), ORACLE))}.')
    return name
