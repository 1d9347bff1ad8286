"""The demo is a web that can be crawled: complete, closed, balanced, and the same bytes every time."""

import gzip
from collections import Counter, deque
from urllib.parse import urljoin, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from opilio.webs.demo import HOSTS, Answer, DemoSite, articles, demo_web, labels
from opilio.webs.demo.article import parse

SITES = demo_web()
each_site = pytest.mark.parametrize("site", SITES.values(), ids=SITES.keys())


def markup(answer: Answer) -> str:
    body = gzip.decompress(answer.body) if answer.header("content-encoding") == "gzip" else answer.body
    return body.decode(answer.header("content-type").partition("charset=")[2])


def links(url: str, answer: Answer) -> list[str]:
    if answer.status in {301, 302, 308}:
        return [urljoin(url, answer.header("location"))]
    if not answer.header("content-type").startswith("text/html"):
        return []
    anchors = LexborHTMLParser(markup(answer)).css("a[href]")
    return [urljoin(url, anchor.attributes["href"] or "") for anchor in anchors]


def fetch(url: str) -> Answer:
    parts = urlsplit(url)
    return SITES[parts.netloc].answer(parts.path + (f"?{parts.query}" if parts.query else ""))


def breadth_first(seeds: list[str], limit: int, host: str = "") -> list[str]:
    """Documents in the order in which a polite crawl would get them: the oldest URL of each host, hosts in turn. The
    calendar is left out; stays on one host if it is named."""
    queues = {name: deque(url for url in seeds if urlsplit(url).netloc == name) for name in HOSTS}
    seen, found = set(seeds), list[str]()
    while any(queues.values()):
        for queue in filter(None, queues.values()):
            answer = fetch(url := queue.popleft())
            if answer.status == 200 and answer.header("content-type").startswith("text/html"):
                found.append(url)
            for link in links(url, answer):
                if link not in seen and "/calendar/" not in link and host in {"", urlsplit(link).netloc}:
                    seen.add(link)
                    queues[urlsplit(link).netloc].append(link)
    return found[:limit]


@each_site
def test_site_has_a_hundred_articles_and_150_distinct_paragraphs(site: DemoSite) -> None:
    written = articles(site.key)
    assert len({article.path for article in written}) >= 108
    assert len({text for article in written for text in article.paragraphs}) >= 150
    assert all(fetch(f"http://{site.host}{article.path}").status == 200 for article in written)


@each_site
def test_every_link_of_every_page_leads_somewhere(site: DemoSite) -> None:
    for path, answer in site.pages.items():
        for link in links(f"http://{site.host}{path}", answer):
            assert fetch(link).status < 400, f"{path} → {link}"


@each_site
def test_hundred_documents_are_reachable_without_leaving_the_site(site: DemoSite) -> None:
    found = {url.partition("?")[0] for url in breadth_first([f"http://{site.host}/"], 1_000, site.host)}
    assert {url for url, key in labels().items() if key == site.key} <= found


def test_every_site_can_be_reached_from_every_other() -> None:
    for host in HOSTS:
        assert {urlsplit(url).netloc for url in breadth_first([f"http://{host}/"], 300)} == set(HOSTS)


def test_sites_that_are_apart_have_the_same_pages_and_no_links_to_each_other() -> None:
    for host, site in demo_web(apart=True).items():
        assert site.pages.keys() == SITES[host].pages.keys()
        found = [link for path, answer in site.pages.items() for link in links(f"http://{host}{path}", answer)]
        inside = [
            link
            for path, answer in SITES[host].pages.items()
            for link in links(f"http://{host}{path}", answer)
            if urlsplit(link).netloc == host
        ]
        assert found == inside


@pytest.mark.parametrize("limit", [100, 200, 400])
def test_unfocused_crawl_gets_a_quarter_from_each_site(limit: int) -> None:
    found = breadth_first([f"http://{host}/" for host in HOSTS], limit)
    for count in Counter(urlsplit(url).netloc for url in found).values():
        assert abs(count / limit - 0.25) < 0.04


