"""What a page costs the database: its links are read once, however many of them are known."""

import asyncio
from pathlib import Path
from statistics import fmean

import pytest

from opilio.core.config import load_config
from opilio.core.events import Event, Events
from opilio.core.items import Seed
from opilio.engine import Blueprint, Crawl, build_crawl
from opilio.judge import Everything
from opilio.keep import payload_digest, response_record

HUBS, TARGETS = 40, 64  # a few targets are fetched to explore
SETTLED = 5  # pages: from then on every link is known
MEAN, MOST = 8, 12
PROSE = "A long enough paragraph about the harvestman, which looks like a spider and is not one. " * 6


def _targets(hosts: int) -> list[str]:
    return [f"http://t{number % hosts}.test/{number}" for number in range(TARGETS)]


def _web(path: Path, hosts: int) -> Path:
    """Hubs that all link the same targets."""
    links = "".join(f'<p>{PROSE[:40]} <a href="{url}">the page {url}</a></p>' for url in _targets(hosts))
    pages = {f"http://hub.test/{number}": f"<p>Hub {number}. {PROSE}</p>{links}" for number in range(HUBS)}
    with path.open("wb") as out:
        for url, text in pages.items():
            body, fields = text.encode(), (("Content-Type", "text/html"),)
            out.write(response_record(url, "2026-01-01T00:00:00Z", "", 200, fields, body, payload_digest(body), 1))
    return path


class _Reads:
    """Counts SELECTs from one fetch to the next."""

    def __init__(self) -> None:
        self.pages: list[list[str]] = []

    def fetched(self, event: Event) -> None:
        if event.stage == "fetch":
            self.pages.append([])

    def executed(self, statement: str) -> None:
        if self.pages and statement.startswith("SELECT"):
            self.pages[-1].append(statement)

    def settled(self) -> list[int]:
        """The last page is left out: the end of the crawl follows it."""
        return [len(page) for page in self.pages[SETTLED:-1]]


def _crawl(tmp_path: Path, recipe: str, hosts: int) -> _Reads:
    reads = _Reads()
    web = _web(tmp_path / "web.warc.gz", hosts)
    settings = ["crawl.workers=1", "crawl.in_flight=1", "fetch.delay_s=0", f"stop.pages={HUBS}"]

    config = load_config(recipe=recipe, settings=settings)

    async def run() -> Crawl:
        crawl = build_crawl(Blueprint(config, tmp_path, web=[web], judge=Everything(), events=Events(reads.fetched)))
        crawl._database.connection.set_trace_callback(reads.executed)
        async for _ in crawl.stream([Seed(f"http://hub.test/{number}") for number in range(HUBS)]):
            pass
        return crawl

    crawl = asyncio.run(run())
    assert crawl.parts.tally.pages == HUBS
    assert crawl.parts.frontier.queued >= 60
    return reads


@pytest.mark.parametrize("hosts", [1, 20, TARGETS])
def test_a_page_with_sixty_known_links_costs_the_learned_lead_few_selects(tmp_path: Path, hosts: int) -> None:
    counts = _crawl(tmp_path, "learned", hosts).settled()
    assert fmean(counts) <= MEAN, counts
    assert max(counts) <= MOST, counts


def test_a_lead_without_sightings_reads_no_links_for_a_page(tmp_path: Path) -> None:
    reads = _crawl(tmp_path, "breadth-first", 1)
    assert max(reads.settled()) <= 2, reads.pages[SETTLED]
    assert not any("IN (SELECT" in statement for page in reads.pages for statement in page)
