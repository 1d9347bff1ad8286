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
from time import process_time
from typing import Any, Final, NamedTuple

import msgspec

from opilio.core.config import Config, load_config
from opilio.core.errors import ConfigError, OpilioError
from opilio.core.events import Event, Events
from opilio.core.items import Gleaned, Seed
from opilio.core.outcome import Drop, Outcome
from opilio.core.plugin import Context
from opilio.engine.build import Blueprint
from opilio.engine.run import run_crawl
from opilio.engine.samples import sample_reader
from opilio.folder import CrawlFolder, View
from opilio.judge import Judge, build_judge
from opilio.lead import Lead

from .budget import Budget
from .flip import Flipped
from .labels import Labels
from .layers import SETTINGS
from .measures import Download, Trace, Yardstick, measure
from .opened import Webs
from .oracle import Gold, Oracle
from .pace import Pace, SlowWeb
from .protocol import ORACLE, SCALES, Cost, Failure, Job, Run, judged_by_language
from .samples import PLAIN, write_samples
from .shelf import Shelf

_UNFOCUSED_JUDGE: Final = "everything"  # the judge of recipes without a focus
_BARRED: Final = (Drop.OPTED_OUT, Drop.DUPLICATE)  # pages that are not kept, whatever the judge says


class Draw(NamedTuple):
    seeds: tuple[str, ...]
    samples: tuple[str, ...]


class Runner:
    def __init__(self, webs: Webs | None = None) -> None:
        self._webs = webs or Webs()
        self._tokens: dict[tuple[str, str], int] = {}  # web and topic → tokens of its pages
        self.cost: Cost | None = None  # of the last run; None: it failed

    def run(self, job: Job) -> Run | Failure:
        """Runs a job; a mistake of the operator ends this run, but not the experiment."""
        self.cost = None
        try:
            return self._run(job)
        except OpilioError as error:
            return Failure(name_of(job.web), job.topic, name_of(job.recipe), job.repetition, str(error))

    def _run(self, job: Job) -> Run:
        shelf, labels = self._webs.open(job.web, job.labels)
        relevant = labels.relevant(job.topic)
        drawn = draw(job, labels.topics.get(job.topic, ()), shelf)
        asked = Budget(job.budget, job.budget_of_r)
        budget, limit = asked.at(len(relevant)), asked.limit(len(relevant))
        with tempfile.TemporaryDirectory(prefix="opilio-lab-") as name:
            folder = Path(name)
            like = write_samples(job.texts, PLAIN, folder) if job.texts else save_samples(drawn.samples, shelf, folder)
            config = _config(job, labels, limit, like)
            gold = job.gold and config.judge["name"] != _UNFOCUSED_JUDGE
            judge: Judge | None = Gold(relevant) if gold else None
            if job.flip and config.judge["name"] != _UNFOCUSED_JUDGE:
                judge = Flipped(judge or new_judge(config, folder), job.flip, job.repetition)
            oracle = Oracle(labels, job.topic, lambda url: shelf.answer(url).url)
            lead = oracle if job.recipe == ORACLE else None
            start_s = process_time() - shelf.spent_s
            trace = crawl(config, folder, shelf, drawn.seeds, judge, lead, Pace(job.delay_s, job.parallel))
            cpu_ms = 1000 * (process_time() - shelf.spent_s - start_s) / max(len(trace.downloads), 1)
        self.cost = Cost(name_of(job.web), name_of(job.recipe), cpu_ms)
        samples = () if job.texts else drawn.samples
        figures = measure(trace, Yardstick(relevant, samples, budget, limit, self._tokens_of(job)))
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
            samples=samples,
            **figures._asdict(),
        )

    def _tokens_of(self, job: Job) -> int:
        key = (job.web, job.topic)
        if key not in self._tokens:
            shelf, labels = self._webs.open(job.web, job.labels)
            pages = map(shelf.page, labels.topics[job.topic])
            self._tokens[key] = sum(page.words for page in pages if page is not None)
        return self._tokens[key]


