"""Runs one job: draws its samples, lets the recipe crawl the recorded web in a folder of its own, and measures the
result.

The crawl is the one that every user runs, built by `engine.build` from the recipe's settings. `SETTINGS` lists the
differences: one page after the other and no delays, so that the same job gives the same order; few commits and no
compression, because the folder is deleted afterwards.
"""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from opilio.core.config import Config, load_config
from opilio.core.errors import ConfigError, OpilioError
from opilio.core.events import Event, Events
from opilio.core.items import Gleaned, Seed
from opilio.core.outcome import Outcome
from opilio.core.plugin import Context, build_plugin
from opilio.engine.build import Blueprint
from opilio.engine.run import run_crawl
from opilio.engine.samples import sample_reader
from opilio.judge import Judge
from opilio.lead import Lead

from .flip import Flipped
from .labels import Labels, read_labels
from .layers import SETTINGS
from .measures import Download, Trace, Yardstick, measure
from .oracle import Gold, Oracle
from .protocol import ORACLE, SCALES, Failure, Job, Run, judged_by_language
from .shelf import Shelf

_UNFOCUSED_JUDGE: Final = "everything"  # the judge of recipes without a focus


class Draw(NamedTuple):
    seeds: tuple[str, ...]
    samples: tuple[str, ...]


class Runner:
    """Holds one web at a time; jobs that come in the order of their webs share it."""

    def __init__(self) -> None:
        self._opened: tuple[str, str] | None = None
        self._shelf: Shelf
        self._labels: Labels
        self._tokens: dict[str, int] = {}  # topic → tokens of its pages

    def run(self, job: Job) -> Run | Failure:
        """Runs a job; a mistake of the operator ends this run, but not the experiment."""
        try:
            self._open(job)
            return self._run(job)
        except OpilioError as error:
            return Failure(name_of(job.web), job.topic, name_of(job.recipe), job.repetition, str(error))

    def _open(self, job: Job) -> None:
        if self._opened != (job.web, job.labels):
            self._opened = None
            self._shelf = Shelf(Path(job.web))
            self._labels = read_labels(Path(job.labels), self._shelf)
            self._tokens = {}
            self._opened = (job.web, job.labels)

    def _run(self, job: Job) -> Run:
        relevant = self._labels.relevant(job.topic)
        drawn = draw(job, self._labels.topics.get(job.topic, ()), self._shelf)
        budget = job.budget or len(relevant)
        limit = job.budget or 2 * len(relevant)
        with tempfile.TemporaryDirectory(prefix="opilio-lab-") as name:
            folder = Path(name)
            config = self._config(job, len(relevant), limit, save_samples(drawn.samples, self._shelf, folder))
            gold = job.gold and config.judge["name"] != _UNFOCUSED_JUDGE
            judge: Judge | None = Gold(relevant) if gold else None
            if job.flip and config.judge["name"] != _UNFOCUSED_JUDGE:
                judge = Flipped(judge or build_judge(config, folder), job.flip, job.repetition)
            oracle = Oracle(self._labels, job.topic, lambda url: self._shelf.answer(url).url)
            trace = crawl(config, folder, self._shelf, drawn.seeds, judge, oracle if job.recipe == ORACLE else None)
        figures = measure(trace, Yardstick(relevant, drawn.samples, budget, limit, self._tokens_of(job.topic)))
        return Run(
            web=name_of(job.web),
            topic=job.topic,
            recipe=name_of(job.recipe),
            repetition=job.repetition,
            judge="labels" if gold else str(config.judge["name"]),
            relevant=len(relevant),
            budget=budget,
            stop=trace.stop,
            seeds=drawn.seeds,
            samples=drawn.samples,
            **figures._asdict(),
        )

    def _config(self, job: Job, relevant: int, limit: int, like: list[str]) -> Config:
        path = Path(job.recipe) if job.recipe.endswith(".toml") else None
        recipe = None if path else "breadth-first" if job.recipe == ORACLE else job.recipe
        tables: Mapping[str, Any] = {"corpus": {"like": like}}
        settings = [*SETTINGS, f"crawl.seed={job.repetition}", f"stop.pages={limit}"]
        settings += [f"scope.pages_per_host={job.per_host_cap}"] if job.per_host_cap else []
        plain = load_config(path, recipe=recipe, tables=tables, settings=settings)
        settings += [
            *scaled_sizes(plain, relevant),
            *_other_judge(job, judged_by_language(job.topic, self._labels.topics), plain),
        ]
        return load_config(path, recipe=recipe, tables=tables, settings=[*settings, *job.settings])

    def _tokens_of(self, topic: str) -> int:
        if topic not in self._tokens:
            pages = map(self._shelf.page, self._labels.topics[topic])
            self._tokens[topic] = sum(page.words for page in pages if page is not None)
        return self._tokens[topic]


