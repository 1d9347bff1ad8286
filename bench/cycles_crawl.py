"""Crawls a web that changes day by day with the diversity crawler and with a random one, and measures both.

Both have the same definition, seeds, judge and number of pages, and share their first cycle; the baseline draws its links by
chance. Perplexities of pages are those under the models that guide the diversity crawler. For models, an unknown word has one
probability, the same in all of them.
"""

import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from opilio.core.saved import unpack
from opilio.enqueue import State
from opilio.folder import View
from opilio.folder.cycles import Cycle, CyclesFolder
from opilio.judge.novelty import LEAST_WORDS, UNKNOWN
from opilio.lab.layers import SETTINGS
from opilio.lead.diversity import Example
from opilio.lead.diversity import State as LeadState
from opilio.model import Scorer, Training, open_model, to_lines, train
from opilio.ops.cycle_run import define, run_cycle
from opilio.ops.settings import Said

from .cycles_web import Day

DIVERSITY, BASELINE = "diversity", "baseline"
# A lead that never gets to its first lesson draws by chance, and remembers what it saw.
_BY_CHANCE: Final = ("lead.lessons=[1000000000]", "policy.wave=none", "policy.bounds=[]", "policy.quotas=[]")
_OWN: Final = {DIVERSITY: (), BASELINE: _BY_CHANCE}
_TENTHS: Final = 10
_PERCENTILE: Final = 65
_PREFIXES: Final = (0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0)


class Crawled(NamedTuple):
    """What one crawler did on one day."""

    cycle: Cycle
    urls: list[str]  # fetched, in their order
    perplexities: list[
        float
    ]  # of those with 30 words in sentences, in the same order, without the seeds, which nobody chose
    same_day: int
    garbage: int  # after the first lesson
    later: int  # pages fetched after it
    single: float  # perplexity of the day's held-out texts
    merged: float


class DayFigures(NamedTuple):
    day: int
    size: int  # pages of the web
    diversity: Crawled
    baseline: Crawled
    stale_low: float | None  # share of the links to stale pages that are classed Low
    reached: float  # share of its pages with which the diversity crawler's model is as good as the baseline's
    level: float  # as the baseline's `single`, but of only as many pages that are not seeds as the diversity crawler fetched

    def over(self, crawler: Crawled) -> float:
        """Returns the share of pages that are above the 65th percentile of the baseline's."""
        bound = float(np.percentile(self.baseline.perplexities, _PERCENTILE))
        return fmean(one > bound for one in crawler.perplexities)


class Experiment(NamedTuple):
    days: list[DayFigures]  # from day 1 on
    # Perplexity of a day's held-out texts under the baseline's models of other days, as a multiple of that under its own, by the
    # days between.
    by_distance: dict[int, list[float]]
    examples: list[list[Example]]  # of the baseline's links, by day
    first: Cycle  # which both crawlers share


def explore(folder: Path, days: Iterator[Day], pages: int) -> Experiment:
    places = {name: CyclesFolder(folder / name) for name in _OWN}
    figures: list[DayFigures] = []
    held_out: list[str] = []
    first: Cycle | None = None
    examples: list[list[Example]] = []
    for number, day in enumerate(days):
        held_out.append("\n".join(to_lines(text, clean=True) for text in day.held_out))
        if first is None:
            first = run_day(places[DIVERSITY], day, pages, _OWN[DIVERSITY])
            shutil.copytree(places[DIVERSITY].path, places[BASELINE].path)
            continue
        cycles = {name: run_day(places[name], day, pages, _OWN[name]) for name in _OWN}
        guide = open_model(places[DIVERSITY].mixture(number - 1, "next"))
        measure = partial(_measure, day=day, guide=guide, held_out=held_out[-1])
        found = {name: measure(places[name], cycles[name]) for name in _OWN}
        reached = _reached(places[DIVERSITY], found[DIVERSITY], held_out[-1], found[BASELINE].single)
        low = _stale_low(places[DIVERSITY], number, day)
        level = _level(places[BASELINE], found[BASELINE], held_out[-1], day, _chosen(found[DIVERSITY], day))
        figures.append(DayFigures(number, day.size, found[DIVERSITY], found[BASELINE], low, reached, level))
        examples.append(_examples(places[BASELINE], number))
    assert first is not None
    return Experiment(figures, _by_distance(places[BASELINE], held_out), examples, first)


def run_day(place: CyclesFolder, day: Day, pages: int, own: Sequence[str] = ()) -> Cycle:
    said = Said(None, (*SETTINGS, *own, f"stop.pages={pages}", "crawl.event_log=true"), fallback="diversity")
    place.path.mkdir(parents=True, exist_ok=True)
    define(place, said)
    cycle = run_cycle(place, said, day.web, url=day.seeds)
    assert cycle is not None, "nobody stops an experiment"
    return cycle