def _config(job: Job, labels: Labels, limit: int, like: list[str]) -> Config:
    path, recipe = recipe_source(job.recipe)
    tables: Mapping[str, Any] = {"corpus": {"like": like}}
    settings = [*SETTINGS, f"crawl.seed={job.repetition}", f"stop.pages={limit}"]
    settings += Pace(job.delay_s, job.parallel).settings
    settings += [f"scope.pages_per_host={job.per_host_cap}"] if job.per_host_cap else []
    plain = load_config(path, recipe=recipe, tables=tables, settings=settings)
    settings += [
        *scaled_sizes(plain, len(labels.relevant(job.topic))),
        *_other_judge(job, judged_by_language(job.topic, labels.topics), plain),
    ]
    return load_config(path, recipe=recipe, tables=tables, settings=[*settings, *job.settings])


def recipe_source(recipe: str) -> tuple[Path | None, str | None]:
    """Returns the path of a crawl.toml or the name of a recipe, and None for the other."""
    if recipe.endswith(".toml"):
        return Path(recipe), None
    return None, "breadth-first" if recipe == ORACLE else recipe


def draw(job: Job, pages: tuple[str, ...], shelf: Shelf) -> Draw:
    samples = draw_samples(job.topic, name_of(job.web), job.repetition, job.samples, pages, shelf)
    return Draw(job.seed_urls or (samples[0],), samples)


def draw_samples(
    topic: str, web: str, repetition: int, count: int, pages: tuple[str, ...], shelf: Shelf
) -> tuple[str, ...]:
    """Draws pages of a topic. Those without words are skipped, because nobody would choose one as a sample."""
    if not pages:
        raise ConfigError(f'the topic "{topic}" has no page in {web}. Name another with --topic.')
    samples: list[str] = []
    for url in Random(repetition).sample(pages, len(pages)):
        page = shelf.page(url) if len(samples) < count else None
        samples += [url] if page is not None and any(block.words for block in page.blocks) else []
    if not samples:
        raise ConfigError(f'no page of the topic "{topic}" in {web} has any text.')
    return tuple(samples)


def save_samples(samples: Sequence[str], shelf: Shelf, folder: Path) -> list[str]:
    """Saves the samples as a user would: in UTF-8 with a byte order mark, because a file has no HTTP header with its
    charset."""
    files = [folder / f"sample-{number}.html" for number in range(len(samples))]
    for file, url in zip(files, samples, strict=True):
        file.write_text(shelf.text(url), "utf-8-sig", newline="")
    return [str(file) for file in files]


def new_judge(config: Config, folder: Path) -> Judge:
    """Builds a judge as `engine.build` does."""
    read = sample_reader(folder)
    return build_judge(Context(config, folder, read(config.corpus.like), None, read))


def crawl(
    config: Config,
    folder: Path,
    shelf: Shelf,
    seeds: tuple[str, ...],
    judge: Judge | None,
    lead: Lead | None,
    pace: Pace = Pace(),  # noqa: B008  immutable
) -> Trace:
    downloads: list[Download] = []
    clock = pace.clock()
    start_s = clock.now() if clock else 0.0

    def note(event: Event) -> None:
        if event.stage == "fetch" and event.outcome == Outcome.OK:
            at_s = event.when_s - start_s if clock else 0.0
            downloads.append(Download(event.url, event.host, event.size_bytes, at_s))

    kept: dict[str, int] = {}

    def keep(gleaned: Gleaned) -> None:
        if gleaned.page is not None:
            kept[gleaned.page.url] = gleaned.tokens

    web = SlowWeb(shelf, clock) if clock else shelf
    plan = Blueprint(
        config, folder, judge=judge, lead=lead, web=web, gleaner=shelf.glean, events=Events(note), clock=clock
    )
    done = run_crawl(plan, [Seed(url, "drawn") for url in seeds], keep)
    with View(CrawlFolder(folder)) as view:
        fetched = list(view.links.fetched())
    scores = {link.url: ending.judge_score for link, ending in fetched if ending.judge_score is not None}
    return Trace(
        downloads,
        kept,
        done.parts.tally.stop_reason,
        scores if config.judge["name"] != _UNFOCUSED_JUDGE else None,
        pace.takes_time,
        frozenset(link.url for link, _ in fetched if link.drop in _BARRED),
    )


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