def draw(job: Job, pages: tuple[str, ...], shelf: Shelf) -> Draw:
    """Draws samples and seeds. Pages without words are skipped, because nobody would choose one as a sample."""
    if not pages:
        raise ConfigError(f'the topic "{job.topic}" has no page in {name_of(job.web)}. Name another with --topic.')
    samples: list[str] = []
    for url in Random(job.repetition).sample(pages, len(pages)):
        page = shelf.page(url) if len(samples) < job.samples else None
        samples += [url] if page is not None and any(block.words for block in page.blocks) else []
    if not samples:
        raise ConfigError(f'no page of the topic "{job.topic}" in {name_of(job.web)} has any text.')
    return Draw(job.seed_urls or (samples[0],), tuple(samples))


def save_samples(samples: Sequence[str], shelf: Shelf, folder: Path) -> list[str]:
    """Saves the samples as a user would: in UTF-8 with a byte order mark, because a file has no HTTP header with its
    charset."""
    files = [folder / f"sample-{number}.html" for number in range(len(samples))]
    for file, url in zip(files, samples, strict=True):
        file.write_text(shelf.text(url), "utf-8-sig", newline="")
    return [str(file) for file in files]


def build_judge(config: Config, folder: Path) -> Judge:
    """Builds a judge as `engine.build` does."""
    read = sample_reader(folder)
    judge: Judge = build_plugin("judge", config.judge, Context(config, folder, read(config.corpus.like), None, read))
    return judge


def crawl(
    config: Config, folder: Path, shelf: Shelf, seeds: tuple[str, ...], judge: Judge | None, lead: Lead | None
) -> Trace:
    downloads: list[Download] = []

    def note(event: Event) -> None:
        if event.stage == "fetch" and event.outcome == Outcome.OK:
            downloads.append(Download(event.url, event.host, event.size_bytes))

    kept: dict[str, int] = {}

    def keep(gleaned: Gleaned) -> None:
        if gleaned.page is not None:
            kept[gleaned.page.url] = gleaned.tokens

    plan = Blueprint(config, folder, judge=judge, lead=lead, web=shelf, gleaner=shelf.glean, events=Events(note))
    done = run_crawl(plan, [Seed(url, "drawn") for url in seeds], keep)
    return Trace(downloads, kept, done.parts.tally.stop_reason)


def scaled_sizes(plain: Config, relevant: int) -> list[str]:
    """Returns the sizes for this web of the recipe that the settings come from, except those that a crawl.toml
    changes."""
    recipe = plain.crawl.recipe
    if recipe not in SCALES:
        return []
    published = load_config(recipe=recipe)
    same = plain.lead["name"] == published.lead["name"]  # another lead has other options
    return [each for each in SCALES[recipe](relevant) if same and _value(plain, each) == _value(published, each)]


def _value(config: Config, setting: str) -> object:
    table, _, key = setting.partition("=")[0].partition(".")
    return msgspec.to_builtins(getattr(config, table)).get(key)


def _other_judge(job: Job, settings: list[str], plain: Config) -> list[str]:
    """Returns settings for runs in which the lab chooses the judge: the labels, or the language identifier for a
    language. A lead that follows the perplexity of parents then follows their score, because no perplexity is
    measured."""
    if plain.judge["name"] == _UNFOCUSED_JUDGE or not (job.gold or settings):
        return []
    return [*settings, "lead.name=parent-score"] if plain.lead["name"] == "parent-perplexity" else settings


def name_of(path: str) -> str:
    """Returns the name of a web or a recipe: its file's without suffixes, or for a crawl.toml that of its folder."""
    name = Path(path).parent.name if Path(path).name == "crawl.toml" else Path(path).name
    return name.removesuffix(".gz").removesuffix(".warc").removesuffix(".toml")


def labels_beside(web: Path) -> Path:
    """Returns the default path of a web's labels."""
    return web.with_name(f"{name_of(str(web))}.labels.tsv")
