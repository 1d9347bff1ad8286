"""Pages are visited again on a real server that knows what it has sent before, whose pages change, move and vanish."""

import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from fastwarc.warc import ArchiveIterator
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

import opilio
from opilio.folder import CrawlFolder, View
from opilio.keep import Visits
from tests.builders import PROSE, run_opilio

NAMES = ("tagged", "plain", "counter", "news", "gone", "away", "out")


class Site:
    """Pages by name; their texts can be changed while the server runs."""

    def __init__(self) -> None:
        self.texts = {name: f"The page {name}. {PROSE}" for name in NAMES}
        self.texts |= {f"p{number}": f"Page number {number} is its own. {PROSE}" for number in range(12)}
        self.links: dict[str, list[str]] = {"front": list(self.texts)}
        self.texts["front"] = f"The front page. {PROSE}"
        self.statuses: dict[str, int] = {}
        self.heads: dict[str, str] = {}
        self.raw: dict[str, bytes] = {}  # XML in the place of a page
        self.asked: list[tuple[str, str | None, int]] = []  # name, If-None-Match, status
        self.served = 0
        self.delay_s = 0.0

    def body(self, name: str) -> bytes:
        links = "".join(f'<a href="/{each}">{each}</a>' for each in self.links.get(name, []))
        head = self.heads.get(name, "")
        return f"<html><head><title>{name}</title>{head}</head><p>{self.texts[name]}</p>{links}</html>".encode()


