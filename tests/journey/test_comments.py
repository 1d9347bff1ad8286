"""Crawls for pages with comments on a made web: by layers, resumed, measured."""

import json
import sqlite3
from pathlib import Path

import pytest

from opilio.core.config import load_config
from opilio.lab.labels import read_labels
from opilio.lab.layers import SETTINGS, Layer, Visited, crawl_by_layers, measure_layers, shared
from opilio.lab.maker import Library, Parameters, make_web
from opilio.lab.shelf import Shelf
from tests.builders import run_opilio

TOP = 15
LAYERS = 10


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "web.warc.gz"
    make_web(path, Parameters(pages=800, domains=16, blogs=0.5, farms=0.0, seed=2), Library.of_demo())
    return path


def _seeds(web: Path) -> list[str]:
    return web.with_name("web.seeds.txt").read_text("utf-8").split()


def _crawl(web: Path, folder: Path, recipe: str, *settings: str) -> list[Visited]:
    folder.mkdir(exist_ok=True)
    sizes = (f"policy.top={TOP}", f"stop.layers={LAYERS}", "policy.wave=layer")
    config = load_config(recipe=recipe, settings=[*SETTINGS, *sizes, *settings])
    return crawl_by_layers(config, folder, Shelf(web), _seeds(web))


def _links(folder: Path) -> list[tuple[str, float, int]]:
    with sqlite3.connect(folder / "crawl.db") as database:
        return database.execute("SELECT url, score, state FROM links ORDER BY url").fetchall()


@pytest.mark.parametrize("recipe", ["comments", "comments-hard", "breadth-first"])
def test_no_layer_is_larger_than_allowed_and_the_last_one_is_the_last(web: Path, tmp_path: Path, recipe: str) -> None:
    visited = _crawl(web, tmp_path, recipe)
    layers = measure_layers(visited, (), _seeds(web))
    assert [layer.number for layer in layers] == list(range(LAYERS + 1))
    assert layers[0].fetched == 10
    assert all(layer.fetched <= TOP for layer in layers[1:])


@pytest.mark.parametrize("recipe", ["comments", "comments-hard"])
def test_a_crawl_in_pieces_is_the_same_crawl(web: Path, tmp_path: Path, recipe: str) -> None:
    whole = _crawl(web, tmp_path / "whole", recipe)
    pieces = [
        one for pages in range(35, 210, 35) for one in _crawl(web, tmp_path / "pieces", recipe, f"stop.pages={pages}")
    ]
    assert [one.url for one in pieces] == [one.url for one in whole]
    assert _links(tmp_path / "pieces") == _links(tmp_path / "whole")


def test_a_finished_crawl_goes_on_when_more_layers_are_wanted(web: Path, tmp_path: Path) -> None:
    first = _crawl(web, tmp_path / "pieces", "comments", "stop.layers=2")
    rest = _crawl(web, tmp_path / "pieces", "comments")
    whole = _crawl(web, tmp_path / "whole", "comments")
    assert [one.url for one in (*first, *rest)] == [one.url for one in whole]


def test_both_strategies_find_twice_as_many_pages_with_comments(web: Path, tmp_path: Path) -> None:
    relevant = read_labels(web.with_name("web.labels.tsv"), Shelf(web)).relevant("type.comments.blog")
    found = {
        recipe: sum(one.url in relevant for one in _crawl(web, tmp_path / recipe, recipe))
        for recipe in ("comments", "comments-hard", "breadth-first")
    }
    assert min(found["comments"], found["comments-hard"]) >= 2 * found["breadth-first"]


def test_layers_are_measured_apart_and_domains_together() -> None:
    visited = [
        Visited(0, "http://a.test/", "a.test"),
        Visited(1, "http://a.test/1", "a.test"),
        Visited(1, "http://b.test/", "b.test"),
        Visited(2, "http://c.test/", "c.test"),
        Visited(2, "http://b.test/1", "b.test"),
    ]
    relevant = {"http://b.test/", "http://c.test/", "http://a.test/1"}
    layers = measure_layers(visited, relevant, ["http://a.test/"])
    assert layers == [Layer(0, 1, 0, 0, 0, 0), Layer(1, 2, 2, 1, 1, 2), Layer(2, 2, 1, 2, 1, 3)]
    assert [layer.harvest for layer in layers] == [0.0, 1.0, 0.5]
    assert [layer.external_share for layer in layers] == [0.0, 0.5, 1.0]
    assert [layer.external_harvest for layer in layers] == [0.0, 1.0, 0.5]
    assert shared({"a", "b", "c", "d"}, {"a", "x"}) == 0.25
    assert shared((), {"a"}) == 0.0


def test_keywords_are_trained_from_the_command_line(tmp_path: Path) -> None:
    remark = "What somebody wrote below it, in some more words than four"
    pages = [
        {
            "html": f"<div class=post>{number}</div>" + f'<p class="remark-text">{remark}</p>' * (number % 2),
            "has_comments": bool(number % 2),
            "comments": remark * (number % 2),
        }
        for number in range(12)
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, pages)), "utf-8")
    asked = ("judge", "train", "comments", "pages.jsonl", "-o", "keywords.json")
    plain = run_opilio(*asked, "--folds", 3, folder=tmp_path)
    assert plain.stdout == "0.875  remark-text\n"
    assert "accuracy 1.000 (1.000)" in plain.stderr
    told = run_opilio(*asked, "--json", folder=tmp_path)
    facts = json.loads(told.stdout)
    assert facts["learned"] == json.loads((tmp_path / "keywords.json").read_text("utf-8"))
    assert facts["learned"]["keywords"] == {"remark-text": 0.875}
