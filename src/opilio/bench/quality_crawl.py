"""Crawls of the experiments on quality: yield of seeds and of crawls from them, and yield over time by strategy."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from opilio.core.config import load_config
from opilio.lab.runner import crawl
from opilio.model.url_language import language_of_domain

from .quality_web import Web

_SETTINGS: Final = (
    "crawl.workers=1",
    "crawl.commit_pages=500",
    "fetch.delay_s=0",
    "keep.gzip_level=0",
    "keep.min_chars=1000",
)
_HOSTS_OF_A_SET: Final = 5
_SEEDS: Final = 40
_SEED_SETS: Final = 24
_MOST_LANGUAGES: Final = 4
_STRATEGY_SEEDS: Final = 10
_SNAPSHOTS: Final = 40
_PHASES: Final = 4  # after the burn-in
BREADTH_FIRST, CYCLIC, QUALITY, BEST = "breadth-first", "cyclic", "quality", "quality, best first"


class Fit(NamedTuple):
    """A line through points; `r2` is adjusted for its two parameters."""

    slope: float
    intercept: float
    r2: float


class SeedSet(NamedTuple):
    language: str
    own: float  # yield of the seeds
    crawl: float  # yield of what the crawl fetched besides


class Story(NamedTuple):
    """What a strategy fetched, in order, and whether it was kept."""

    urls: list[str]
    kept: list[bool]


def fit(points: Sequence[tuple[float, float]]) -> Fit:
    across, up = np.array(points).T
    if len(points) < 3 or not np.ptp(across) or not np.ptp(up):
        return Fit(0.0, float(up.mean()), 0.0)
    slope, intercept = np.polyfit(across, up, 1)
    left = ((up - slope * across - intercept) ** 2).sum() / ((up - up.mean()) ** 2).sum()
    return Fit(float(slope), float(intercept), float(1 - left * (len(points) - 1) / (len(points) - 2)))


def run(web: Web, recipe: str, language: str, seeds: Sequence[str], pages: int, *settings: str) -> Story:
    """A crawl whose judge is the Badness of the language, whatever its recipe."""
    own = (f"stop.pages={pages}", "judge.name=badness", f'corpus.languages=["{language}"]')
    config = load_config(None, recipe=recipe, settings=[*_SETTINGS, *own, *settings])
    with tempfile.TemporaryDirectory(prefix="opilio-quality-") as folder:
        trace = crawl(config, Path(folder), web.shelf, tuple(seeds), None, None)
    urls = [one.url for one in trace.downloads]
    return Story(urls, [url in trace.kept for url in urls])


def seed_yields(web: Web, seed: int, budget: int) -> list[SeedSet]:
    """For each set of seeds: its own yield, and that of what a breadth-first crawl from it fetches besides. A set is drawn from a
    few hosts under the top-level domain of its language, as each source of seeds has its favourite hosts, and the crawl stays
    under that domain."""
    random = Random(seed)
    national = _national(web)
    languages = sorted(national)
    found = []
    for number in range(_SEED_SETS):
        language = languages[number % len(languages)]
        drawn = _draw(national[language], random)
        story = run(web, BREADTH_FIRST, language, drawn, len(drawn) + budget, _scope(drawn), f"crawl.seed={number}")
        own = {url: kept for url, kept in zip(story.urls, story.kept, strict=True) if url in drawn}
        others = [kept for url, kept in zip(story.urls, story.kept, strict=True) if url not in drawn]
        if own and others:
            found.append(SeedSet(language, sum(own.values()) / len(own), sum(others) / len(others)))
    return found


def seed_fits(sets: Sequence[SeedSet]) -> tuple[Fit, Fit]:
    """Over all sets, and within languages: with the mean of its language taken from each."""
    means = {
        language: np.mean([one[1:] for one in sets if one.language == language], axis=0)
        for language in {one.language for one in sets}
    }
    centred = [(one.own - means[one.language][0], one.crawl - means[one.language][1]) for one in sets]
    return fit([(one.own, one.crawl) for one in sets]), fit(centred)


def strategies(web: Web, language: str, seed: int, budget: int) -> dict[str, Story]:
    pages = sorted(url for url, code in web.languages.items() if code == language)
    seeds = Random(seed).sample(pages, min(_STRATEGY_SEEDS, len(pages)))
    burn_in = budget // 20
    phases = (f"lead.burn_in={burn_in}", f"lead.phase={(budget - burn_in) // _PHASES}")
    plans = {
        QUALITY: ("quality",),
        BEST: ("quality", "policy.choice=strict", "policy.bounds=[]"),
        CYCLIC: ("cyclic", *phases),
        BREADTH_FIRST: ("breadth-first",),
    }
    chance = f"crawl.seed={seed}"
    return {name: run(web, recipe, language, seeds, budget, chance, *own) for name, (recipe, *own) in plans.items()}


def snapshots(stories: Sequence[Story], budget: int) -> tuple[tuple[float, float], ...]:
    """Pages fetched, and the share that was kept since the snapshot before, over several runs."""
    step = max(1, budget // _SNAPSHOTS)
    points = []
    for start in range(0, max(len(story.kept) for story in stories), step):
        shares = [np.mean(part) for story in stories if (part := story.kept[start : start + step])]
        points.append((float(start + step), float(np.mean(shares))))
    return tuple(points)


def phase_fits(stories: Sequence[Story], budget: int) -> list[Fit]:
    """How the yield moves within each phase after the burn-in."""
    points, burn_in = snapshots(stories, budget), budget // 20
    length = (budget - burn_in) / _PHASES
    edges = [burn_in + number * length for number in range(_PHASES)]
    inside = [[point for point in points if edge < point[0] <= edge + length] for edge in edges]
    return [fit(part) for part in inside if len(part) >= 3]


def _national(web: Web) -> dict[str, dict[str, list[str]]]:
    """Of the languages with the most hosts under their own top-level domains: language → host → pages."""
    found: dict[str, dict[str, list[str]]] = {}
    for url, code in sorted(web.languages.items()):
        if language_of_domain(url) == code:
            found.setdefault(code, {}).setdefault(urlsplit(url).netloc, []).append(url)
    ranked = sorted(found, key=lambda code: (-len(found[code]), code))
    return {code: found[code] for code in ranked[:_MOST_LANGUAGES]}


def _draw(hosts: dict[str, list[str]], random: Random) -> list[str]:
    chosen = random.sample(sorted(hosts), min(_HOSTS_OF_A_SET, len(hosts)))
    pages = [url for host in chosen for url in hosts[host]]
    return random.sample(pages, min(_SEEDS, len(pages)))


def _scope(seeds: Sequence[str]) -> str:
    endings = sorted({urlsplit(url).netloc.rpartition(".")[2] for url in seeds})
    return f"scope.domains={json.dumps(endings)}"
