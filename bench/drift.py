"""What recipes find when a tenth of the judge's verdicts is reversed by chance: whether a crawl drifts away with the
errors.

It runs on `schools` of OPILIO_DATA, for topics with 25 to 400 pages whose names have an even sha256 (the others are for
final tables only). A crawl begins at a page of the topic, is shown five, and fetches as many pages as the topic has;
each once with the judge as it is and once with one that errs (see `opilio lab run --flip`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from opilio.lab.labels import read_labels, sample_topics
from opilio.lab.protocol import Job, Run
from opilio.lab.runner import labels_beside
from opilio.lab.shelf import Shelf

from . import Goal, Progress, Report
from .chart import Chart
from .form import Cell
from .schools import SIZES, find_web, is_for_development
from .signals_web import harvest, must_run, run_all

_LEARNED_RECIPE: Final = "learned"
_RECIPES: Final = (_LEARNED_RECIPE, "perplexity", "preemptive", "skyline", "breadth-first")
_FLIP: Final = 0.1
_MOST_LOST: Final = 15.0

Found = dict[tuple[str, float], list[Run]]  # recipe, share of reversed verdicts


def run(topics: int = 15, rounds: int = 1, progress: Progress | None = None) -> Report:
    web, _ = find_web("schools")
    found = compare(web, topics, rounds, progress=progress)
    return Report(
        "drift",
        ("recipe", "topics", "harvest at R", f"with {_FLIP:.0%} turned", "lost %"),
        [_row(recipe, found) for recipe in _RECIPES],
        [Goal(f"what {_LEARNED_RECIPE} loses", _lost(_LEARNED_RECIPE, found), _MOST_LOST, "%", at_least=False)],
        chart=_chart(found),
    )


def compare(
    web: Path,
    topics: int,
    rounds: int,
    recipes: Sequence[str] = _RECIPES,
    sizes_asked: range = SIZES,
    progress: Progress | None = None,
) -> Found:
    labels = labels_beside(web)
    sizes = {topic: len(pages) for topic, pages in read_labels(labels, Shelf(web)).topics.items()}
    chosen = sample_topics(
        [topic for topic, size in sizes.items() if size in sizes_asked and is_for_development(topic)], topics
    )
    asked = [
        (recipe, flip, Job(str(web), str(labels), topic, recipe, number, budget=sizes[topic], flip=flip))
        for topic in chosen
        for number in range(1, rounds + 1)
        for recipe in recipes
        for flip in (0.0, _FLIP)
    ]
    found: Found = {}
    for (recipe, flip, _), run in zip(asked, must_run(run_all([job for *_, job in asked], progress)), strict=True):
        found.setdefault((recipe, flip), []).append(run)
    return found


def _lost(recipe: str, found: Found) -> float:
    """Returns the part of the harvest that the errors cost, in percent."""
    return 100 * (1 - harvest(found[recipe, _FLIP]) / harvest(found[recipe, 0.0]))


def _row(recipe: str, found: Found) -> list[Cell]:
    true, turned = found[recipe, 0.0], found[recipe, _FLIP]
    return [recipe, len({run.topic for run in true}), harvest(true), harvest(turned), _lost(recipe, found)]


def _chart(found: Found) -> Chart:
    bars = [
        (name, harvest(found[recipe, flip]))
        for recipe in _RECIPES
        for name, flip in ((recipe, 0.0), (f"{recipe}, {_FLIP:.0%} turned", _FLIP))
    ]
    return Chart("A judge that errs", "harvest at R", tuple(bars))
