"""How much of a topic or a language the learned lead finds, and how much breadth first does; floors only go up.

Six topics of `schools` with few pages, of those whose name has an even sha256, which are for development, from five samples;
and two languages of `fsfe-plain`. As many pages are fetched as there are, once.
"""

from hashlib import sha256
from pathlib import Path
from statistics import mean

import pytest

from opilio.lab.labels import read_labels
from opilio.lab.protocol import Job, Run
from opilio.lab.runner import Runner
from opilio.lab.shelf import Shelf

TOPICS = 6
SMALL = range(25, 61)
FLOOR = 0.345  # measured 0.359 to 0.375, by what is explored; breadth first 0.126
TIMES_BREADTH_FIRST = 2.5
LANGUAGE_FLOORS = {"es": 0.79, "sq": 0.83}  # measured 0.819 and 0.864


@pytest.fixture(scope="module")
def harvests(schools_web: Path) -> dict[str, list[float]]:
    """Recipe → by topic."""
    sizes = _sizes(schools_web)
    topics = sorted(topic for topic, size in sizes.items() if size in SMALL and _is_even(topic))[:TOPICS]
    assert len(topics) == TOPICS
    runner = Runner()
    return {
        recipe: [_harvest(runner, schools_web, topic, sizes[topic], recipe) for topic in topics]
        for recipe in ("learned", "breadth-first")
    }


def _labels(web: Path) -> Path:
    return web.with_name(web.name.replace(".warc.gz", ".labels.tsv"))


def _sizes(web: Path) -> dict[str, int]:
    return {topic: len(pages) for topic, pages in read_labels(_labels(web), Shelf(web)).topics.items()}


def _harvest(runner: Runner, web: Path, topic: str, size: int, recipe: str) -> float:
    run = runner.run(Job(str(web), str(_labels(web)), topic, recipe, 1, budget=size))
    assert isinstance(run, Run), run
    return run.harvest_at_r


def _is_even(topic: str) -> bool:
    return int(sha256(topic.encode()).hexdigest(), 16) % 2 == 0


def test_it_finds_as_much_of_a_topic_as_it_ever_did(harvests: dict[str, list[float]]) -> None:
    assert mean(harvests["learned"]) >= FLOOR, harvests


def test_it_finds_far_more_than_breadth_first(harvests: dict[str, list[float]]) -> None:
    assert mean(harvests["learned"]) >= TIMES_BREADTH_FIRST * mean(harvests["breadth-first"]), harvests


def test_it_finds_as_much_of_a_language_as_it_ever_did(schools_web: Path) -> None:
    web = schools_web.with_name("fsfe-plain.warc.gz")
    sizes, runner = _sizes(web), Runner()
    found = {code: _harvest(runner, web, code, sizes[code], "learned") for code in LANGUAGE_FLOORS}
    assert all(found[code] >= floor for code, floor in LANGUAGE_FLOORS.items()), found
