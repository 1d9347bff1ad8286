"""Every recipe as it comes, on a few small tasks: floors for its harvest, so that no constant moves one unseen.

A task is a web and its topics; as many pages are fetched as a topic has, once, from five samples. Each recipe is tried on
webs for which it was made: topics of `schools`, languages of `fsfe`, sites of the demo, and pages with comments on a made
web. All crawls are repeatable to the page; floors are a little below what was measured, which stands beside them, and only go up.
"""

from importlib.resources import files
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import pytest

from opilio.lab.labels import read_labels
from opilio.lab.maker import Library, Parameters, make_web
from opilio.lab.protocol import Job, Run
from opilio.lab.runner import Runner, labels_beside
from opilio.lab.shelf import Shelf
from opilio.webs.demo.site import labels as demo_labels
from tests.builders import write_demo_web

TOPICS = {
    "schools": (
        "Science.Biology.Dinosaurs",
        "Design_and_Technology.Railway_transport",
        "Everyday_life.Food_and_agriculture",
    ),
    "fsfe": ("pt", "sq"),
    "demo": ("cats.en", "cats.de"),
    "comments": ("type.comments",),
}
FLOORS = {
    ("schools", "learned"): 0.5,  # measured 0.511
    ("schools", "skyline"): 0.32,  # measured 0.335
    ("schools", "preemptive"): 0.32,  # measured 0.3205
    ("schools", "perplexity"): 0.18,  # measured 0.206
    ("fsfe", "learned"): 0.72,  # measured 0.756
    ("fsfe", "preemptive"): 0.6,  # measured 0.619
    ("fsfe", "quality"): 0.17,  # measured 0.178
    ("fsfe", "cyclic"): 0.105,  # measured 0.112
    ("fsfe", "skyline"): 0.11,  # measured 0.117
    ("fsfe", "language"): 0.075,  # measured 0.081
    ("demo", "learned"): 0.93,  # measured 0.953
    ("demo", "skyline"): 0.76,  # measured 0.803
    ("demo", "preemptive"): 0.74,  # measured 0.765
    ("demo", "perplexity"): 0.75,  # measured 0.765
    ("comments", "comments"): 0.44,  # measured 0.456
    ("comments", "comments-hard"): 0.39,  # measured 0.406
}
SIZES = {"comments": ("policy.top=20",)}  # of a layer; a published size of 10,000 would take in the whole web
ELSEWHERE = {
    "diversity": "tests/quality/test_cycles.py",
    "random-walk": "tests/unit/model/test_walk.py",
}  # their measures are others
BASELINES = {"breadth-first", "random"}


class Crawler(NamedTuple):
    """Shares what was read of a web between all crawls."""

    runner: Runner
    webs: dict[str, Path]

    def harvest(self, web: str, topic: str, recipe: str) -> float:
        path = self.webs[web]
        size = len(read_labels(labels_beside(path), Shelf(path)).topics[topic])
        sizes = SIZES.get(web, ())
        run = self.runner.run(Job(str(path), str(labels_beside(path)), topic, recipe, 1, budget=size, settings=sizes))
        assert isinstance(run, Run), run
        return run.harvest_at_r


@pytest.fixture(scope="module")
def crawler(tmp_path_factory: pytest.TempPathFactory) -> Crawler:
    folder = tmp_path_factory.mktemp("webs")
    demo, comments = write_demo_web(folder / "demo.warc.gz"), folder / "comments.warc.gz"
    lines = (f"{url}\t{label}\n" for url, label in demo_labels().items())
    labels_beside(demo).write_text("".join(("url\tlabel\n", *lines)), "utf-8")
    make_web(comments, Parameters(pages=1_000, domains=40, conversation=0.72), Library.of_demo())
    return Crawler(Runner(), {"demo": demo, "comments": comments})


@pytest.mark.parametrize(("web", "recipe"), list(FLOORS))
def test_a_published_recipe_finds_as_much_as_it_ever_did(
    crawler: Crawler, web: str, recipe: str, request: pytest.FixtureRequest
) -> None:
    if web not in crawler.webs:
        crawler.webs[web] = request.getfixturevalue("schools_web").with_name(f"{web}.warc.gz")
    found = {topic: crawler.harvest(web, topic, recipe) for topic in TOPICS[web]}
    assert mean(found.values()) >= FLOORS[web, recipe], found


def test_every_recipe_has_a_floor() -> None:
    recipes = {path.name.removesuffix(".toml") for path in (files("opilio") / "recipes").iterdir()}
    recipes = {name for name in recipes if not name.startswith("_")}
    assert {recipe for _, recipe in FLOORS} | set(ELSEWHERE) | BASELINES == recipes
