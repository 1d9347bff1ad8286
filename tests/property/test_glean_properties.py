"""Whatever the bytes, gleaning ends in a page or a drop, and a page keeps its promises."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.glean import decode_text, glean, looks_binary

BASE = parse("http://h.example/a/b.html?c=/d/")
LIMITS = Limits(links_per_page=20, text_chars=500, tree_depth=30)

_TAGS = [
    "a",
    "p",
    "div",
    "b",
    "pre",
    "br",
    "td",
    "table",
    "li",
    "ul",
    "h1",
    "script",
    "svg",
    "select",
    "form",
    "html",
    "base",
    "title",
]
_ATTRIBUTES = st.sampled_from(
    [
        "",
        " href=/x",
        " href='../y?z#f'",
        " href='http://[::1'",
        " href=javascript:1",
        " class='nav x'",
        " id=main",
        " hidden",
        " href='#'",
    ]
)
_TAG = st.builds(lambda name, attributes: f"<{name}{attributes}>", st.sampled_from(_TAGS), _ATTRIBUTES)
_END = st.sampled_from(_TAGS).map(lambda name: f"</{name}>")
_TEXT = st.text(max_size=20) | st.sampled_from(
    ["\n\n", " ", "some words of text here. ", "<!-- c -->", "&#xd800;", "&nbsp;"]
)
MARKUP = st.lists(_TAG | _END | _TEXT, max_size=40).map("".join)


def gleaned(body: bytes, content_type: str) -> Page | Drop:
    assert isinstance(BASE, Url)
    return glean(BASE, 0, (("Content-Type", content_type),), body, LIMITS)


def keeps_its_promises(page: Page) -> None:
    for text in (page.text, page.title, *(block.text for block in page.blocks), *(link.anchor for link in page.links)):
        text.encode("utf-8")  # raises on a lone surrogate
    assert all(0.0 <= block.boilerplate <= 1.0 and 0.0 <= block.link_density <= 1.0 for block in page.blocks)
    assert all(block.text and block.text == " ".join(block.text.split()) for block in page.blocks)
    assert len({link.url for link in page.links}) == len(page.links) <= LIMITS.links_per_page
    for link in page.links:
        again = parse(link.url)
        assert isinstance(again, Url)
        assert (again.href, again.host) == (link.url, link.host)
        assert again.scheme in {"http", "https"}
        assert -1 <= link.block < len(page.blocks)
        assert 0.0 <= link.boilerplate <= 1.0
        assert len(link.before.split()) <= 10 >= len(link.after.split())
    assert 0.0 <= page.language_confidence <= 1.0


@given(
    st.binary(max_size=300),
    st.sampled_from(["text/html", "text/plain", "", "text/html; charset=utf-16", "text/html; charset=big5"]),
)
@example(b"\xff\xfe<\x00", "text/html")
@example(b"\xef\xbb\xbf", "")
def test_arbitrary_bytes_end_in_a_page_or_a_drop(body: bytes, content_type: str) -> None:
    result = gleaned(body, content_type)
    if isinstance(result, Page):
        keeps_its_promises(result)


@given(MARKUP)
@settings(max_examples=300)
def test_arbitrary_markup_gives_a_page_that_keeps_its_promises(markup: str) -> None:
    result = gleaned(markup.encode("utf-8", "replace"), "text/html; charset=utf-8")
    if isinstance(result, Page):
        keeps_its_promises(result)


@given(st.binary(max_size=200), st.text(max_size=40))
def test_decoding_never_raises_and_gives_valid_text(body: bytes, content_type: str) -> None:
    text, charset, replaced = decode_text(body, content_type)
    text.encode("utf-8")
    assert charset
    assert 0.0 <= replaced <= 1.0
    looks_binary(body)


@given(MARKUP)
def test_gleaning_is_a_pure_function(markup: str) -> None:
    body = markup.encode("utf-8", "replace")
    assert gleaned(body, "text/html; charset=utf-8") == gleaned(body, "text/html; charset=utf-8")
