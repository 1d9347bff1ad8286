"""`bench sites`: how many of a hundred pages are of the right site? The first experiment of Remus & Biemann (2016), on the
demo web.

Four sites, {cats, technology} × {English, German}; the focus is one article on cats. The paper's crawls were
single-threaded; ours usually go politely and in parallel. Whether its sites linked each other the paper does not say; ours
do. So there are four corners: one by one or politely, on sites that are linked or apart; each for the recipe of the paper
and for the default one, both unmodified. What chance decides is averaged over `rounds` seeds: how the default recipe
explores, and in which order answers come.
"""

import tempfile
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from opilio.core.config import BY_FOCUS
from opilio.demo.experiment import APART, LINKED, ONE_BY_ONE, POLITELY, SETTINGS, SITES, Setting, run_experiment

from .form import Cell, Goal, Report

PAGES: Final = 100
PUBLISHED: Final = "perplexity"
_MANNERS: Final = {"one by one": ONE_BY_ONE, "politely": POLITELY}
_WEBS: Final = {"linked": LINKED, "apart": APART}
_COLUMNS: Final = ("recipe", "manner", "sites", "focus", *SITES)


class Corner(NamedTuple):
    recipe: str
    manner: str
    sites: str


_GOALS: Final = {
    Corner(PUBLISHED, "one by one", "apart"): 93,
    Corner(PUBLISHED, "politely", "linked"): 80,
    Corner(BY_FOCUS, "politely", "linked"): 92,
}
Pages = tuple[float, ...]  # by SITES


def run(rounds: int = 6, progress: Callable[[int, int], None] = lambda _done, _all: None) -> Report:
    corners = all_corners()
    found: dict[Corner, dict[str, Pages]] = {}
    for number, corner in enumerate(corners):
        found[corner] = measure(corner, rounds)
        progress(number + 1, len(corners))
    return report(found)


def all_corners() -> list[Corner]:
    return [Corner(recipe, manner, sites) for recipe in (PUBLISHED, BY_FOCUS) for manner in _MANNERS for sites in _WEBS]


def report(found: dict[Corner, dict[str, Pages]]) -> Report:
    """`found`: pages by site for each focus, by corner."""
    rows: list[tuple[Cell, ...]] = [
        (*corner, name, *pages) for corner, by_name in found.items() for name, pages in by_name.items()
    ]
    goals = [
        Goal(f"{', '.join(corner)}: {setting.title}", _right(found[corner], setting), goal, f"of {PAGES} pages")
        for corner, goal in _GOALS.items()
        for setting in SETTINGS
        if setting.site
    ]
    return Report("sites", _COLUMNS, [*rows, *_paper_rows()], goals, [_samples()])


def _right(pages: dict[str, Pages], setting: Setting) -> float:
    """Returns the pages of the site that the crawl should stay on."""
    return pages[setting.title][SITES.index(setting.site)]


def measure(corner: Corner, rounds: int) -> dict[str, Pages]:
    """Returns the downloaded pages by site for each focus, means over the seeds."""
    pages: dict[str, list[tuple[int, ...]]] = {setting.title: [] for setting in SETTINGS}
    for seed in range(rounds):
        with tempfile.TemporaryDirectory(prefix="opilio-sites-") as name:
            settings, web = _MANNERS[corner.manner], _WEBS[corner.sites]
            for done in run_experiment(Path(name), PAGES, corner.recipe, seed, web=web, settings=settings):
                pages[done.setting.title].append(done.pages)
    return {title: tuple(fmean(site) for site in zip(*all_, strict=True)) for title, all_ in pages.items()}


def _paper_rows() -> list[tuple[Cell, ...]]:
    return [("the paper", "one by one", "not stated", setting.title, *setting.paper) for setting in SETTINGS]


def _samples() -> str:
    samples = sorted((files("opilio.demo") / "samples").iterdir(), key=lambda file: file.name)
    sizes = [f"{sample.name} {len(sample.read_text('utf-8').split()):,}" for sample in samples]
    return (
        f"Words of the articles: {', '.join(sizes)}. Those of the paper have about 8,400 (English) and 15,800 (German)."
    )
