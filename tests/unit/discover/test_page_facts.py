"""What a probe notes of a page."""

import pytest

from opilio.core.config import load_config
from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.discover.language_hint import settle_language
from opilio.discover.page_facts import RawFacts, describe, raw_facts
from opilio.discover.probe import LONG, SHORT, UNCERTAIN, Probe
from opilio.glean import glean
from tests.builders import PROSE

SCOUT = load_config().scout
HTML = (("content-type", "text/html; charset=utf-8"),)


def look(html: str, address: str = "https://www.example.org/a") -> tuple[Page, RawFacts]:
    url = parse(address)
    assert isinstance(url, Url)
    page = glean(url, 0, HTML, html.encode(), Limits(), context=False)
    assert not isinstance(page, Drop)
    return page, raw_facts(page, html.encode())


def probe(html: str) -> Probe:
    page, raw = look(html)
    return describe(page, raw, SCOUT, "2026-01-01T00:00:00Z", "192.0.2.1", len(html))


def test_the_nine_metadata_are_noted() -> None:
    html = (
        f"<title>t</title><p>{PROSE * 3}</p><a href='/b'>b</a><a href='/b'>again</a><a href='https://blog.example.org/'>c</a>"
        "<a href='https://example.net/'>d</a>"
    )
    seen = probe(html)
    assert seen.html_chars == len(html)
    assert seen.html_chars > seen.text_chars > seen.main_chars > 0
    assert seen.tokens == len(PROSE.split()) * 3
    assert (seen.in_links, seen.out_links) == (2, 1)
    assert (seen.address, seen.language, seen.language_by) == ("192.0.2.1", "en", "text")
    assert seen.confidence > 0.5
    assert seen.digest == probe(html.replace("<title>t", "<title>other")).digest
    assert seen.badness is not None
    assert not seen.apart


def test_pages_are_set_apart_with_a_reason() -> None:
    assert probe("<p>Too short.</p>").apart == SHORT
    assert probe(f"<p>{PROSE * 3}</p><!--{'x' * SCOUT.max_bytes}-->").apart == LONG
    assert probe(f"<p>{'0123 4567 89 ' * 200}</p>").apart == UNCERTAIN


@pytest.mark.parametrize(
    ("markup", "mark"),
    [
        ("<html class='no-js translated-ltr'><body>", "translated-ltr"),
        ('<meta name="generator" content="Weglot 2.1">', "weglot"),
        ("<div class='gtranslate_wrapper'></div>", "gtranslate"),
        (
            "".join(f'<link rel="alternate" hreflang="{a}{b}" href="/x">' for a in "abcde" for b in "fghij"),
            "25 hreflangs",
        ),
        ('<link rel="alternate" hreflang="de" href="/de">', ""),
        ("<p>translated-ltr</p>", ""),
    ],
)
def test_marks_of_machine_translation_are_found(markup: str, mark: str) -> None:
    assert look(f"{markup}<p>{PROSE}</p>")[1].translated == mark


def test_a_feed_that_the_page_names_is_found() -> None:
    assert look('<link rel="alternate" type="application/rss+xml" href="/feed"><p>text')[1].feed
    assert not look("<p>application/rss+xml")[1].feed


@pytest.mark.parametrize(
    ("url", "language", "confidence", "settled"),
    [
        ("https://berita.example.co.id/", "ms", 0.6, "id"),
        ("https://berita.example.co.id/", "ms", 0.99, ""),  # the identifier is sure
        ("https://www.example.de/", "en", 0.6, ""),  # not a known confusion
        ("https://example.com/hr/vijesti", "sr", 0.7, "hr"),
        ("https://sk.example.com/", "cs", 0.7, "sk"),
        ("https://www.example.ru/", "zh", 0.5, "ru"),
        ("https://www.example.no/", "da", 0.5, "no"),
        ("https://www.example.com/", "ms", 0.5, ""),
    ],
)
def test_a_hint_in_the_url_settles_a_known_confusion(url: str, language: str, confidence: float, settled: str) -> None:
    parsed = parse(url)
    assert isinstance(parsed, Url)
    assert settle_language(parsed, language, confidence) == settled
