"""`bench novelty`: does a lead that is rewarded for new text bring more of it, and at what price?

The recipe `learned` crawls with `lead.reward=pages` and with `lead.reward=novelty`, R pages each, where R is how many pages the
topic has. The measure is the number of different runs of three words in the pages that were kept and are relevant, by fetch. On
`schools` the samples are the five texts of each topic in OPILIO_DATA/samples/topics.jsonl, which are not of that web. The made
web has 28 % copies; there the samples are five pages of the topic. Chosen was everything on other topics and another made web.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from opilio.core.config import load_config
from opilio.lab.labels import Labels, read_labels
from opilio.lab.layers import SETTINGS
from opilio.lab.maker import Library, Parameters
from opilio.lab.runner import crawl, draw_samples, save_samples
from opilio.lab.samples import PLAIN, write_samples
from opilio.lab.shelf import Shelf

from .form import Cell, Goal, Report
from .review import own_texts
from .schools import find_web
from .signals_web import made

_REWARDS: Final = ("pages", "novelty")
_RUN: Final = 3  # words
_SAMPLES: Final = 5
_MADE_TOPICS: Final = 4
_MORE: Final = 1.15
_LESS: Final = 0.03
_COLUMNS: Final = (
    "web",
    "topic",
    "R",
    "reward",
    "harvest",
    "kept and relevant",
    "new trigrams by fetch",
    "times pages",
)


class Task(NamedTuple):
    web: str
    shelf: Shelf
    labels: Labels
    topic: str
    texts: Sequence[str]  # samples; if there are none, pages of the topic are
    repetition: int


class Outcome(NamedTuple):
    harvest: float
    kept: float  # pages that are relevant
    trigrams: float  # by fetch


def run(
    topics: int = 12, pages: int = 3_000, rounds: int = 2, seed: int = 7,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Report:  # fmt: skip
    """`topics` of `schools`, with 0 only the made web, which has this many pages; `rounds`: starts and orders of each topic."""
    with tempfile.TemporaryDirectory(prefix="opilio-novelty-") as name:
        tasks = [*schools_tasks(topics, rounds), *made_tasks(Path(name), pages, rounds, seed)]
        found: dict[tuple[str, str], dict[str, list[Outcome]]] = {}
        for number, task in enumerate(tasks):
            progress(number, len(tasks))
            for reward in _REWARDS:
                outcomes = found.setdefault((task.web, task.topic), {}).setdefault(reward, [])
                outcomes.append(measure(task, [f"lead.reward={reward}"]))
    sizes = {(task.web, task.topic): len(task.labels.relevant(task.topic)) for task in tasks}
    return _report(found, sizes)


def schools_tasks(topics: int, rounds: int) -> Iterator[Task]:
    if topics:
        web, labels = find_web("schools")
        shelf = Shelf(web)
        for topic, texts in list(own_texts().items())[:topics]:
            for repetition in range(1, rounds + 1):
                yield Task("schools", shelf, read_labels(labels, shelf), topic, texts, repetition)


def made_tasks(folder: Path, pages: int, rounds: int, seed: int) -> Iterator[Task]:
    parameters = Parameters(pages=pages, domains=max(10, pages // 30), seed=seed, near_copies=0.3, exact_copies=0.1)
    web = made(folder, "made", parameters, _MADE_TOPICS, Library.find())
    shelf = Shelf(web.path)
    for topic in [topic for topic in web.topics if topic.startswith("topic.")]:
        for repetition in range(1, rounds + 1):
            yield Task("made", shelf, read_labels(web.labels, shelf), topic, (), repetition)


def measure(task: Task, settings: Sequence[str]) -> Outcome:
    relevant = task.labels.relevant(task.topic)
    drawn = draw_samples(task.topic, task.web, task.repetition, _SAMPLES, task.labels.topics[task.topic], task.shelf)
    with tempfile.TemporaryDirectory(prefix="opilio-novelty-") as name:
        folder = Path(name)
        like = write_samples(task.texts, PLAIN, folder) if task.texts else save_samples(drawn, task.shelf, folder)
        config = load_config(
            recipe="learned",
            tables={"corpus": {"like": like}},
            settings=[*SETTINGS, f"crawl.seed={task.repetition}", f"stop.pages={len(relevant)}", *settings],
        )
        trace = crawl(config, folder, task.shelf, drawn[:1], None, None)
    kept = [url for url in trace.kept if url in relevant]
    runs = {run for url in kept for run in trigrams(task.shelf, url)}
    fetched = len(trace.downloads)
    harvest = sum(download.url in relevant for download in trace.downloads) / len(relevant)
    return Outcome(harvest, len(kept), len(runs) / fetched)


def trigrams(shelf: Shelf, url: str) -> Iterator[tuple[str, ...]]:
    page = shelf.page(url)
    words = page.text.lower().split() if page is not None else []
    return zip(*(words[start:] for start in range(_RUN)), strict=False)


def _report(found: dict[tuple[str, str], dict[str, list[Outcome]]], sizes: dict[tuple[str, str], int]) -> Report:
    rows: list[tuple[Cell, ...]] = []
    goals: list[Goal] = []
    for web in dict.fromkeys(web for web, _ in found):
        means = {
            key: {reward: _mean(each) for reward, each in of.items()} for key, of in found.items() if key[0] == web
        }
        for key, of in means.items():
            rows += [_row(key, sizes[key], reward, of) for reward in _REWARDS]
        base, new = ([of[reward] for of in means.values()] for reward in _REWARDS)
        # A topic of which no page was kept says nothing.
        more = fmean(one.trigrams / other.trigrams for one, other in zip(new, base, strict=True) if other.trigrams)
        less = fmean(other.harvest - one.harvest for one, other in zip(new, base, strict=True))
        goals.append(Goal(f"{web}: new trigrams by fetch", round(more, 3), _MORE, "times those of pages"))
        goals.append(Goal(f"{web}: harvest", round(less, 4), _LESS, "less than that of pages", at_least=False))
    return Report("novelty", _COLUMNS, rows, goals)


def _mean(outcomes: Sequence[Outcome]) -> Outcome:
    return Outcome(*(fmean(figures) for figures in zip(*outcomes, strict=True)))


def _row(key: tuple[str, str], size: int, reward: str, of: dict[str, Outcome]) -> tuple[Cell, ...]:
    mean = of[reward]
    times = mean.trigrams / of["pages"].trigrams if of["pages"].trigrams else 0.0
    return (*key, size, reward, round(mean.harvest, 3), round(mean.kept, 1), round(mean.trigrams, 1), round(times, 3))
