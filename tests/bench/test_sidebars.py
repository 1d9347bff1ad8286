"""The webs of `bench sidebars`, and its goals by figures that are made up."""

from pathlib import Path

import pytest

from bench.sidebars import SHARES, goals
from bench.sidebars_web import Sidebars
from opilio.core.items import Page
from opilio.lab.labels import read_labels
from opilio.lab.maker import Library
from opilio.lab.protocol import Run
from opilio.lab.shelf import Shelf


@pytest.mark.parametrize("both", SHARES.values())
def test_links_of_a_sidebar_stay_in_the_language_and_those_of_the_text_do_not(tmp_path: Path, both: float) -> None:
    web = Sidebars(Library.of_demo(), 120, both, 7).write(tmp_path, "web")
    shelf = Shelf(web.path)
    language_of = {
        url: topic for topic, pages in read_labels(web.labels, shelf).topics.items() for url in pages if "." in topic
    }
    assert {topic: count for topic, count in web.topics.items() if count} == {"lang.en": 60, "lang.de": 60}
    in_text: list[bool] = []
    for url, language in language_of.items():
        page = shelf.page(url)
        assert page is not None
        beside = [link for link in page.links if any("div.side" in path for path in _paths(page, link.url))]
        assert {language_of[link.url] for link in beside} == {language}
        assert sum(link.times > 1 for link in beside) == round(both * len(beside))
        in_text += [language_of[link.url] == language for link in page.links if link not in beside]
    assert 0.3 < sum(in_text) / len(in_text) < 0.6


def _paths(page: Page, url: str) -> list[str]:
    [link] = [link for link in page.links if link.url == url]
    return [link.path, *(place.path for place in link.also)]


def _run(harvest: float) -> Run:
    return Run(
        "web", "topic", "recipe", 1, "language", 10, 10, 10, 5, harvest, None, harvest, 0.1, 0.1, 1000, None, 1, 3, 2, 90,
        9000.0, "", (), (), ((0, 0),), ((0, 0),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("apart", "both", "language", "met"),
    [(0.9, 0.88, 0.6, [True, True]), (0.9, 0.8, 0.6, [False, True]), (0.7, 0.7, 0.6, [True, False])],
)
def test_a_lead_that_loses_the_place_in_the_sidebar_misses_a_goal(
    apart: float, both: float, language: float, met: list[bool]
) -> None:
    harvests = {("none", "learned"): apart, ("all", "learned"): both, ("all", "language"): language}
    found = {key: [_run(harvest)] for key, harvest in {**harvests, ("all", "breadth-first"): 0.4}.items()}
    assert [goal.met for goal in goals(found)] == met
