"""How many clusters of relevant pages a crawl finds where only irrelevant pages lead from one to the next.

It runs on the web of `opilio lab make --tunnel`. A recipe is shown five relevant pages and begins at the first of them;
it fetches twice as many pages as are relevant. A cluster is found when one of its pages was fetched. Figures are means
over `rounds`, each with other samples and another start. The web is useful as long as recipes that look at nothing but
the page around a link stay in the clusters where they began, so that is a goal too.
"""

import tempfile
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from opilio.core.config import load_config
from opilio.core.recipes import recipe_names
from opilio.lab.labels import Labels, read_labels
from opilio.lab.layers import SETTINGS
from opilio.lab.maker import make_tunnel
from opilio.lab.protocol import SAMPLES, SCALES
from opilio.lab.runner import crawl
from opilio.lab.shelf import Shelf

from . import Goal, Progress, Report
from .form import Cell

_LEARNED_RECIPE: Final = "learned"
_PARENT: Final = "perplexity"
_RECIPES: Final = ("breadth-first", _PARENT, "preemptive", _LEARNED_RECIPE)
_TOPIC: Final = "topic"
_COLUMNS: Final = (
    "recipe",
    "clusters",
    "clusters found",
    "share of them",
    "hubs fetched",
    "harvest at R",
    "harvest at 2R",
)


class Found(NamedTuple):
    clusters: int
    hubs: int
    at_r: float
    at_2r: float


def run(rounds: int = 3, seed: int = 7, progress: Progress | None = None) -> Report:
    recipes = [recipe for recipe in _RECIPES if recipe in recipe_names()]
    found: dict[str, list[Found]] = {recipe: [] for recipe in recipes}
    with tempfile.TemporaryDirectory(prefix="opilio-tunnel-") as name:
        web = Path(name) / "tunnel.warc.gz"
        make_tunnel(web, seed=seed)
        shelf = Shelf(web)
        labels = read_labels(Path(name) / "tunnel.labels.tsv", shelf)
        for number in range(1, rounds + 1):
            for recipe in recipes:
                found[recipe].append(explore(shelf, labels, recipe, number))
                if progress is not None:
                    progress(sum(map(len, found.values())), rounds * len(recipes))
    clusters = len(_clusters(labels))
    return Report(
        "tunnel",
        _COLUMNS,
        [_row(recipe, clusters, found[recipe]) for recipe in recipes],
        [_goal(recipe, clusters, found[recipe]) for recipe in recipes if recipe in (_PARENT, _LEARNED_RECIPE)],
        ["found: at least one page fetched, after twice as many fetches as there are relevant pages"],
    )


def explore(shelf: Shelf, labels: Labels, recipe: str, number: int) -> Found:
    relevant = labels.relevant(_TOPIC)
    samples = Random(number).sample(labels.topics[_TOPIC], SAMPLES)
    settings = [*SETTINGS, f"crawl.seed={number}", f"stop.pages={2 * len(relevant)}"]
    settings += SCALES[recipe](len(relevant)) if recipe in SCALES else []
    with tempfile.TemporaryDirectory(prefix="opilio-tunnel-") as name:
        files = [Path(name) / f"sample-{place}.html" for place in range(len(samples))]
        for file, url in zip(files, samples, strict=True):
            file.write_bytes(shelf.body(url))
        like = {"corpus": {"like": [str(file) for file in files]}}
        config = load_config(recipe=recipe, tables=like, settings=settings)
        downloads = crawl(config, Path(name), shelf, (samples[0],), None, None).downloads
    fetched = [one.url for one in downloads]
    half = relevant.intersection(fetched[: len(relevant)])
    return Found(
        sum(not pages.isdisjoint(fetched) for pages in _clusters(labels)),
        len(labels.relevant("off.hub").intersection(fetched)),
        len(half) / len(relevant),
        len(relevant.intersection(fetched)) / len(relevant),
    )


def _clusters(labels: Labels) -> list[frozenset[str]]:
    return [labels.relevant(topic) for topic in labels.topics if topic.startswith("cluster.")]


def _row(recipe: str, clusters: int, found: list[Found]) -> list[Cell]:
    number, hubs, at_r, at_2r = (fmean(figures) for figures in zip(*found, strict=True))
    return [recipe, clusters, number, number / clusters, hubs, at_r, at_2r]


def _goal(recipe: str, clusters: int, found: list[Found]) -> Goal:
    share = 100 * fmean(one.clusters for one in found) / clusters
    learned = recipe == _LEARNED_RECIPE
    return Goal(f"clusters that {recipe} finds", share, 80 if learned else 30, "%", at_least=learned)
