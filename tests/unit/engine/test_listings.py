"""Sitemaps and feeds during a crawl: of hosts that yield, within bounds, and at no cost where there are none."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import opilio
from opilio.core.items import Link
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.engine.listing import INDEXED, kind_of, marked, read_listing
from opilio.folder import CrawlFolder
from opilio.folder.database import open_readonly
from opilio.webs.server import LoopbackServer
from tests.builders import PROSE, response

HOME = "http://a.test/"
ROBOTS = "User-agent: *\nDisallow: /secret\nSitemap: http://a.test/map.xml\n"


def page(name: object, head: str = "") -> str:
    return f"<html><head><title>{name}</title>{head}</head><body><p>Number {name}. {PROSE}</p></body></html>"


def urlset(*names: object) -> str:
    return f"<urlset>{''.join(f'<url><loc>http://a.test/{name}</loc></url>' for name in names)}</urlset>"


def crawl(
    tmp_path: Path, answers: Mapping[str, str | bytes], *settings: str, moved: str = "", **options: Any
) -> dict[str, Any]:
    """Crawls a web whose paths of a.test have these answers, from its home page. Returns the crawl's status."""
    kinds = {"txt": "text/plain", "xml": "application/xml", "gz": "application/gzip"}
    pages = {f"{number}": page(number) for number in range(30)}
    records = [
        response(HOME + path, body, kind=kinds.get(path.rpartition(".")[2], "text/html"))
        for path, body in {"": page("home"), **pages, **answers}.items()
    ]
    if moved:
        records.append(response(HOME + "map.xml", b"", 301, Location=HOME + moved))
    (tmp_path / "web.warc.gz").write_bytes(b"".join(records))
    folder = tmp_path / "crawl"
    with opilio.crawl(
        {}, folder, url=HOME, web=[tmp_path / "web.warc.gz"], workers=1, settings=settings, **options
    ) as kept:
        for _ in kept:
            pass
    return opilio.status(folder)


def test_pages_that_only_a_sitemap_names_are_found(tmp_path: Path) -> None:
    status = crawl(tmp_path, {"robots.txt": ROBOTS, "map.xml": urlset(*range(20))})
    assert status["documents"] == 21
    assert status["pages"] == 22  # a sitemap is a request like any other
    assert status["drops"]["listing"] == 1


def test_indexes_packed_sitemaps_and_redirects_are_followed(tmp_path: Path) -> None:
    index = (
        "<sitemapindex><sitemap><loc>/one.xml.gz</loc></sitemap><sitemap><loc>/two.xml</loc></sitemap></sitemapindex>"
    )
    answers: dict[str, str | bytes] = {
        "robots.txt": ROBOTS,
        "index.xml": index,
        "one.xml.gz": gzip.compress(urlset(1, 2).encode()),
        "two.xml": urlset(2, 3),
    }
    assert crawl(tmp_path, answers, moved="index.xml")["documents"] == 4


def test_feeds_that_a_kept_page_names_are_read(tmp_path: Path) -> None:
    head = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    feed = "<rss><channel><item><title>A title</title><link>http://a.test/7</link></item></channel></rss>"
    status = crawl(tmp_path, {"": page("home", head), "feed.xml": feed})
    assert status["documents"] == 2


def test_the_bound_holds_for_a_host(tmp_path: Path) -> None:
    two = "<sitemapindex><sitemap><loc>/1.xml</loc></sitemap><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>"
    answers = {"robots.txt": ROBOTS, "map.xml": two, "1.xml": urlset(*range(10)), "2.xml": urlset(*range(10, 20))}
    status = crawl(tmp_path, answers, "scope.sitemaps=5")
    assert status["documents"] == 6
    assert status["pages"] == 8  # the second sitemap is not even fetched


def test_none_are_read_where_the_settings_or_the_recipe_say_so(tmp_path: Path) -> None:
    answers = {"robots.txt": ROBOTS, "map.xml": urlset(1)}
    assert crawl(tmp_path, answers, "scope.sitemaps=0")["pages"] == 1
    (tmp_path / "other").mkdir()
    assert crawl(tmp_path / "other", answers, recipe="random")["pages"] == 1


