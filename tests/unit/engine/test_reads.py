"""What a page costs the database: its links are read once, however many of them are known."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import pytest

from opilio.core.config import load_config
from opilio.core.events import Event, Events
from opilio.core.items import Seed
from opilio.core.url import Url, parse
from opilio.engine import Crawl
from opilio.engine.build import Blueprint, build_crawl
from opilio.fetch.recorded import RecordedWeb
from opilio.judge import Everything
from tests.builders import PROSE, write_web

HUBS, TARGETS = 40, 64  # a few targets are fetched to explore
WARM_UP_PAGES = 5  # from then on every link is known
MANY_LINKS = 60
MEAN, MOST = 8, 12  # SELECTs of a page
BIRD = "http://schools-wikipedia.org/wp/a/Albatross.htm"
BIRD_PAGES = 150


class _Cost(NamedTuple):
    known: int  # links of the page that were met before
    selects: list[str]


class _Reads:
    """Counts known links and SELECTs from one fetch to the next."""

    def __init__(self) -> None:
        self._known: list[int] = []
        self._selects: list[list[str]] = []

    def watch(self, crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
        frontier = crawl.parts.frontier
        meet = frontier.meet

        def counted(urls: Sequence[str]) -> list[int]:
            before, numbers = len(frontier), meet(urls)
            if self._known:
                self._known[-1] += sum(number <= before for number in set(numbers))
            return numbers

        monkeypatch.setattr(frontier, "meet", counted)
        crawl._database.connection.set_trace_callback(self._executed)

    def fetched(self, event: Event) -> None:
        if event.stage == "fetch":
            self._known.append(0)
            self._selects.append([])

    @property
    def pages(self) -> list[_Cost]:
        """The last page is left out: the end of the crawl follows it."""
        return [_Cost(*each) for each in zip(self._known, self._selects, strict=True)][:-1]

    def _executed(self, statement: str) -> None:
        if self._selects and statement.startswith("SELECT"):
            self._selects[-1].append(statement)


def _crawl(plan: Blueprint, seeds: Sequence[Seed], monkeypatch: pytest.MonkeyPatch) -> _Reads:
    reads = _Reads()
    plan.events = Events(reads.fetched)

    async def run() -> Crawl:
        crawl = build_crawl(plan)
        reads.watch(crawl, monkeypatch)
        async for _ in crawl.stream(seeds):
            pass
        return crawl

    assert asyncio.run(run()).parts.tally.pages == plan.config.stop.pages
    return reads


def _plan(
    folder: Path, web: Path, recipe: str, pages: int, *settings: str, judge: Everything | None = None
) -> Blueprint:
    one_by_one = ["crawl.workers=1", "crawl.in_flight=1", "fetch.delay_s=0", f"stop.pages={pages}"]
    return Blueprint(load_config(recipe=recipe, settings=[*one_by_one, *settings]), folder, web=[web], judge=judge)


def _crawl_hubs(folder: Path, recipe: str, hosts: int, monkeypatch: pytest.MonkeyPatch) -> list[_Cost]:
    """Crawls hubs that all link the same targets, and returns what each costs after the first few."""
    targets = [f"http://t{number % hosts}.test/{number}" for number in range(TARGETS)]
    links = "".join(f'<p>{PROSE[:40]} <a href="{url}">the page {url}</a></p>' for url in targets)
    hubs = {f"http://hub.test/{number}": f"<p>Hub {number}. {PROSE}</p>{links}" for number in range(HUBS)}
    plan = _plan(folder, write_web(folder / "web.warc.gz", hubs), recipe, HUBS, judge=Everything())
    return _crawl(plan, [Seed(url) for url in hubs], monkeypatch).pages[WARM_UP_PAGES:]


@pytest.mark.parametrize("hosts", [1, 20, TARGETS])
def test_a_page_with_sixty_known_links_costs_the_learned_lead_few_selects(
    tmp_path: Path, hosts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = _crawl_hubs(tmp_path, "learned", hosts, monkeypatch)
    counts = [len(page.selects) for page in pages if page.known >= MANY_LINKS]
    assert len(counts) >= HUBS - WARM_UP_PAGES - 1
    assert fmean(counts) <= MEAN, counts
    assert max(counts) <= MOST, counts


def test_a_lead_without_sightings_reads_no_links_for_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = _crawl_hubs(tmp_path, "breadth-first", 1, monkeypatch)
    assert max(len(page.selects) for page in pages) <= 2, pages[0].selects
    assert not any("IN (SELECT" in statement for page in pages for statement in page.selects)


def test_a_page_of_a_real_web_costs_as_few_selects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    web = Path(os.environ.get("OPILIO_DATA") or "nowhere") / "webs" / "schools.warc.gz"
    if not web.exists():
        pytest.skip("OPILIO_DATA names no folder with webs/schools.warc.gz")
    url = parse(BIRD)
    assert isinstance(url, Url)
    (tmp_path / "bird.html").write_bytes(RecordedWeb([web]).answer(url).body)
    plan = _plan(tmp_path, web, "learned", BIRD_PAGES, 'corpus.like=["bird.html"]')
    pages = _crawl(plan, [Seed(BIRD)], monkeypatch).pages
    counts = [len(page.selects) for page in pages if page.known >= MANY_LINKS]
    assert counts, "no page has many known links"
    assert max(counts) <= MOST, f"{counts}: on average {fmean(counts):.1f} SELECTs for a page"