def tenths(crawled: Crawled) -> list[float]:
    """Returns the mean perplexity of each tenth of a cycle."""
    return [fmean(part.tolist()) for part in np.array_split(np.array(crawled.perplexities), _TENTHS)]


def fetched_urls(place: CyclesFolder, number: int) -> list[str]:
    lines = place.crawl(number).events.read_bytes().splitlines()
    events: list[dict[str, Any]] = [msgspec.json.decode(line) for line in lines]
    return [event["url"] for event in events if event.get("stage") == "fetch" and event.get("outcome") == "ok"]


def garbage_after(cycle: Cycle, urls: Sequence[str], day: Day) -> tuple[int, int]:
    """Returns how many pages fetched after the first lesson are garbage, and how many there are."""
    later = urls[cycle.lessons[0].pages :] if cycle.lessons else urls
    return sum(map(day.is_garbage, later)), len(later)


def perplexity(model: Scorer, lines: str) -> float:
    """Returns the perplexity of a text, with one probability for every word that the model does not know."""
    log10s, unknown = model.token_log10(lines)
    return float(10 ** -np.where(unknown, np.log10(UNKNOWN), log10s).mean())


def _measure(place: CyclesFolder, cycle: Cycle, *, day: Day, guide: Scorer, held_out: str) -> Crawled:
    urls = fetched_urls(place, cycle.number)
    texts = _texts(place, cycle.number)
    found = {url: score.perplexity for url, score in zip(texts, guide.score_many(list(texts.values())), strict=True)}
    single, merged = (
        perplexity(open_model(path), held_out)
        for path in (place.model(cycle.number), place.mixture(cycle.number, "current"))
    )
    garbage, later = garbage_after(cycle, urls, day)
    ordered = [found[url] for url in urls if url in found and url not in day.seeds]
    return Crawled(cycle, urls, ordered, sum(map(day.is_fresh, urls)), garbage, later, single, merged)


def _texts(place: CyclesFolder, number: int, *, kept: bool = False) -> dict[str, str]:
    """Maps the pages of a cycle whose sentences have 30 words to their lines."""
    with View(place.crawl(number)) as view:
        pages = view.kept() if kept else view.stored()
        lines = {link.url: to_lines(view.documents.at(page).text, clean=True) for link, page in pages}
    return {url: text for url, text in lines.items() if len(text.split()) >= LEAST_WORDS}


def _reached(place: CyclesFolder, crawled: Crawled, held_out: str, goal: float) -> float:
    """Returns the share of its pages, in eighths, whose model is as good as the baseline's; 2 if even all are not enough."""
    texts = _texts(place, crawled.cycle.number, kept=True)
    ordered = [texts[url] for url in crawled.urls if url in texts]
    for share in _PREFIXES:
        part = ordered[: round(share * len(ordered))]
        if part and perplexity(train(part, Training(order=3, unknown=UNKNOWN)), held_out) <= goal:
            return share
    return 2.0


def _chosen(crawled: Crawled, day: Day) -> list[str]:
    return [url for url in crawled.urls if url not in day.seeds]


def _level(place: CyclesFolder, crawled: Crawled, held_out: str, day: Day, other: Sequence[str]) -> float:
    """Returns the perplexity under a model of the first pages that are not seeds, as many as the other crawler fetched: what a
    crawler spends on seeds, which are kept out of training, its model lacks."""
    texts = _texts(place, crawled.cycle.number, kept=True)
    part = [texts[url] for url in _chosen(crawled, day)[: len(other)] if url in texts]
    return perplexity(train(part, Training(order=3, unknown=UNKNOWN)), held_out)


def _stale_low(place: CyclesFolder, number: int, day: Day) -> float | None:
    with View(place.crawl(number)) as view:
        links = [met.link for met in view.links.everything() if met.link.state in (State.QUEUED, State.WAITING)]
    stale = [link.score < 1 for link in links if day.is_stale(link.url)]
    return fmean(stale) if stale else None


def _examples(place: CyclesFolder, number: int) -> list[Example]:
    with View(place.crawl(number)) as view:
        state = view.meta.lead
    return unpack(state, LeadState, "the lead").examples if state else []


def _by_distance(place: CyclesFolder, held_out: Sequence[str]) -> dict[int, list[float]]:
    models = [open_model(place.model(day)) for day in range(len(held_out))]
    found: dict[int, list[float]] = {}
    for day, text in enumerate(held_out):
        own = perplexity(models[day], text)
        for other, model in enumerate(models):
            found.setdefault(other - day, []).append(perplexity(model, text) / own)
    return dict(sorted(found.items()))
