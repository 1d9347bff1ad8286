"""The cut of a whole crawl: better parents lift links over it, and it may move between two runs and while one runs."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import opilio
from opilio.core.config import load_config
from opilio.core.items import Seed
from opilio.engine.build import Blueprint, build_crawl
from opilio.keep import unpack
from tests.builders import PROSE, write_web

IN_ORDER = {"workers": 1, "in_flight": 1}


class Numbers(opilio.PlainLead):
    """A page is worth the number in its path; seeds are always worth it."""

    def score(self, targets: Sequence[opilio.Target]) -> Sequence[float]:
        return [100.0 if not target.depth else float(target.url.rpartition("/")[2]) for target in targets]


class Parents(opilio.PlainLead):
    """A link is worth as much as the number of pages that it was seen on."""

    sightings = 5

    def score(self, targets: Sequence[opilio.Target]) -> Sequence[float]:
        return [100.0 if not target.depth else float(len(target.sightings)) for target in targets]


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Page 0 and page 1 link pages 1 to 9; page 1 links page 10 too."""
    links = "".join(f'<a href="/{number}">{number}</a>' for number in range(1, 10))
    extra = {0: links, 1: f'{links}<a href="/10">10</a>'}
    pages = {f"http://a.test/{at}": f"<p>Page {at}. {PROSE}</p>{extra.get(at, '')}" for at in range(11)}
    return write_web(tmp_path / "web.warc.gz", pages)


def _crawl(web: Path, folder: Path, lead: opilio.PlainLead, cut: float, **policy: Any) -> set[int]:
    tables = {"crawl": IN_ORDER, "policy": {"cut": cut, **policy}}
    kept = opilio.crawl(tables, folder, web=web, seeds=["http://a.test/0"], lead=lead)
    return {int(record.url.rpartition("/")[2]) for record in kept}


def _under(folder: Path) -> int:
    """Returns how many links are under the cut, by the counters and by the links alike."""
    connection = sqlite3.connect(folder / "crawl.db")
    stored = connection.execute("SELECT count(*) FROM links WHERE \"drop\" = 'below_cut'").fetchone()[0]
    connection.close()
    assert opilio.status(folder)["drops"].get("below_cut", 0) == stored
    return int(stored)


def test_a_lower_cut_brings_back_what_an_earlier_run_had_ended(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    assert _crawl(web, folder, Numbers(), 7.0) == {0, 7, 8, 9}
    assert _under(folder) == 6
    assert _crawl(web, folder, Numbers(), 3.0) == {3, 4, 5, 6}
    assert _under(folder) == 2
    assert _crawl(web, folder, Numbers(), 0.0) == {1, 2, 10}
    assert _under(folder) == 0


def test_a_higher_cut_ends_what_an_earlier_run_had_queued(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    tables = {"crawl": IN_ORDER, "stop": {"pages": 2}}
    list(opilio.crawl(tables, folder, web=web, seeds=["http://a.test/0"], lead=Numbers()))
    assert _crawl(web, folder, Numbers(), 8.0) == {8}
    assert _under(folder) == 7


def test_another_parent_lifts_a_link_over_the_cut(web: Path, tmp_path: Path) -> None:
    seeds = ["http://a.test/0", "http://a.test/1"]
    tables = {"crawl": IN_ORDER, "policy": {"cut": 2.0}}
    kept = list(opilio.crawl(tables, tmp_path / "c", web=web, seeds=seeds, lead=Parents()))
    assert {record.url.rpartition("/")[2] for record in kept} == {str(number) for number in range(10)}
    assert _under(tmp_path / "c") == 1


def test_a_cut_that_is_changed_while_the_crawl_runs_holds_until_somebody_moves_it_back(
    web: Path, tmp_path: Path
) -> None:
    tables = {"crawl": {**IN_ORDER, "commit_pages": 1}, "policy": {"cut": 7.0}}

    async def run() -> list[str]:
        crawl = build_crawl(Blueprint(load_config(tables=tables), tmp_path, web=[web], lead=Numbers()))
        kept = []
        async for batch in crawl.stream([Seed("http://a.test/0")]):
            kept += [unpack(gleaned.record).url for gleaned in batch]
            if len(kept) == 2:
                crawl.change(["policy.cut=9"])
        return kept

    kept = asyncio.run(run())
    assert kept == ["http://a.test/0", "http://a.test/9"]
    assert [record.url for record in opilio.crawl(tables, tmp_path, web=web, lead=Numbers())] == kept
    assert _under(tmp_path) == 8
    back = opilio.crawl(tables, tmp_path, web=web, lead=Numbers(), settings=["policy.cut=7"])
    assert [record.url for record in back] == ["http://a.test/8", "http://a.test/7"]
    assert _under(tmp_path) == 6
