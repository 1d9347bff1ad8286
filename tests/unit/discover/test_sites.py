"""Sitemaps and feeds of known hosts over real HTTP: indexes, packed files, other forms, hostile and broken ones."""

import gzip
from pathlib import Path

import pytest

from opilio.discover.feed_file import feeds_of_page
from opilio.discover.feeds import Feeds
from opilio.discover.sitemaps import Sitemaps
from tests.unit.discover.asked import Answer, run

LAUGHS = '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol1 "&lol;&lol;&lol;">]>'


def urlset(*urls: str) -> str:
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return f'\n<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'


def index(*urls: str) -> str:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>"


def test_the_sitemaps_that_robots_txt_names_are_read() -> None:
    answers = {
        "/robots.txt": "User-agent: *\nSitemap: /a.xml\nsitemap: /b.txt",
        "/a.xml": urlset("http://a.test/1"),
        "/b.txt": "http://a.test/2",
    }
    ran = run(lambda origin: Sitemaps(f"{origin}/"), answers)
    assert (ran.urls, ran.error) == (["http://a.test/1", "http://a.test/2"], "")


def test_without_them_the_usual_place_is_tried() -> None:
    assert run(Sitemaps, {"/sitemap.xml": urlset("http://a.test/1")}).urls == ["http://a.test/1"]


def test_indexes_and_packed_sitemaps_are_followed() -> None:
    answers: dict[str, Answer] = {
        "/s.xml": index("/one.xml.gz", "/two.xml"),
        "/one.xml.gz": gzip.compress(urlset("http://a.test/1").encode()),
        "/two.xml": index("/one.xml.gz", "/three.xml"),
        "/three.xml": urlset("http://a.test/3"),
    }
    ran = run(lambda origin: Sitemaps(f"{origin}/s.xml"), answers)
    assert ran.urls == ["http://a.test/1", "http://a.test/3"]


def test_bounds_hold_for_files_depth_and_urls() -> None:
    answers = {f"/{number}.xml": index(f"/{number + 1}.xml", f"/{number + 2}.xml") for number in range(50)}
    assert len(run(lambda origin: Sitemaps(f"{origin}/0.xml", depth=5), answers).asked) - 1 <= 12
    assert len(run(lambda origin: Sitemaps(f"{origin}/0.xml", files=4, depth=50), answers).asked) - 1 == 4
    many = {"/s.xml": urlset(*(f"http://a.test/{number}" for number in range(100)))}
    assert len(run(lambda origin: Sitemaps(f"{origin}/s.xml", urls=30), many).urls) == 30


def test_translations_are_finds_with_their_languages() -> None:
    link = '<xhtml:link rel="alternate" hreflang="%s" href="%s"/>'
    links = link % ("de", "http://a.test/de") + link % ("fr-CA", "http://a.test/fr")
    body = f"<urlset><url><loc>http://a.test/de</loc><image:image><image:loc>http://a.test/i.png</image:loc></image:image>{links}</url></urlset>"
    found = run(lambda origin: Sitemaps(f"{origin}/s.xml"), {"/s.xml": body}).finds
    assert [(find.url, find.language) for find in found] == [("http://a.test/de", "de"), ("http://a.test/fr", "fr")]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (LAUGHS + "<urlset><url><loc>&lol1;</loc></url></urlset>", "document type"),
        ("<!DOCTYPE html><html><body>Not found</body></html>", "in HTML"),
        ('<rss version="2.0"></rss>', "<rss>"),
        ("nothing of the kind", "neither XML nor a list"),
        ("", "neither XML nor a list"),
        (gzip.compress(urlset("http://a.test/1").encode())[:40], "damaged"),
        ("<urlset><url>" * 100, "nested more than"),
    ],
)
def test_what_is_not_a_sitemap_is_an_error_that_says_so(body: str | bytes, words: str) -> None:
    assert words in run(lambda origin: Sitemaps(f"{origin}/s.xml"), {"/s.xml": body}).error


def test_a_sitemap_that_breaks_off_is_read_up_to_there() -> None:
    ran = run(
        lambda origin: Sitemaps(f"{origin}/s.xml"), {"/s.xml": urlset("http://a.test/1", "http://a.test/2")[:-20]}
    )
    assert ran.urls[0] == "http://a.test/1"


def test_a_sitemap_that_robots_txt_forbids_is_not_fetched() -> None:
    answers = {"/robots.txt": "User-agent: *\nDisallow: /s.xml", "/s.xml": urlset("http://a.test/1")}
    ran = run(lambda origin: Sitemaps(f"{origin}/s.xml"), answers)
    assert "/s.xml" not in ran.paths
    assert "robots.txt forbids" in ran.error


