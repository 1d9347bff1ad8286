"""`opilio sample`: a walk within a real crawl, over redirects and dead links, stopped and resumed."""

import sqlite3
from pathlib import Path
from random import Random

import pytest

import opilio
from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Seed
from opilio.engine.build import Blueprint
from opilio.engine.run import run_crawl
from opilio.folder import CrawlFolder
from opilio.lead import RandomWalk
from opilio.ops.sample import draw_sample
from tests.builders import response, run_opilio

PROSE = "A long enough paragraph about the harvestman, which looks like a spider and is not one. " * 4
SEED = "http://h0.test/0"
PAGES = 60
IN_ORDER = ["crawl.workers=1"]


def name(page: int) -> str:
    """Host 0 has half of the pages, host 1 a quarter, and so on."""
    host = next(host for host in range(7) if page % 2 ** (host + 1) != 2 ** (host + 1) - 1)
    return f"http://h{host}.test/{page}"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every page has four links to pages, one that leads to a page over a redirect, and one that leads nowhere."""
    path = tmp_path_factory.mktemp("web") / "web.warc.gz"
    random = Random(1)
    records = []
    for page in range(PAGES):
        links = [name(random.randrange(PAGES)) for _ in range(4)]
        links += [f"{name(random.randrange(PAGES))}/old", f"http://gone.test/{page}"]
        shown = "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)
        records.append(response(name(page), f"<p>Page {page}. {PROSE}</p>{shown}"))
        records.append(response(f"{name(page)}/old", "", 301, Location=name(page)))
    path.write_bytes(b"".join(records))
    return path


def walk(web: Path, folder: Path, pages: int, *settings: str) -> RandomWalk:
    config = load_config(recipe="random-walk", settings=[*IN_ORDER, f"stop.pages={pages}", *settings])
    run_crawl(Blueprint(config, folder, web=[web]), [Seed(SEED)])
    lead = RandomWalk()
    connection = sqlite3.connect(folder / "crawl.db")
    lead.load(connection.execute("SELECT value FROM meta WHERE key = 'lead'").fetchone()[0])
    connection.close()
    return lead


def test_a_walk_goes_on_over_redirects_and_dead_links_to_the_end_of_the_web(web: Path, tmp_path: Path) -> None:
    lead = walk(web, tmp_path, 0)
    reached = {record.url for record in opilio.read(tmp_path)}
    assert len(reached) > 0.9 * PAGES
    assert len(lead.walk.links) == len(reached)
    assert lead.walk.moved
    assert lead.walk.dead


@pytest.mark.parametrize("walkers", [1, 5])
def test_a_walk_that_was_stopped_goes_on_as_if_nothing_had_happened(web: Path, tmp_path: Path, walkers: int) -> None:
    settings = (f"lead.walkers={walkers}",)
    straight = walk(web, tmp_path / "a", 40, *settings)
    for pages in (7, 8, 40):
        stopped = walk(web, tmp_path / "b", pages, *settings)
    assert stopped.walk == straight.walk
    assert draw_sample(CrawlFolder(tmp_path / "a"), 20) == draw_sample(CrawlFolder(tmp_path / "b"), 20)


def test_hosts_are_drawn_whatever_the_number_of_their_pages(web: Path, tmp_path: Path) -> None:
    walk(web, tmp_path, 55)
    pages = draw_sample(CrawlFolder(tmp_path), 20).names
    hosts = draw_sample(CrawlFolder(tmp_path), 40, hosts=True).names
    assert sum(url.startswith("http://h0.test/") for url in pages) > 4
    assert len(hosts) == len(set(hosts)) >= 5


def test_only_so_many_links_of_a_page_count(web: Path, tmp_path: Path) -> None:
    lead = walk(web, tmp_path, 30, "lead.links=2")
    assert 1.5 < sum(map(len, lead.walk.links.values())) / len(lead.walk.links) < 2.5


def test_why_tells_who_has_chosen_a_page(web: Path, tmp_path: Path) -> None:
    walk(web, tmp_path, 30)
    drawn = draw_sample(CrawlFolder(tmp_path), 30).names
    told = {url: dict(opilio.why(tmp_path, url)).get("score", "") for url in drawn}
    assert all("has chosen it" in words or "the walk starts here" in words for words in told.values())


def test_a_crawl_that_was_no_walk_is_refused(web: Path, tmp_path: Path) -> None:
    list(opilio.crawl({"stop": {"pages": 2}}, tmp_path, web=web, seeds=[SEED]))
    with pytest.raises(ConfigError, match="not a walk"):
        draw_sample(CrawlFolder(tmp_path), 5)
    with pytest.raises(ConfigError, match="at least 1"):
        RandomWalk(walkers=0)


def test_the_command_writes_a_list_of_seeds(web: Path, tmp_path: Path) -> None:
    asked = ("sample", "walk", "--pages", 5, "--read", 8, "--web", web, "-q")
    run = run_opilio(*asked, "--url", SEED, folder=tmp_path)
    lines = run.stdout.splitlines()
    assert len(set(lines)) == 5
    assert all(line.startswith("http://h") for line in lines)
    assert "still favoured" in run.stderr
    run_opilio(*asked, "--hosts", "-o", "hosts.txt", folder=tmp_path)
    assert all("/" not in line for line in (tmp_path / "hosts.txt").read_text().splitlines())
