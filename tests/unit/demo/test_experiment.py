"""The demo's samples are honest, and its table and picture say what the crawls did."""

from importlib.resources import files
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from opilio.demo.experiment import SETTINGS, SITES, Run
from opilio.demo.picture import draw_experiment
from opilio.demo.tour import downloads, gains
from opilio.folder import CrawlFolder
from opilio.model.identifier import identify
from opilio.webs.demo import articles

SAMPLES = {name: (files("opilio.demo") / "samples" / f"{name}.txt").read_text("utf-8") for name in ("cat.en", "cat.de")}
PHRASE_WORDS = 6


def _phrases(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return set(zip(*(words[start:] for start in range(PHRASE_WORDS)), strict=False))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_one_article_in_its_language(name: str) -> None:
    assert 600 <= len(SAMPLES[name].split()) <= 1000
    assert identify(SAMPLES[name])[0] == name[-2:]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_shares_no_phrase_with_the_sites(name: str) -> None:
    sample = _phrases(SAMPLES[name])
    assert len(sample) > 500
    shared = {phrase for site in SITES for article in articles(site) for phrase in sample & _phrases(article.text)}
    assert not shared


def test_the_papers_figures_are_those_of_its_table() -> None:
    assert SITES == ("cats.en", "tech.en", "cats.de", "tech.de")
    assert [setting.paper for setting in SETTINGS] == [(27, 25, 25, 23), (93, 2, 3, 2), (1, 1, 97, 1)]


@pytest.fixture
def runs(tmp_path: Path) -> list[Run]:
    figures = (10, 20, 30, 40), (61, 5, 4, 2), (0, 0, 0, 0)
    return [
        Run(setting, CrawlFolder(tmp_path / setting.name), "pages reached", pages, pages, tuple(7 * n for n in pages))
        for setting, pages in zip(SETTINGS, figures, strict=True)
    ]


def test_the_table_shows_our_figures_above_the_papers(runs: list[Run]) -> None:
    console = Console(record=True, width=120, file=StringIO())
    console.print(downloads(runs))
    lines = [line.replace("│", " ").split() for line in console.export_text().splitlines()]
    ours, paper = ["English", "cats", "61", "5", "4", "2"], ["in", "the", "paper", "93", "2", "3", "2"]
    assert lines[lines.index(ours) + 1] == paper


def test_kept_words_stand_next_to_those_without_a_focus(runs: list[Run]) -> None:
    english, german = gains(runs)
    assert english == "English cats: 427 tokens kept from that site, without a focus 70, 6.1 times as many."
    assert german == "German cats: 0 tokens kept from that site, without a focus 210, 0.0 times as many."


def test_the_picture_is_drawn_also_for_a_crawl_without_pages(runs: list[Run], tmp_path: Path) -> None:
    assert draw_experiment(runs, tmp_path / "new" / "focus.png")
    assert (tmp_path / "new" / "focus.png").read_bytes().startswith(b"\x89PNG")
