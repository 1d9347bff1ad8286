"""What a page says about its rights is recorded word for word; what is said to other agents is not."""

import pytest

from opilio.core.items import Headers, Page, Signal
from opilio.core.limits import Limits
from opilio.core.url import Url, parse
from opilio.glean import glean


def page_of(html: str = "<p>x", headers: Headers = ()) -> Page:
    url = parse("http://h.example/")
    assert isinstance(url, Url)
    page = glean(url, 0, (("Content-Type", "text/html"), *headers), html.encode(), Limits())
    assert isinstance(page, Page)
    return page


def robots(value: str) -> list[str]:
    return [signal.value for signal in page_of(headers=(("X-Robots-Tag", value),)).signals]


@pytest.mark.parametrize(
    ("value", "directives"),
    [
        ("noindex, NoAI", ["noindex", "noai"]),
        ("opilio: noai, nofollow", ["noai", "nofollow"]),
        ("otherbot: noindex, nofollow", []),
        ("noarchive, otherbot: noindex, opilio: noml", ["noarchive", "noml"]),
        ("unavailable_after: 25 Jun 2010", ["unavailable_after: 25 jun 2010"]),
        ("", []),
    ],
)
def test_robots_header_is_read_by_agent(value: str, directives: list[str]) -> None:
    assert robots(value) == directives


def test_each_header_line_has_its_own_scope() -> None:
    page = page_of(headers=(("X-Robots-Tag", "otherbot: noindex"), ("x-robots-tag", "noai")))
    assert page.signals == (Signal("header", "robots", "noai"),)


def test_robots_meta_for_all_and_for_us() -> None:
    page = page_of(
        "<meta name=ROBOTS content='noindex,follow'><meta name=opilio content=noai><meta name=otherbot content=none>"
    )
    assert [signal.value for signal in page.signals] == ["noindex", "follow", "noai"]
    assert not page.nofollow


@pytest.mark.parametrize("word", ["nofollow", "none", "NOFOLLOW"])
def test_nofollow_is_told_from_header_and_meta(word: str) -> None:
    assert page_of(f"<meta name=robots content={word}>").nofollow
    assert page_of(headers=(("X-Robots-Tag", word),)).nofollow


def test_rights_are_recorded_with_their_source() -> None:
    page = page_of(
        "<meta name=tdm-reservation content=1><meta name='tdm-policy' content='http://p.example/'>"
        "<link rel=license href='http://l.example/'><a rel=license href='http://m.example/'>m</a>",
        (("TDM-Reservation", "0"), ("Content-Usage", "train-ai=n"), ("Content-Signal", "ai-train=no")),
    )
    assert page.signals == (
        Signal("header", "tdm-reservation", "0"),
        Signal("header", "content-usage", "train-ai=n"),
        Signal("header", "content-signal", "ai-train=no"),
        Signal("meta", "tdm-reservation", "1"),
        Signal("meta", "tdm-policy", "http://p.example/"),
        Signal("link", "license", "http://l.example/"),
        Signal("link", "license", "http://m.example/"),
    )


def test_head_after_noscript_is_still_read() -> None:
    page = page_of("<head><noscript><img src=p.gif></noscript><meta name=robots content=noai></head><p>x")
    assert [signal.value for signal in page.signals] == ["noai"]
