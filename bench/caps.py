"""What recipes find on a web of many hosts, each of which gives any number of pages, or at most 5, 10 or 100.

On a made web, every recipe and the oracle search for the two largest topics and the largest language except English. A
crawl begins at a page of the topic, is shown five, and fetches as many pages as the topic has. The figures for each
cap: harvest at R, hosts with a relevant page that was fetched, and weighted coverage WC, the tokens of relevant pages
that were kept as a share of those of all. Means over topics and over `rounds`, each with other samples and another
start.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from opilio.core.errors import OpilioError
from opilio.core.recipes import recipe_names
from opilio.lab.maker import Library, Parameters
from opilio.lab.protocol import ORACLE, Run, recipes_with_yardsticks

from . import Goal, Progress, Report
from .chart import CurveChart, Panel
from .form import Cell
from .signals_web import MadeWeb, harvest, made, mean_curve, run_all

_LEARNED_RECIPE: Final = "learned"
_CAPS: Final = (0, 5, 10, 100)  # 0: none
_SUBJECTS: Final = 2
_PAGES_PER_DOMAIN: Final = 30
_CHART_RECIPES: Final = 5  # recipes in the chart
_FIGURES: Final = ("at R", "hosts", "WC")
_LEAST_LEAD: Final = 0.03  # of R, by which a figure is uncertain: less is a tie

Found = dict[tuple[str, int], list[Run]]  # recipe, cap


def run(pages: int = 3_000, rounds: int = 1, seed: int = 7, progress: Progress | None = None) -> Report:
    """`seed`: the seed that the web is made with."""
    with tempfile.TemporaryDirectory(prefix="opilio-caps-") as name:
        parameters = Parameters(pages=pages, domains=max(12, pages // _PAGES_PER_DOMAIN), seed=seed)
        web = made(Path(name), "caps", parameters, _SUBJECTS, Library.find())
        found, left_out = compare(web, rounds, progress=progress)
    if _LEARNED_RECIPE in left_out:
        raise OpilioError(f"there is nothing to compare others with: {left_out[_LEARNED_RECIPE]}")
    recipes = list(dict.fromkeys(recipe for recipe, _ in found))
    asked = ", ".join(f"{topic} (R {size:,})" for topic, size in web.topics.items())
    return Report(
        "caps",
        ("recipe", *(f"{name_of_cap(cap)}: {figure}" for cap in _CAPS for figure in _FIGURES)),
        [_row(recipe, found) for recipe in recipes],
        [_goal(recipes, cap, found) for cap in _CAPS],
        [f"{pages:,} pages on {web.hosts:,} hosts; {asked}", *left_out.values()],
        _chart(recipes, found),
    )


def compare(
    web: MadeWeb, rounds: int, recipes: Sequence[str] = (), progress: Progress | None = None
) -> tuple[Found, dict[str, str]]:
    """Returns the runs by recipe and cap, and by recipe why some could not be run."""
    asked = [
        (recipe, cap, web.job(topic, recipe, number, per_host_cap=cap))
        for topic in web.topics
        for number in range(1, rounds + 1)
        for recipe in recipes or recipes_with_yardsticks([_LEARNED_RECIPE, *recipe_names()])
        for cap in _CAPS
    ]
    found: Found = {}
    left_out: dict[str, str] = {}
    for (recipe, cap, job), came in zip(asked, run_all([job for *_, job in asked], progress), strict=True):
        if isinstance(came, Run):
            found.setdefault((recipe, cap), []).append(came)
        else:
            left_out[recipe] = f"{recipe} is left out: on {job.topic} {came.reason}"
    return {key: runs for key, runs in found.items() if key[0] not in left_out}, left_out


def name_of_cap(cap: int) -> str:
    return f"{cap} a host" if cap else "no cap"


def _row(recipe: str, found: Found) -> list[Cell]:
    cells: list[Cell] = [recipe]
    for runs in (found[recipe, cap] for cap in _CAPS):
        cells += [harvest(runs), fmean(run.hosts for run in runs), fmean(run.weighted_coverage for run in runs)]
    return cells


def _goal(recipes: list[str], cap: int, found: Found) -> Goal:
    others = [harvest(found[recipe, cap]) for recipe in recipes if recipe not in (_LEARNED_RECIPE, ORACLE)]
    own = harvest(found[_LEARNED_RECIPE, cap])
    name = f"{name_of_cap(cap)}: harvest of {_LEARNED_RECIPE} over the best other"
    return Goal(name, own - max(others), _LEAST_LEAD, "of R")


def _chart(recipes: list[str], found: Found) -> CurveChart:
    def panel(cap: int) -> Panel:
        others = [recipe for recipe in recipes if recipe not in (_LEARNED_RECIPE, ORACLE)]
        best = sorted(others, key=lambda recipe: -fmean(harvest(found[recipe, each]) for each in _CAPS))
        shown = (_LEARNED_RECIPE, *best[: _CHART_RECIPES - 1])
        curves = tuple((recipe, mean_curve(found[recipe, cap], tokens=True)) for recipe in shown)
        return Panel(name_of_cap(cap), "weighted coverage", curves)

    return CurveChart("Few pages from each of many hosts", "share of R fetched", tuple(map(panel, _CAPS)))
