"""Short URLs, cloaking, audits, refreshes and pages from an archive, over real HTTP on loopback."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import opilio
from opilio.core.outcome import Drop
from opilio.discover import Find
from opilio.discover.blocklist import read_blocklist
from opilio.discover.directory import Directory
from opilio.discover.url_filter import UrlFilter
from tests.builders import PROSE, demo_texts, response

GERMAN = demo_texts("cats.de")[0]


class Site(BaseHTTPRequestHandler):
    asked: list[tuple[str, str, str]]
    archive = b""
    gone = ""  # a host whose pages are no more

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        host = self.headers["Host"].partition(":")[0]
        self.asked.append((self.command, host, self.path))
        if self.path == "/robots.txt":
            forbids = host == "j.mp"
            self._answer(
                "User-agent: *\nDisallow: /\n" if forbids else "Sitemap: http://x.example/s.xml\n", "text/plain"
            )
        elif self.path == "/f.warc.gz":
            start, _, end = self.headers["Range"].removeprefix("bytes=").partition("-")
            self._answer(self.archive[int(start) : int(end) + 1], "application/octet-stream", 206)
        elif host == self.gone:
            self._answer("", "text/html", 410)
        elif host == "t.co":
            self.send_response(301)
            self.send_header(
                "Location", f"http://long.example:{self.headers['Host'].partition(':')[2]}/where/it/leads/to"
            )
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            english = host == "cloak.example" and self.headers.get("Accept-Language", "").startswith("en")
            text = PROSE * 4 if english or host == "english.example" else GERMAN
            self._answer(f"<title>{host}</title><p>{text}</p>", "text/html; charset=utf-8")

    def _answer(self, content: str | bytes, kind: str, status: int = 200) -> None:
        body = content.encode() if isinstance(content, str) else content
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


HOSTS = ("t.co", "j.mp", "long.example", "cloak.example", "honest.example", "english.example")


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    Site.asked, Site.archive, Site.gone = [], b"", ""
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as started:
        thread = threading.Thread(target=started.serve_forever)
        thread.start()
        yield started
        started.shutdown()
        thread.join()


def settings(*more: str) -> list[str]:
    hosts = ", ".join(f'"{host}" = "127.0.0.1"' for host in HOSTS)
    return ["fetch.delay_s=0", "fetch.allow_private_addresses=true", f"fetch.hosts={{{hosts}}}", *more]


def listed(tmp_path: Path, *urls: str) -> str:
    (tmp_path / "list.txt").write_text("\n".join(urls))
    return f"urls={tmp_path / 'list.txt'}"


def test_short_urls_are_asked_where_they_lead_unless_robots_forbids(
    server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    port = server.server_address[1]
    place = tmp_path / "scout.db"
    opilio.scout_run(place, listed(tmp_path, f"http://t.co:{port}/1", f"http://j.mp:{port}/2"), settings=settings())
    found = {entry.url: entry for entry in opilio.scout_ls(place, all=True)}
    target = found[f"http://long.example:{port}/where/it/leads/to"]
    assert found[f"http://t.co:{port}/1"].drop is Drop.REDIRECTED
    assert (target.state, target.language, target.finds, target.sitemap) == ("probed", "de", 1, True)
    assert found[f"http://j.mp:{port}/2"].drop is Drop.ROBOTS
    assert ("HEAD", "t.co", "/1") in Site.asked
    assert ("HEAD", "j.mp", "/2") not in Site.asked


def test_a_host_that_shows_another_language_to_others_is_told(server: ThreadingHTTPServer, tmp_path: Path) -> None:
    urls = [f"http://{host}:{server.server_address[1]}/a/page/of/it" for host in ("cloak.example", "honest.example")]
    place = tmp_path / "scout.db"
    opilio.scout_run(place, listed(tmp_path, *urls), settings=settings("scout.cloaking=1.0"))
    found = {entry.host: entry for entry in opilio.scout_ls(place, all=True)}
    assert found["cloak.example"].cloaking == "en instead of de"
    assert found["honest.example"].cloaking == ""


def test_an_audit_tells_the_languages_behind_rejected_messages(server: ThreadingHTTPServer, tmp_path: Path) -> None:
    port = server.server_address[1]
    place = tmp_path / "scout.db"
    with Directory(place) as directory:
        rejected = Find(f"http://english.example:{port}/a/page/of/it", group="rejected", set_aside=True)
        other = Find(f"http://honest.example:{port}/a/page/of/it", group="random")
        redirected = Find(f"http://t.co:{port}/a/page/of/it", group="rejected", set_aside=True)
        directory.take("blog", [rejected, redirected, other], UrlFilter(read_blocklist()), 0)
        directory.commit()
    done = opilio.scout_audit(place, sample=5, settings=settings())
    assert (done.rejected, done.all) == ({"en": 1, "de": 1}, {"de": 2, "en": 1})
    groups = {row.group: row.languages for row in opilio.scout_stats(place).groups}
    assert groups == {"random": {"de": 1.0}, "rejected": {"en": 0.5, "de": 0.5}}
    assert not opilio.scout_ls(place)  # what is audited does not become a seed


def test_pages_are_probed_from_the_archive_and_no_site_is_asked(server: ThreadingHTTPServer, tmp_path: Path) -> None:
    port = server.server_address[1]
    urls = ["http://a.example/", "http://b.example/a/page/of/it"]
    records = [response(url, f"<title>a</title><p>{GERMAN}</p>") for url in urls]
    Site.archive = b"".join(records)
    captures = [
        {
            "url": url, "status": "200", "mime": "text/html", "languages": "deu", "filename": "f.warc.gz",
            "offset": str(sum(map(len, records[:number]))), "length": str(len(records[number])),
        }
        for number, url in enumerate(urls)
    ]  # fmt: skip
    (tmp_path / "cdx-00000").write_text("\n".join(f"example 2026 {json.dumps(capture)}" for capture in captures))
    sources = [f"common-crawl={tmp_path / 'cdx-00000'}", listed(tmp_path, f"http://honest.example:{port}/some/page")]
    place = tmp_path / "scout.db"
    archive = f"scout.archive=http://long.example:{port}/"
    opilio.scout_run(place, sources, from_archive=True, settings=settings(archive))
    found = {entry.url: (entry.state, entry.language) for entry in opilio.scout_ls(place, all=True)}
    assert found == {
        urls[0]: ("probed", "de"),
        urls[1]: ("probed", "de"),
        f"http://honest.example:{port}/some/page": ("found", ""),
    }
    assert {asked[1] for asked in Site.asked} == {"long.example"}


def test_requests_for_short_urls_count_in_the_budget_and_the_next_run_goes_on(
    server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    port = server.server_address[1]
    place = tmp_path / "scout.db"
    source = listed(tmp_path, *(f"http://t.co:{port}/{number}" for number in range(3)))
    first = opilio.scout_run(place, source, budget=6, settings=settings())
    assert first.requests == 6
    assert [entry for entry in opilio.scout_ls(place, all=True) if entry.state == "unresolved"]
    second = opilio.scout_run(place, source, budget=6, settings=settings())
    assert not [entry for entry in opilio.scout_ls(place, all=True) if entry.state == "unresolved"]
    heads = [asked for asked in Site.asked if asked[0] == "HEAD"]
    assert first.requests + second.requests == len(heads) + 2  # robots.txt of both hosts


def test_a_refresh_over_http_asks_for_every_page_again(server: ThreadingHTTPServer, tmp_path: Path) -> None:
    port = server.server_address[1]
    place = tmp_path / "scout.db"
    urls = [f"http://{host}:{port}/a/page/of/it" for host in ("honest.example", "english.example")]
    added = opilio.scout_add(place, urls, settings=settings())
    assert (added.probed, {entry.url for entry in opilio.scout_ls(place)}) == (2, set(urls))
    Site.asked.clear()
    Site.gone = "english.example"
    done = opilio.scout_refresh(place, settings=settings())
    assert (done.probed, done.same, done.changed, done.gone) == (2, 1, 0, 1)
    assert {asked[1] for asked in Site.asked} == {"honest.example", "english.example"}
    assert [entry.url for entry in opilio.scout_ls(place)] == urls[:1]
