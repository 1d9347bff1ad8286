"""Crawls that judge links before they fetch them, on a made web: resumed, from labelled pages, measured."""

import json
from pathlib import Path

import pytest

from opilio.core.config import load_config
from opilio.lab.labels import Labels, read_labels
from opilio.lab.layers import SETTINGS, crawl_by_layers
from opilio.lab.maker import Library, Parameters, make_web
from opilio.lab.shelf import Shelf
from tests.builders import run_opilio

TOPIC = "topic.cats"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "web.warc.gz"
    make_web(path, Parameters(pages=600, domains=16, seed=3), Library.of_demo())
    return path


def _labels(web: Path) -> Labels:
    return read_labels(web.with_name("web.labels.tsv"), Shelf(web))


def _save(web: Path, folder: Path, urls: list[str]) -> Path:
    folder.mkdir(parents=True)
    for number, url in enumerate(urls):
        (folder / f"{number}.html").write_bytes(Shelf(web).body(url))
    return folder


def test_a_crawl_in_pieces_is_the_same_crawl(web: Path, tmp_path: Path) -> None:
    inside = _labels(web).topics[TOPIC]
    like = _save(web, tmp_path / "like", list(inside[:5]))

    def crawl(folder: str, pages: int) -> list[str]:
        (tmp_path / folder).mkdir(exist_ok=True)
        own = (f"stop.pages={pages}", f'corpus.like=["{like}"]', "lead.bootstrap=10", "policy.top=10")
        config = load_config(recipe="preemptive", settings=[*SETTINGS, *own])
        return [one.url for one in crawl_by_layers(config, tmp_path / folder, Shelf(web), [inside[0]])]

    whole = crawl("whole", 150)
    pieces = [url for pages in range(25, 151, 25) for url in crawl("pieces", pages)]
    assert len(whole) == 150
    assert pieces == whole


def test_labelled_pages_on_the_command_line_train_the_classifier(web: Path, tmp_path: Path) -> None:
    labels = _labels(web)
    inside = list(labels.topics[TOPIC])
    outside = [url for url in sorted(labels.labelled) if url not in labels.relevant(TOPIC)]
    yes, no = _save(web, tmp_path / "yes", inside[:15]), _save(web, tmp_path / "no", outside[:15])
    run_opilio(
        "crawl", tmp_path / "cats", "--positive", yes, "--negative", no, "--url", inside[0], "--web", web, "--pages", 60,
        "--workers", 1, "--quiet",
    )  # fmt: skip
    assert json.loads(run_opilio("status", tmp_path / "cats", "--json").stdout)["recipe"] == "learned"
    why = run_opilio("why", tmp_path / "cats", inside[0]).stdout
    assert "five-fold accuracy" in why
    assert "classifier" in why
