"""Crawls of the four sites of the demo that stop by what they still find, as a user runs them and asks about them."""

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import opilio
from opilio.core.config import load_config
from opilio.core.items import Seed
from opilio.engine import Crawl
from opilio.engine.build import Blueprint, build_crawl
from opilio.webs.demo.site import demo_web, labels
from tests.builders import demo_seeds, run_opilio, write_demo_web, write_samples

SITE = "cats.en"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded web and samples."""
    place = tmp_path_factory.mktemp("until")
    write_demo_web(place / "demo.warc.gz")
    write_samples(place / "like", SITE)
    return place


def _crawl(place: Path, name: str, *options: object) -> str:
    """What it says in the end."""
    return run_opilio(
        "crawl", place / name, "--like", place / "like", "--web", place / "demo.warc.gz", *demo_seeds(), "--workers", 1,
        "--quiet", "--set", "policy.choice=best", "--set", "scope.sitemaps=0", *options,
    ).stderr  # fmt: skip


def _facts(folder: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(run_opilio("status", folder, "--json").stdout)
    return facts


def _fetched(folder: Path) -> int:
    """Pages of the site."""
    known = labels()
    with closing(sqlite3.connect(folder / "crawl.db")) as connection:
        return sum(
            known.get(url) == SITE for (url,) in connection.execute("SELECT url FROM links WHERE outcome = 'ok'")
        )


def test_a_crawl_stops_when_few_of_its_last_pages_belong_and_goes_on_where_it_was(place: Path) -> None:
    _crawl(place, "poor", "--recipe", "learned", "--until", "pages=100", "--until", "precision=0.1")
    before = _facts(place / "poor")
    assert (before["stop_reason"], before["marginal_pages"]) == ("pages reached", 100)
    said = _crawl(place, "poor", "--recipe", "learned", "--until", "precision=0.1")
    after = _facts(place / "poor")
    assert re.search(r"precision below 0\.1: 9\.\d\d% of the last 200 pages belong", said)
    assert after["stop_reason"] in said
    assert after["marginal_pages"] == 200 < after["pages"] < len(labels())
    assert after["marginal_yield"] < 0.1 < before["marginal_yield"]
    assert after["relevant"] >= before["relevant"] > 0


def test_a_crawl_stops_when_most_is_found_by_the_estimate_of_its_lead(place: Path) -> None:
    said = _crawl(place, "found", "--recipe", "learned", "--until", "saturation=0.8", "--set", "lead.explore=0.2")
    facts = _facts(place / "found")
    assert "saturation of 0.8 reached" in said
    assert facts["pages"] < 0.8 * len(labels())
    assert _fetched(place / "found") > 0.9 * sum(site == SITE for site in labels().values())
    assert facts["found_share"] >= 0.7  # of the saved state, which may be some pages older
    assert len(facts["signals"]) == 3
    shown = run_opilio("status", place / "found").stdout
    assert re.search(r"now +\d+\.\d% of the last 200 pages belong", shown)
    assert re.search(r"ahead +about \d+ of the queued pages belong, by estimate", shown)
    assert re.search(r"signals +\w+ \d\.\d\d, \w+ \d\.\d\d, \w+ \d\.\d\d", shown)


def test_a_lead_that_explores_nothing_is_warned_of(place: Path) -> None:
    said = run_opilio(
        "crawl", place / "unexplored", "--like", place / "like", "--web", place / "demo.warc.gz", "--url", "http://cats-en.test/",
        "--until", "saturation", "--set", "lead.explore=0", "--pages", 3, "--workers", 1,
    ).stderr  # fmt: skip
    assert "Warning: the crawl will not stop by stop.saturation: with lead.explore=0" in " ".join(said.split())


def test_a_crawl_says_while_it_runs_what_it_finds_and_by_which_signals(place: Path) -> None:
    said = run_opilio(
        "crawl", place / "watched", "--like", place / "like", "--web", place / "demo.warc.gz", "--url", "http://cats-en.test/",
        "--pages", 20, "--workers", 1, "--set", "scope.sitemaps=0",
    ).stderr  # fmt: skip
    assert re.search(r"20 pages .*; \d+% of the last 20 pages belong", said)
    plain = run_opilio(
        "crawl", place / "unfocused", "--web", place / "demo.warc.gz", "--url", "http://cats-en.test/", "--pages", 5,
        "--workers", 1,
    ).stderr  # fmt: skip
    assert "belong" not in plain


async def _finish(crawl: Crawl) -> None:
    async for _ in crawl.stream([Seed(f"http://{host}/", "test") for host in demo_web()]):
        pass


def test_a_crawl_whose_lead_estimates_nothing_is_warned_of_and_shows_nothing(place: Path) -> None:
    (place / "blind").mkdir()
    config = load_config(settings=["stop.saturation=0.9", "stop.pages=5", "crawl.workers=1"])
    crawl = build_crawl(Blueprint(config, place / "blind", web=[place / "demo.warc.gz"]))
    assert "will not stop by stop.saturation" in crawl.warnings[0]
    asyncio.run(_finish(crawl))
    facts = opilio.status(place / "blind")
    assert (facts["remaining"], facts["found_share"], facts["signals"]) == (None, None, {})
