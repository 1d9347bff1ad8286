"""Long bodies are cut where their bound is, and it is said that they are; what they cost is measured in tests/bench."""

from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.url import Url, parse
from opilio.engine.second_look import trafilatura_text
from opilio.glean import glean


def test_what_is_cut_is_flagged() -> None:
    url = parse("http://a.test/")
    assert isinstance(url, Url)
    page = glean(url, 0, (("Content-Type", "text/html"),), b"<p>" + b"every word counts " * 600_000, Limits())
    assert isinstance(page, Page)
    assert page.truncated


def test_no_second_opinion_is_asked_on_thousands_of_paragraphs() -> None:
    words = "<p>A shepherd counts the sheep before the evening, and writes the number into a book.</p>"
    assert "shepherd" in trafilatura_text(f"<article>{words * 20}</article>")
    assert trafilatura_text(f"<article>{words * 4_100}</article>") == ""
