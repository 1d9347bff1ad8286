"""Whether the learned lead sees that a link stands in a sidebar where the link stands in the text too.

On made webs whose sidebars stay in the language of their page and whose texts link to any language, of which none, half or
all links of a sidebar stand in the text too. The sign is the same on all three: whoever sees every place of a link finds as much
on each. A crawl begins at a page of the language and fetches as many pages as the language has, and its judge is the language
identifier. Figures are means over all languages and over `rounds`, each with another start.
"""

import tempfile
from pathlib import Path
from typing import Final

from opilio.lab.maker import Library
from opilio.lab.protocol import Run

from . import Goal, Progress, Report
from .form import Cell
from .sidebars_web import Sidebars
from .signals_web import MadeWeb, harvest, must_run, run_all

LEARNED: Final = "learned"
_BASELINE: Final = "breadth-first"
_PUBLISHED: Final = "language"
_RECIPES: Final = (_BASELINE, _PUBLISHED, LEARNED)
SHARES: Final = {"none": 0.0, "half": 0.5, "all": 1.0}  # of a sidebar's links that stand in the text too
_MOST_LOSS: Final = 5  # % of R
_LEAST_GAIN: Final = 20  # % of R

Found = dict[tuple[str, str], list[Run]]  # share, recipe


def run(pages: int = 1_500, rounds: int = 5, seed: int = 7, progress: Progress | None = None) -> Report:
    """`seed`: the seed that the webs are made with."""
    with tempfile.TemporaryDirectory(prefix="opilio-sidebars-") as name:
        found = compare(make_webs(Path(name), Library.find(), pages, seed), rounds, progress)
    return Report(
        "sidebars",
        ("recipe", *(f"{share} in both" for share in SHARES)),
        [_row(recipe, found) for recipe in _RECIPES],
        goals(found),
        ["harvest at R; in both: links of the sidebar that stand in the text too"],
    )


def make_webs(folder: Path, library: Library, pages: int, seed: int = 7) -> dict[str, MadeWeb]:
    return {name: Sidebars(library, pages, both, seed).write(folder, name) for name, both in SHARES.items()}


def compare(webs: dict[str, MadeWeb], rounds: int, progress: Progress | None = None) -> Found:
    asked = [
        (share, recipe, web.job(topic, recipe, number))
        for share, web in webs.items()
        for topic in web.topics
        for number in range(1, rounds + 1)
        for recipe in _RECIPES
    ]
    found: Found = {}
    for (share, recipe, _), run in zip(asked, must_run(run_all([job for *_, job in asked], progress)), strict=True):
        found.setdefault((share, recipe), []).append(run)
    return found


def goals(found: Found) -> list[Goal]:
    apart, both = (100 * harvest(found[share, LEARNED]) for share in ("none", "all"))
    plain = 100 * max(harvest(found["all", recipe]) for recipe in (_BASELINE, _PUBLISHED))
    return [
        Goal(f"all in both: {LEARNED}", apart - both, _MOST_LOSS, "% of R less than with none", at_least=False),
        Goal(f"all in both: {LEARNED}", both - plain, _LEAST_GAIN, "% of R more than the best of the others"),
    ]


def _row(recipe: str, found: Found) -> list[Cell]:
    return [recipe, *(harvest(found[share, recipe]) for share in SHARES)]
