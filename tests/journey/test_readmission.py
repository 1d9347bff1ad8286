"""Settings that are changed between two runs bring back what they had refused, and say how many links that is."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

import opilio
from opilio.core.config import load_config
from opilio.core.items import Seed
from opilio.engine.build import Blueprint, build_crawl
from tests.builders import PROSE, response

SEED = "http://a.test/"


def _page(name: str, *links: str) -> str:
    return f"<title>{name}</title><p>{name}. {PROSE}</p>" + "".join(f'<a href="{link}">to {link}</a>' for link in links)


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """The front page of a links to b, to c, to a page that its robots.txt keeps from us, and to a redirect to d."""
    links = ("http://b.test/", "http://c.test/", "/private/1", "/moved", "/1", "/2")
    rules = "User-agent: Opilio\nDisallow: /private/\n\nUser-agent: Shepherd\nAllow: /\n"
    records = [
        response(SEED, _page("front", *links)),
        response("http://a.test/robots.txt", rules, kind="text/plain"),
        response("http://a.test/moved", "", 301, Location="http://d.test/"),
        *(response(f"http://a.test/{name}", _page(f"a {name}")) for name in ("1", "2", "private/1")),
        *(response(f"http://{host}.test/", _page(host)) for host in "bcd"),
    ]
    path = tmp_path / "web.warc.gz"
    path.write_bytes(b"".join(records))
    return path


def _crawl(web: Path, folder: Path, *settings: str, lead: opilio.PlainLead | None = None) -> tuple[set[str], list[str]]:
    """Returns the pages that this run has kept, and what it has noted."""
    running = opilio.crawl(folder, url=SEED, web=web, workers=1, settings=settings, lead=lead)
    kept = {record.url for record in running}
    _check_counts(folder)
    return kept, running.notes


def _check_counts(folder: Path) -> None:
    """The counts of the drops are those of the links."""
    connection = sqlite3.connect(folder / "crawl.db")
    stored = dict(connection.execute('SELECT "drop", count(*) FROM links WHERE "drop" IS NOT NULL GROUP BY 1'))
    connection.close()
    assert opilio.status(folder)["drops"] == stored


def _drop(folder: Path, url: str) -> str:
    return dict(opilio.why(folder, url))["verdict"]


def test_a_wider_scope_brings_back_what_it_lets_in_and_nothing_else(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    assert _crawl(web, folder, 'scope.hosts=["a.test"]') == ({SEED, "http://a.test/1", "http://a.test/2"}, [])
    assert _crawl(web, folder, 'scope.hosts=["a.test", "b.test", "d.test"]') == (
        {"http://b.test/", "http://d.test/"},
        ["scope.hosts changed: 2 of 3 links that were refused before are back in the queue."],
    )
    assert _drop(folder, "http://c.test/") == "not kept: host out of scope"
    assert _crawl(web, folder) == (set(), [])


def test_a_link_that_another_rule_refuses_now_says_so(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    _crawl(web, folder, 'scope.hosts=["a.test"]')
    kept, notes = _crawl(web, folder, "scope.hosts=[]", 'scope.exclude=["c[.]test"]')
    assert kept == {"http://b.test/", "http://d.test/"}
    assert notes == ["scope.exclude, scope.hosts changed: 2 of 3 links that were refused before are back in the queue."]
    assert _drop(folder, "http://c.test/") == "not kept: url excluded"


def test_another_name_asks_robots_txt_anew(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    _crawl(web, folder)
    assert _drop(folder, "http://a.test/private/1") == "not kept: robots"
    kept, notes = _crawl(web, folder, "operator.name=Shepherd")
    assert kept == {"http://a.test/private/1"}
    assert notes == ["operator.name changed: 1 of 1 links that were refused before are back in the queue."]
    assert _crawl(web, folder, "operator.name=Wolf")[0] == set()  # nothing is left to be asked for


def test_a_host_that_was_full_is_opened_again(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    first, _ = _crawl(web, folder, "scope.pages_per_host=2", 'scope.exclude=["moved"]')
    assert {url for url in first if "a.test" in url} == {SEED, "http://a.test/1"}
    kept, notes = _crawl(web, folder, "scope.pages_per_host=3")
    assert kept == {"http://a.test/2"}
    assert notes == ["scope.pages_per_host changed: 1 of 1 links that were refused before are back in the queue."]


def test_a_change_that_was_made_while_the_crawl_ran_counts_in_the_next_run(web: Path, tmp_path: Path) -> None:
    tables = {"scope": {"hosts": ["a.test"]}, "crawl": {"workers": 1}}

    async def run() -> None:
        crawl = build_crawl(Blueprint(load_config(tables=tables), tmp_path, web=[web]))
        crawl.change(["scope.hosts=[]"])
        async for _ in crawl.stream([Seed(SEED)]):
            pass

    asyncio.run(run())
    assert opilio.status(tmp_path)["drops"]["host_out_of_scope"] == 3
    kept, notes = _crawl(web, tmp_path)
    assert kept >= {f"http://{host}.test/" for host in "bcd"}
    assert notes == ["scope.hosts changed: 3 of 3 links that were refused before are back in the queue."]


def test_a_folder_that_does_not_remember_these_settings_goes_by_those_of_its_last_run(
    web: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "c"
    _crawl(web, folder, 'scope.hosts=["a.test"]')
    connection = sqlite3.connect(folder / "crawl.db")
    connection.execute("DELETE FROM meta WHERE key = 'refusing'")
    connection.commit()
    connection.close()
    assert _crawl(web, folder)[1] == []
    assert len(_crawl(web, folder, "scope.hosts=[]")[0]) == 3


def test_more_redirects_are_followed_when_they_may_be(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    assert "http://d.test/" not in _crawl(web, folder, "limits.redirects=0")[0]
    kept, notes = _crawl(web, folder, "limits.redirects=1")
    assert (kept, len(notes)) == ({"http://d.test/"}, 1)


def test_links_that_were_not_followed_and_cannot_come_back_are_counted_once(web: Path, tmp_path: Path) -> None:
    def notes(*settings: str) -> list[str]:
        running = opilio.crawl(tmp_path / "c", url=SEED, web=web, workers=1, settings=settings)
        running.to_end()
        return running.notes

    lost = "6 links on 1 page were not stored, because no links were followed then; start a new folder to follow them."
    assert (notes("scope.max_depth=0"), notes("scope.max_depth=2"), notes()) == ([], [lost], [])


def test_a_lead_is_shown_where_a_link_was_found(web: Path, tmp_path: Path) -> None:
    class Sighted(opilio.PlainLead):
        sightings = 2

        def __init__(self) -> None:
            self.shown: list[opilio.Target] = []

        def score(self, targets: Sequence[opilio.Target]) -> Sequence[float]:
            self.shown += targets
            return [float(len(target.sightings)) for target in targets]

    _crawl(web, tmp_path / "c", 'scope.hosts=["a.test"]', lead=Sighted())
    again = Sighted()
    _crawl(web, tmp_path / "c", 'scope.hosts=["a.test", "b.test"]', lead=again)
    [target] = [target for target in again.shown if target.host == "b.test"]
    assert (target.url, target.score) == ("http://b.test/", None)
    [seen] = target.sightings
    assert (seen.parent_url, seen.parent_score, seen.parent_belongs) == (SEED, 1.0, True)
    assert seen.link.anchor == "to http://b.test/"


def test_links_that_the_web_does_not_hold_are_not_failures(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    list(opilio.crawl(folder, url=[SEED, "http://nowhere.test/"], web=web, workers=1))
    assert opilio.status(folder)["drops"] == {"robots": 1, "redirected": 1, "not_in_web": 1}
    story = dict(opilio.why(folder, "http://nowhere.test/"))
    assert (story["verdict"], story["cause"]) == ("not kept: not in this web", "not in this web")