def test_same_bytes_every_time() -> None:
    assert {host: site.pages for host, site in demo_web().items()} == {h: site.pages for h, site in SITES.items()}


@each_site
def test_every_page_is_set_in_the_language_of_its_site(site: DemoSite) -> None:
    tree = LexborHTMLParser(markup(site.answer("/")))
    assert tree.root is not None
    assert tree.root.attributes["lang"] == site.key[-2:]
    for selector in ("title", "h1", "nav, [role=navigation], .rubriken", "aside, .mehr, #rand", "footer, .fuss, #fuss"):
        assert tree.css_first(selector) is not None, selector


def test_labels_name_the_site_of_each_document() -> None:
    named = labels(lambda host: f"{host}:8080")
    assert set(Counter(named.values()).values()) == {117}
    assert all(urlsplit(url).hostname == f"{key.replace('.', '-')}.test" for url, key in named.items())
    assert not any("/private/" in url for url in named)


def test_links_across_sites_carry_the_authority_that_was_asked_for() -> None:
    site = demo_web(lambda host: f"{host}:8080")["cats-de.test"]
    article = markup(site.answer(articles("cats.de")[0].path))
    assert "http://cats-en.test:8080/" in article
    assert "http://tech-de.test:8080/" in article


@each_site
def test_calendar_never_ends(site: DemoSite) -> None:
    path = "/calendar/2026/11/"
    for _ in range(40):
        following = [urlsplit(link).path for link in links(f"http://{site.host}{path}", site.answer(path))]
        path = max(link for link in following if link.startswith("/calendar/"))
    assert path == "/calendar/2030/03/"
    assert site.answer("/calendar/2026/13/").status == 404


@each_site
def test_twins_are_the_same_bytes(site: DemoSite) -> None:
    article = articles(site.key)[2]
    original = site.answer(article.path)
    assert site.answer(f"{article.path}?sid=9c41e7") == original
    assert site.answer(f"/print/{article.slug}.html") == original


@each_site
def test_redirects_chain_to_an_article_and_loop_forever(site: DemoSite) -> None:
    url = f"http://{site.host}/old/1.html"
    for _ in range(3):
        url = links(url, fetch(url))[0]
    assert fetch(url).status == 200
    assert site.answer("/loop/a.html").header("location") == "/loop/b.html"
    assert site.answer("/loop/b.html").header("location") == "/loop/a.html"


@each_site
def test_peculiar_pages_are_what_they_say(site: DemoSite) -> None:
    pages = site.pages.values()
    kinds = Counter(answer.header("content-type") for answer in pages)
    assert kinds["text/html; charset=iso-8859-1"] == 1
    assert kinds["application/pdf"] == 1
    assert sum(answer.header("content-encoding") == "gzip" for answer in pages) == 1
    assert sum(b'content="noindex"' in answer.body for answer in pages) == 1
    assert sum(b'content="noai"' in answer.body for answer in pages) == 1
    assert site.answer("/lost.html").status == 200
    assert site.answer("/never-was.html").status == 404


@each_site
def test_latin_page_reads_as_the_article_that_was_written(site: DemoSite) -> None:
    answer = next(a for a in site.pages.values() if "iso-8859-1" in a.header("content-type"))
    text = LexborHTMLParser(markup(answer)).text()
    article = next(each for each in articles(site.key) if site.pages[each.path] is answer)
    assert "charset=iso-8859-1" in markup(answer) or 'charset="iso-8859-1"' in markup(answer)
    assert all(paragraph in text for paragraph in article.text.splitlines())


@each_site
def test_robots_and_sitemap_speak_of_the_site(site: DemoSite) -> None:
    assert b"Disallow: /private/\n" in site.answer("/robots.txt").body
    sitemap = site.answer("/sitemap.xml").body.decode()
    assert sitemap.count("<loc>") == len(articles(site.key))
    assert f"<loc>http://{site.host}{articles(site.key)[0].path}</loc>" in sitemap


@pytest.mark.parametrize("line", ["==no-space | X", "text before any article", "== a | A\n[[b]] has no phrase"])
def test_prose_that_breaks_the_format_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="cannot read the line"):
        parse("section", line)