def test_a_host_that_yields_nothing_is_not_asked(tmp_path: Path) -> None:
    status = crawl(tmp_path, {"robots.txt": ROBOTS, "map.xml": urlset(1)}, 'corpus.languages=["de"]')
    assert (status["pages"], status["drops"].get("listing", 0)) == (1, 0)


def test_what_robots_txt_forbids_is_forbidden_to_sitemaps_too(tmp_path: Path) -> None:
    robots = ROBOTS.replace("map.xml", "secret.xml")
    status = crawl(tmp_path, {"robots.txt": robots, "secret.xml": urlset(1)})
    assert (status["pages"], status["drops"]["robots"]) == (1, 1)


def test_a_sitemap_that_was_not_recorded_costs_nothing(tmp_path: Path) -> None:
    head = '<link rel="alternate" type="application/atom+xml" href="/nowhere">'
    status = crawl(tmp_path, {"robots.txt": ROBOTS, "": page("home", head)})
    assert (status["pages"], status["met"]) == (1, 1)


def test_what_is_not_a_sitemap_is_dropped_and_not_kept(tmp_path: Path) -> None:
    status = crawl(tmp_path, {"robots.txt": ROBOTS, "map.xml": "<!DOCTYPE html><p>Not found"})
    assert (status["documents"], status["drops"]["not_text"]) == (1, 1)


def test_links_of_a_sitemap_are_admitted_like_any(tmp_path: Path) -> None:
    assert (
        crawl(tmp_path, {"robots.txt": ROBOTS, "map.xml": urlset(1, 2, "x.png")}, 'scope.exclude=["/2$"]')["documents"]
        == 2
    )


def test_a_lead_sees_them_as_links_of_the_page_that_led_there(tmp_path: Path) -> None:
    crawl(tmp_path, {"robots.txt": ROBOTS, "map.xml": urlset(1, 2)}, recipe="learned", language="en")
    with open_readonly(CrawlFolder(tmp_path / "crawl").database) as connection:
        parents = dict(connection.execute("SELECT a.url, b.url FROM links a JOIN links b ON a.parent = b.id"))
    assert parents[f"{HOME}map.xml#sitemap"] == HOME
    assert parents[f"{HOME}1"] == f"{HOME}map.xml#sitemap"


def test_the_demo_is_crawled_by_its_sitemaps_over_loopback(tmp_path: Path) -> None:
    with LoopbackServer("demo") as server:
        names = ", ".join(f'"{host}" = "{address}"' for host, address in server.hosts.items())
        settings = [f"fetch.hosts={{{names}}}", "fetch.allow_private_addresses=true", "fetch.delay_s=0.01"]
        url = server.origin("cats-en.test") + "/"
        with opilio.crawl({}, tmp_path / "crawl", url=url, settings=settings, pages=20, workers=1) as kept:
            for _ in kept:
                pass
    with open_readonly(CrawlFolder(tmp_path / "crawl").database) as connection:
        [(drop, outcome)] = connection.execute(
            'SELECT "drop", outcome FROM links WHERE url = ?', (f"{url}sitemap.xml#sitemap",)
        )
    assert (drop, outcome) == ("listing", "ok")


def test_no_link_of_a_page_is_taken_for_a_listing() -> None:
    url = parse("http://a.test/x#sitemap")
    assert isinstance(url, Url)
    assert kind_of(url.href) is None
    assert (kind_of(marked(url, "sitemap")), kind_of(marked(url, "feed"))) == ("sitemap", "feed")


def test_a_listing_is_a_page_of_links_alone() -> None:
    url = parse("http://a.test/map.xml")
    assert isinstance(url, Url)
    found = read_listing("sitemap", url, 2, b"<sitemapindex><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>", 5)
    assert not isinstance(found, Drop)
    assert found.links == (Link("http://a.test/b.xml", "a.test", path="sitemap url", rel=INDEXED),)
    assert read_listing("feed", url, 0, b"<p>no feed", 5) is Drop.NOT_TEXT