def test_a_site_without_a_sitemap_does_not_end_the_work(tmp_path: Path) -> None:
    def make(origin: str) -> Sitemaps:
        (tmp_path / "hosts").write_text(f"# some\n{origin}/gone.xml\n{origin}/s.xml\n")
        return Sitemaps(str(tmp_path / "hosts"))

    ran = run(make, {"/s.xml": urlset("http://a.test/1")})
    assert ran.urls == ["http://a.test/1"]
    assert "/gone.xml" in ran.error


def test_a_small_budget_gets_past_sites_that_have_nothing(tmp_path: Path) -> None:
    def make(origin: str) -> Sitemaps:
        sites = [*(f"{origin}/{number}.xml" for number in range(9)), f"{origin}/s.xml"]
        (tmp_path / "sites.txt").write_text("\n".join(sites))
        return Sitemaps(str(tmp_path / "sites.txt"))

    memory, found, port = dict[str, bytes](), list[str](), 0
    for _ in range(6):
        ran = run(make, {"/s.xml": urlset("http://a.test/1")}, memory=memory, budget=4, port=port)
        memory, port, found = ran.memory, ran.port, [*found, *ran.urls]
    assert found == ["http://a.test/1"]


def test_a_killed_source_goes_on_with_the_next_sitemap_and_the_next_run_tells_only_what_is_new() -> None:
    answers = {"/s.xml": index("/1.xml", "/2.xml", "/3.xml")} | {
        f"/{n}.xml": urlset(f"http://a.test/{n}") for n in (1, 2, 3)
    }

    def make(origin: str) -> Sitemaps:
        return Sitemaps(f"{origin}/s.xml")

    first = run(make, answers, kill_after=3)  # after the site, the index and its first sitemap
    second = run(make, answers, memory=first.memory, port=first.port)
    assert (first.urls, second.urls) == (["http://a.test/1"], ["http://a.test/2", "http://a.test/3"])
    assert "/1.xml" not in second.paths
    third = run(make, answers | {"/2.xml": urlset("http://a.test/new")}, memory=second.memory, port=first.port)
    assert third.urls == ["http://a.test/new"]


RSS = """<?xml version="1.0"?><rss version="2.0"><channel><language>de-AT</language><link>http://a.test/</link>
<item><title>One</title><link>http://a.test/1</link></item><item><guid>http://a.test/2</guid></item>
<item><guid isPermaLink="false">http://a.test/no</guid></item></channel></rss>"""
RDF = """<rdf:RDF xmlns:rdf="r" xmlns="s"><channel rdf:about="x"><link>http://a.test/</link></channel>
<item rdf:about="http://a.test/1"><link>http://a.test/1</link></item></rdf:RDF>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr"><link href="/"/><entry><title>One</title>
<link rel="self" href="/self"/><link rel="alternate" href="/1"/><link href="/other"/></entry></feed>"""
JSON = '{"version": "jsonfeed.org", "language": "es", "items": [{"id": "1", "url": "http://a.test/1"}, {"id": "2"}]}'


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (RSS, [("http://a.test/1", "de"), ("http://a.test/2", "de")]),
        (RDF, [("http://a.test/1", "")]),
        (ATOM, [("http://one.example/1", "fr")]),
        (JSON, [("http://a.test/1", "es")]),
    ],
)
def test_every_form_of_feed_is_read(body: str, found: list[tuple[str, str]]) -> None:
    ran = run(lambda origin: Feeds(f"{origin}/feed"), {"/feed": body})
    assert [(find.url.replace(f":{ran.port}", ""), find.language) for find in ran.finds] == found


def test_the_feeds_that_a_page_names_are_read() -> None:
    page = "<html><head><LINK rel='alternate' TYPE=application/rss+xml href=/feed><link rel=stylesheet href=/x></head></html>"
    assert run(lambda origin: Feeds(f"{origin}/"), {"/": page, "/feed": RSS}).urls == [
        "http://a.test/1",
        "http://a.test/2",
    ]
    assert feeds_of_page(b'<link rel="alternate" hreflang="de" href="/de">') == []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("<html></html>", "names none"),
        ('{"items": 3, "home": "jsonfeed.org"}', "not a feed"),
        ("<rss><channel>", "not a feed"),
    ],
)
def test_what_is_not_a_feed_is_an_error_that_says_so(body: str, words: str) -> None:
    assert words in run(lambda origin: Feeds(f"{origin}/feed"), {"/feed": body}).error


def test_a_feed_with_entities_is_refused() -> None:
    assert (
        "document type"
        in run(
            lambda origin: Feeds(f"{origin}/f"), {"/f": LAUGHS + "<rss><item><link>&lol1;</link></item></rss>"}
        ).error
    )