class Handler(BaseHTTPRequestHandler):
    site: ClassVar[Site]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name, site = self.path.strip("/") or "front", self.site
        time.sleep(site.delay_s)
        status = site.statuses.get(name, 200 if name in site.texts else 404)
        site.served += 1
        body = site.body(name) if status == 200 else b""
        if name in site.raw:
            body = site.raw[name]
        if name == "counter":
            body = body.replace(b"</p>", f"<!-- {site.served} --></p>".encode())
        tag = f'"{hash(body)}"' if name == "tagged" else ""
        asked = self.headers.get("If-None-Match")
        if tag and asked == tag:
            status, body = 304, b""
        if name != "robots.txt":
            site.asked.append((name, asked, status))
        self.send_response(status)
        if tag:
            self.send_header("ETag", tag)
        if status == 301:
            self.send_header("Location", "/moved-here")
        self.send_header("Content-Type", "text/xml" if name in site.raw else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def site() -> Iterator[Site]:
    Handler.site = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Handler.site.heads["origin"] = f"http://127.0.0.1:{server.server_port}"
    yield Handler.site
    server.shutdown()
    server.server_close()


SETTINGS = ("fetch.allow_private_addresses=true", "fetch.delay_s=0", "crawl.workers=1", "scope.sitemaps=0")


def crawl(site: Site, folder: Path, *settings: str) -> None:
    url = f"{site.heads['origin']}/"
    opilio.crawl({}, folder, url=url, settings=(*SETTINGS, *settings)).to_end()
    site.asked.clear()
    time.sleep(0.05)


def texts(folder: Path) -> dict[str, str]:
    return {record.title: record.text for record in opilio.read(folder)}


def history(folder: Path) -> list[tuple[str | None, str | None]]:
    """Types and profiles of its WARC records."""
    found = []
    for path in sorted((folder / "history" / "warc").glob("*.warc.gz")):
        with path.open("rb") as file:
            heads = [record.headers for record in ArchiveIterator(file, parse_http=False)]
            found += [(head.get("WARC-Type"), head.get("WARC-Profile")) for head in heads]
    return found


def test_what_has_changed_is_stored_anew_and_the_rest_is_not(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "c")
    before = opilio.status(tmp_path / "c")
    site.texts["news"] = f"Something else has happened today, and nobody expected it. {PROSE[::-1]}"
    site.links["news"] = ["fresh"]
    site.texts["fresh"] = f"A page that is new. {PROSE}"
    site.statuses |= {"gone": 410, "away": 301}
    site.heads["out"] = '<meta name="robots" content="noai">'
    found = opilio.revisit(tmp_path / "c", pages=100)
    assert found.reason == "no more page is due"
    assert (found.changed, found.gone, found.moved, found.failed) == (2, 1, 1, 0)
    assert found.same == len(site.texts) - 1 - 4  # all but the new page, and those of the line before
    asked = {name: status for name, _, status in site.asked}
    assert asked["tagged"] == 304
    assert "fresh" not in asked, "new links wait for the next crawl"
    kept = texts(tmp_path / "c")
    assert kept["news"].startswith("Something else")
    assert {"gone", "away"} <= kept.keys(), "what is gone stays in the corpus"
    assert "out" not in kept, "a page that opts out leaves the corpus, with its history"
    after = opilio.status(tmp_path / "c")
    assert (after["pages"], after["kept"]) == (before["pages"], before["kept"] - 1)
    kinds = [kind for kind, _ in history(tmp_path / "c")]
    assert kinds.count("response") == 1, "the former version of the news alone"
    profiles = {(profile or "").rsplit("/", 1)[-1] for kind, profile in history(tmp_path / "c") if kind == "revisit"}
    assert profiles == {"identical-payload-digest", "server-not-modified"}


def test_a_page_that_is_gone_or_has_moved_is_not_visited_again_and_new_links_are_crawled(
    site: Site, tmp_path: Path
) -> None:
    crawl(site, tmp_path / "c")
    site.statuses |= {"gone": 404, "away": 301}
    site.texts["moved-here"] = f"It has moved to this place. {PROSE[::-1]}"
    opilio.revisit(tmp_path / "c", pages=100)
    site.asked.clear()
    opilio.crawl(tmp_path / "c").to_end()
    assert [name for name, _, _ in site.asked] == ["moved-here"]
    site.asked.clear()
    time.sleep(0.05)
    opilio.revisit(tmp_path / "c", pages=100)
    assert not {"gone", "away"} & {name for name, _, _ in site.asked}


def test_the_second_request_names_the_validator_of_the_last_answer(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "c")
    site.texts["tagged"] = f"Quite another text stands here now. {PROSE[::-1]}"
    for _ in range(2):
        opilio.revisit(tmp_path / "c", pages=100)
        time.sleep(0.05)
    statuses = [(asked is not None, status) for name, asked, status in site.asked if name == "tagged"]
    assert statuses == [(True, 200), (True, 304)]


def test_the_budget_holds_and_full_hosts_are_visited_too(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "c", "scope.pages_per_host=8")
    found = opilio.revisit(tmp_path / "c", pages=5)
    assert found.visits == len(site.asked) == 5
    site.asked.clear()
    opilio.crawl(tmp_path / "c").to_end()
    assert site.asked == [], "the host is full again"


def test_the_command_counts_what_it_found(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "c")
    done = run_opilio("revisit", tmp_path / "c", "--pages", 3, "--quiet")
    assert done.stdout.startswith("Visited 3 pages again: 0 changed, 3 the same")


def test_visits_that_are_killed_are_made_by_the_next_call(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "c", "crawl.commit_pages=1")
    for name in site.texts:
        site.texts[name] = f"Now {name} is another page altogether. {PROSE[::-1]} {name * 9}"
    site.delay_s = 0.02
    for after_s in (0.9, 1.1, 1.3):
        child = os.fork()
        if child == 0:
            try:
                opilio.revisit(tmp_path / "c", pages=100)
            finally:
                os._exit(0)
        time.sleep(after_s)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    opilio.revisit(tmp_path / "c", pages=100)
    kept = texts(tmp_path / "c")
    assert len(kept) == len(site.texts)
    assert all(text.startswith(f"Now {name}") for name, text in kept.items())
    with View(CrawlFolder(tmp_path / "c")) as view:
        rows = list(Visits(view._connection).all())
    assert sum(row.found == "changed" for row in rows) == len(site.texts), "each was stored anew once"
    responses = [kind for kind, _ in history(tmp_path / "c") if kind == "response"]
    assert len(responses) == len(site.texts)


def due(folder: Path, name: str) -> None:
    """Leaves a page to be visited again, as a kill does."""
    with closing(sqlite3.connect(folder / "crawl.db")) as connection:
        connection.execute("UPDATE links SET state = 0, bucket = -1 WHERE url LIKE ?", (f"%/{name}",))
        connection.commit()


def test_nothing_is_left_of_refused_versions_if_nothing_of_them_is_to_be_stored(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "c", "keep.refused=nothing", "keep.min_chars=200")
    site.texts["news"] = "It is short now."
    site.heads["out"] = '<meta name="robots" content="noai">'
    found = opilio.revisit(tmp_path / "c", pages=100)
    assert (found.changed, found.failed) == (2, 0)
    assert not {"news", "out"} & texts(tmp_path / "c").keys()
    assert opilio.status(tmp_path / "c")["kept"] == len(site.texts) - 2
    opilio.judge_again(tmp_path / "c")
    assert len(texts(tmp_path / "c")) == len(site.texts) - 2


def test_a_page_that_has_become_a_feed_stays_as_it_was(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "c")
    site.raw["news"] = b"<?xml version='1.0'?><rss version='2.0'><channel><item><link>/p1</link></item></channel></rss>"
    found = opilio.revisit(tmp_path / "c", pages=100)
    assert found.failed == 1
    assert "news" in texts(tmp_path / "c")
    assert "kept" in dict(opilio.why(tmp_path / "c", f"{site.heads['origin']}/news"))["verdict"]


def test_a_mark_counts_at_once_though_the_page_is_due(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "c")
    url = f"{site.heads['origin']}/news"
    due(tmp_path / "c", "news")
    told = dict(opilio.why(tmp_path / "c", url))["verdict"]
    assert told.startswith("kept: ")
    assert told.endswith("; it is to be visited again")
    opilio.mark(tmp_path / "c", url, belongs=False)
    assert "news" not in texts(tmp_path / "c")
    assert opilio.revisit(tmp_path / "c", pages=100).same == 1
    assert "news" not in texts(tmp_path / "c")


def test_readers_of_warc_files_pair_a_revisit_with_its_original(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "c")
    opilio.revisit(tmp_path / "c", pages=100)
    originals, revisits = {}, []
    for path in sorted((tmp_path / "c").glob("**/*.warc.gz")):
        with path.open("rb") as file:
            for record in WarcioIterator(file):
                head = record.rec_headers
                if record.rec_type == "response":
                    originals[head["WARC-Record-ID"]] = (head["WARC-Target-URI"], head["WARC-Payload-Digest"])
                elif record.rec_type == "revisit":
                    revisits.append((head["WARC-Refers-To"], head["WARC-Target-URI"], head["WARC-Payload-Digest"]))
                    assert record.http_headers.get_statuscode() in ("200", "304")
    assert len(revisits) == len(site.texts) - 1, "all but the counter, whose bytes differ"
    assert all(originals[to] == (uri, digest) for to, uri, digest in revisits)
