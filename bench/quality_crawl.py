"""The crawls of the experiments on quality: yield of seeds and of crawls from them, and yield over time by strategy.

Pages are gleaned once for all crawls of a web, after which a fetch costs 1 to 2 ms.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from math import ceil
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
_PLACES_OF_A_SET: Final = 5
_SEEDS: Final = 40
_SEED_SETS: Final = 24
_SEED_SET_PAGES: Final = 400  # fetched besides the seeds; fewer in webs of less than 8,000 pages
_MOST_LANGUAGES: Final = 4
_MOST_PAGES: Final = 5_000  # of a strategy
_STRATEGY_SEEDS: Final = 10
_SNAPSHOTS: Final = 40  # for lines through phases; half as many are drawn, since single hosts make them jump
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
    byte_yield: float


def fit(points: Sequence[tuple[float, float]]) -> Fit:
    across, up = np.array(points).T
    if len(points) < 3 or not np.ptp(across) or not np.ptp(up):
        return Fit(0.0, float(up.mean()), 0.0)
    slope, intercept = np.polyfit(across, up, 1)
    left = ((up - slope * across - intercept) ** 2).sum() / ((up - up.mean()) ** 2).sum()
    return Fit(float(slope), float(intercept), float(1 - left * (len(points) - 1) / (len(points) - 2)))


def run(web: Web, recipe: str, language: str, seeds: Sequence[str], pages: int, *settings: str) -> Story:
    """Runs a crawl whose judge is the Badness of the language, whatever its recipe."""
    # Badness alone tells the language here, as in the paper.
    wanted = (f'corpus.languages=["{language}"]', "corpus.other_languages=true")
    own = (f"stop.pages={pages}", "judge.name=badness", *wanted)
    config = load_config(None, recipe=recipe, settings=[*_SETTINGS, *own, *settings])
    with tempfile.TemporaryDirectory(prefix="opilio-quality-") as folder:
        trace = crawl(config, Path(folder), web.shelf, tuple(seeds), None, None)
    urls = [one.url for one in trace.downloads]
    pages_kept = (page for url in trace.kept if (page := web.shelf.page(url)) is not None)
    kept_bytes = sum(len(page.text.encode()) for page in pages_kept)
    received = sum(one.size_bytes for one in trace.downloads)
    return Story(urls, [url in trace.kept for url in urls], kept_bytes / max(received, 1))


def wander(web: Web, seed: int) -> list[str]:
    """Returns URLs in the order of a breadth-first crawl from pages of any language."""
    seeds = Random(seed).sample(sorted(web.languages), min(_STRATEGY_SEEDS, len(web.languages)))
    return run(web, BREADTH_FIRST, "en", seeds, _MOST_PAGES).urls


def seed_yields(web: Web, seed: int) -> list[SeedSet]:
    """Measures each set of seeds: its own yield, and that of what a breadth-first crawl from it fetches. A set is drawn from a
    few places, as each source of seeds has its favourites, and the crawl stays under their top-level domains."""
    random = Random(seed)
    places = _places(web)
    languages = sorted(places)
    budget = min(_SEED_SET_PAGES, len(web.languages) // 20)
    found = []
    for number in range(_SEED_SETS):
        language = languages[number % len(languages)]
        drawn = _draw(places[language], random)
        story = run(web, BREADTH_FIRST, language, drawn, len(drawn) + budget, _scope(drawn), f"crawl.seed={number}")
        own = {url: kept for url, kept in zip(story.urls, story.kept, strict=True) if url in drawn}
        others = [kept for url, kept in zip(story.urls, story.kept, strict=True) if url not in drawn]
        if own and others:
            found.append(SeedSet(language, sum(own.values()) / len(own), sum(others) / len(others)))
    return found


def seed_fits(sets: Sequence[SeedSet]) -> tuple[Fit, Fit]:
    """Fits over all sets, and within languages, where each set has the mean of its language subtracted."""
    means = {
        language: np.mean([one[1:] for one in sets if one.language == language], axis=0)
        for language in {one.language for one in sets}
    }
    centred = [(one.own - means[one.language][0], one.crawl - means[one.language][1]) for one in sets]
    return fit([(one.own, one.crawl) for one in sets]), fit(centred)


def budget_of(web: Web, language: str) -> int:
    """Returns the number of pages of the language, or `_MOST_PAGES` if it has more."""
    return min(_MOST_PAGES, Counter(web.languages.values())[language])


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


def snapshots(stories: Sequence[Story], budget: int, number: int = _SNAPSHOTS // 2) -> tuple[tuple[float, float], ...]:
    """Returns pages fetched, and the share kept since the previous snapshot, over several runs."""
    step = ceil(budget / number)
    points = []
    longest = max(len(story.kept) for story in stories)
    for start in range(0, longest, step):
        shares = [np.mean(part) for story in stories if (part := story.kept[start : start + step])]
        points.append((float(min(start + step, longest)), float(np.mean(shares))))
    return tuple(points)


def phase_fits(stories: Sequence[Story], budget: int) -> list[Fit]:
    """Fits how the yield moves within each phase after the burn-in."""
    points, burn_in = snapshots(stories, budget, _SNAPSHOTS), budget // 20
    length = (budget - burn_in) / _PHASES
    edges = [burn_in + number * length for number in range(_PHASES)]
    inside = [[point for point in points if edge < point[0] <= edge + length] for edge in edges]
    return [fit(part) for part in inside if len(part) >= 3]


def _places(web: Web) -> dict[str, dict[str, list[str]]]:
    """Maps the languages with the most places: language → place → pages. A place is a host under the language's own top-level
    domain; where a web has none of these, a directory."""
    found: dict[str, dict[str, list[str]]] = {}
    urls = sorted(web.languages)
    national = [url for url in urls if language_of_domain(url) == web.languages[url]]
    for url in national or urls:
        place = urlsplit(url).netloc if national else url.rpartition("/")[0]
        found.setdefault(web.languages[url], {}).setdefault(place, []).append(url)
    ranked = sorted(found, key=lambda code: (-len(found[code]), code))
    return {code: found[code] for code in ranked[:_MOST_LANGUAGES]}


def _draw(places: dict[str, list[str]], random: Random) -> list[str]:
    chosen = random.sample(sorted(places), min(_PLACES_OF_A_SET, len(places)))
    pages = [url for place in chosen for url in places[place]]
    return random.sample(pages, min(_SEEDS, len(pages)))


def _scope(seeds: Sequence[str]) -> str:
    endings = sorted({urlsplit(url).netloc.rpartition(".")[2] for url in seeds})
    return f"scope.domains={json.dumps(endings)}"
