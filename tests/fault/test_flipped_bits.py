"""A flipped bit in what a crawl has stored is noticed where it would be believed: no other page is asked for, no rule lost."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

import opilio
from opilio.core.errors import CrawlDirError, OpilioError
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.enqueue import SqliteStore
from opilio.fetch import ROBOTS_SCHEMA, RobotsCache
from opilio.fetch.robots import parse_rules
from tests.builders import PROSE, memory_store, write_web
from tests.unit.enqueue.yard import Yard

_RULES = b"User-agent: *\nDisallow: /private\n"


def flip(store: SqliteStore, table: str, column: str, row: int, place: int) -> None:
    [(text,)] = store._execute(f"SELECT {column} FROM {table} WHERE id = ?", (row,))
    flipped = text[:place] + chr(ord(text[place]) ^ 1) + text[place + 1 :]
    store._execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (flipped, row))


@pytest.mark.parametrize("place", range(len("http://a.test/0")))
def test_no_bit_of_a_queued_url_can_flip_unnoticed(place: int) -> None:
    yard = Yard(memory_store())
    [damaged, sound] = yard.put("a.test", 0.9, 0.5)
    flip(yard.store, "links", "url", damaged, place)
    assert yard.must_lease().id == sound
    assert yard.drops == {Drop.DAMAGED: 1}


def test_a_host_whose_name_has_flipped_is_not_asked_in_its_place() -> None:
    store = memory_store()
    yard = Yard(store)
    yard.put("a.test", 0.9)
    yard.frontier.schedule.save()
    flip(store, "hosts", "name", 1, 0)
    yard.reopen()
    assert yard.lease() is None
    assert yard.drops == {Drop.DAMAGED: 1}


def test_rules_of_robots_txt_that_have_changed_are_fetched_anew() -> None:
    url = parse("http://a.test/private")
    assert isinstance(url, Url)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(ROBOTS_SCHEMA)

        def cache() -> RobotsCache:
            return RobotsCache(connection, "opilio", trust_s=1e6, retry_s=1e6)

        cache().put(url.origin, parse_rules(_RULES, "opilio"), 5.0)
        kept = cache().get(url.origin, 6.0)
        assert kept is not None
        assert not kept.allows(url)
        for change in (
            "source = cast(replace(source, 'private', 'privatf') AS BLOB)",
            "fetched_s = 5.5",
            "origin = 'http://b.test'",
        ):
            connection.execute(f"UPDATE robots SET {change}")
            origin = "http://b.test" if "origin" in change else url.origin
            assert cache().get(origin, 6.0) is None
            cache().forget()
            cache().put(url.origin, parse_rules(_RULES, "opilio"), 5.0)


def test_rules_that_an_older_version_has_stored_are_believed() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(ROBOTS_SCHEMA)
        connection.execute("INSERT INTO robots VALUES ('http://a.test', 5.0, 0, ?)", (_RULES,))
        assert RobotsCache(connection, "opilio", trust_s=1e6, retry_s=1e6).get("http://a.test", 6.0) is not None


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """A recorded web, of which one page was crawled into the folder `c`."""
    pages = {f"http://a.test/{n}": f'<p>{PROSE} {n}</p><a href="/{n + 1}">next</a>' for n in range(3)}
    web = write_web(tmp_path / "web.warc.gz", pages)
    opilio.crawl(tmp_path / "c", url=["http://a.test/0"], web=[web], pages=1, workers=1).to_end()
    return web


def test_a_database_with_a_flipped_bit_is_read_or_refused_in_words(tmp_path: Path, web: Path) -> None:
    random, refused = Random(3), 0
    for number in range(60):
        copy = shutil.copytree(tmp_path / "c", tmp_path / f"c{number}")
        data = bytearray((copy / "crawl.db").read_bytes())
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        (copy / "crawl.db").write_bytes(data)
        try:
            opilio.crawl(copy, web=[web], workers=1).to_end()
        except OpilioError:
            refused += 1
    assert 0 < refused < 60


def test_why_tells_of_a_damaged_link(tmp_path: Path, web: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "c/crawl.db")) as connection:
        connection.execute("UPDATE links SET url = 'http://a.test/q' WHERE url = 'http://a.test/1'")
        connection.commit()
    opilio.crawl(tmp_path / "c", web=[web], pages=3, workers=1).to_end()
    told = dict(opilio.why(tmp_path / "c", "http://a.test/1"))
    assert told["cause"] == "what is stored of it is damaged"


def test_a_url_that_is_no_text_any_more_is_refused_in_words(tmp_path: Path, web: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "c/crawl.db")) as connection:
        connection.execute("UPDATE links SET url = CAST(x'68747470ff' AS TEXT) WHERE url = 'http://a.test/1'")
        connection.commit()
    with pytest.raises(CrawlDirError, match=r"cannot read .* Restore it from a backup"):
        opilio.crawl(tmp_path / "c", web=[web], pages=3, workers=1).to_end()
