"""What a page is made of: text, blocks, title, language, and the bytes that are not a page."""

from collections.abc import Callable

import pytest

import opilio.glean
from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.glean import glean

PROSE = (
    "The harvestman walks on eight thin legs and feels its way with the second pair. It eats what it finds, from mites to"
    " mushrooms, and it cannot make silk."
)
HTML = "text/html; charset=utf-8"


def url(raw: str = "http://h.example/dir/page.html") -> Url:
    parsed = parse(raw)
    assert isinstance(parsed, Url)
    return parsed


def page_of(html: str | bytes, content_type: str = HTML, limits: Limits | None = None) -> Page:
    body = html.encode() if isinstance(html, str) else html
    page = glean(url(), 3, (("Content-Type", content_type),), body, limits or Limits())
    assert isinstance(page, Page)
    return page


def test_main_text_leaves_menu_and_footer_out() -> None:
    menu = "".join(f"<li><a href=/{n}>Item {n}</a></li>" for n in range(12))
    page = page_of(
        f"<html lang=en><title> The\n title </title><body><nav><ul>{menu}</ul></nav><div class=content><h2>Walking</h2>"
        f"<p>{PROSE}</p><p>{PROSE}</p><p>{PROSE}</p></div><footer>© Somebody</footer>"
    )
    assert page.title == "The title"
    assert page.declared_language == "en"
    assert page.text.count("eight thin legs") == 3
    assert "Item 3" not in page.text
    assert "©" not in page.text
    assert (page.language, page.depth, page.charset) == ("en", 3, "utf-8")
    assert page.language_confidence > 0.5


def test_blocks_split_at_block_tags_and_fold_whitespace() -> None:
    page = page_of("<body>one <b>bold</b>\n  word<p>two</p>three<div>four<br>five</div>")
    assert [block.text for block in page.blocks] == ["one bold word", "two", "three", "four five"]
    assert [block.tag for block in page.blocks] == ["body", "p", "body", "div"]
    assert [block.words for block in page.blocks] == [3, 1, 1, 2]


def test_two_breaks_end_a_paragraph() -> None:
    assert [block.text for block in page_of("<div>one<br><br>two<br>\n<br/>three<br>four").blocks] == [
        "one",
        "two",
        "three four",
    ]


def test_blank_line_in_preformatted_text_ends_a_paragraph() -> None:
    page = page_of(
        "<pre>\n\nfirst  line\nsecond\n\n  <a href=/x>linked</a> third\n \nfourth\n\n</pre><p>after <a href=/y>y</a>"
    )
    assert [block.text for block in page.blocks] == ["first line second", "linked third", "fourth", "after y"]
    assert [(link.anchor, link.block) for link in page.links] == [("linked", 1), ("y", 3)]
    assert page.blocks[1].link_density > 0


def test_unseen_elements_give_no_text() -> None:
    page = page_of(
        "<p>seen<script>var a=1</script><style>no{}</style><noscript>no</noscript><template>no</template><svg><title>no</title>"
        "<text>no</text></svg><select><option>no</select><!-- no --></p>"
    )
    assert [block.text for block in page.blocks] == ["seen"]


def test_link_density_is_the_share_of_characters_in_anchors() -> None:
    block = page_of("<p><a href=/a>abcd</a>efgh<a href=/b><b>ijkl</b></a>").blocks[0]
    assert block.link_density == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "html",
    [
        f"<body>{PROSE}<br>{PROSE}<br><br>{PROSE}",
        f"<table><tr><td><a href=/>Home</a></td><td><font size=2>{PROSE}</font></td></tr></table>",
        f"<ul><li>{PROSE}<li>{PROSE}</ul>",
        f"<pre>{PROSE}</pre>",
        f"<form><center>{PROSE}</center></form>",
        "<p>Only a few words here",
    ],
)
def test_page_with_prose_never_gives_empty_text(html: str) -> None:
    text = page_of(html).text
    assert text
    assert PROSE not in html or PROSE in text


def test_page_without_text_is_still_a_page() -> None:
    page = page_of("<a href=/x><img src=i.gif alt='the next page'></a>")
    assert (page.text, page.language, page.language_confidence) == ("", "", 0.0)
    assert [link.anchor for link in page.links] == ["the next page"]


def test_empty_body_gives_an_empty_page() -> None:
    page = page_of(b"")
    assert (page.text, page.blocks, page.links) == ("", (), ())


def test_plain_text_is_composed_and_has_no_soft_hyphens() -> None:
    assert (
        page_of("Die Ru\u0308bezah\u00adler gehen nach Hause.", "text/plain").text
        == "Die R\u00fcbezahler gehen nach Hause."
    )


def test_plain_text_has_paragraphs_and_no_links() -> None:
    page = page_of("First  paragraph\r\nwith <a href=/x>two</a> lines.\r\n\r\n \nSecond.", "text/plain")
    assert page.text == "First paragraph with <a href=/x>two</a> lines.\nSecond."
    assert page.links == ()


def test_missing_content_type_is_sniffed() -> None:
    def kind(body: bytes) -> int:
        page = glean(url(), 0, (), body, Limits())
        assert isinstance(page, Page)
        return len(page.links)

    assert kind(b"<p><a href=/x>y</a>") == 1
    assert kind(b"no markup here") == 0


@pytest.mark.parametrize(
    ("content_type", "body", "drop"),
    [
        ("application/pdf", b"<p>x", Drop.CONTENT_TYPE),
        ("image/png", b"<p>x", Drop.CONTENT_TYPE),
        ("text/css", b"p{}", Drop.CONTENT_TYPE),
        ("text/html", b"%PDF-1.4", Drop.NOT_TEXT),
        ("text/plain", b"\x00\x01\x02\x03" * 10, Drop.NOT_TEXT),
        ("text/html; charset=utf-8", "Здрав\ufffdтвуй".encode() * 20, Drop.GARBLED),
    ],
)
def test_bytes_that_are_no_page_are_dropped_with_a_reason(content_type: str, body: bytes, drop: Drop) -> None:
    assert glean(url(), 0, (("content-type", content_type),), body, Limits()) is drop


def test_xhtml_is_html() -> None:
    assert page_of("<p>x y z", "Application/XHTML+XML; charset=UTF-8").blocks[0].text == "x y z"


def test_canonical_is_resolved_and_canonicalised() -> None:
    assert page_of("<link rel='alternate canonical' href='../a/?utm_source=x#y'>").canonical == "http://h.example/a/"
    assert page_of("<link rel=canonical href='javascript:x'>").canonical == ""


def test_class_names_are_distinct_in_order_and_bounded() -> None:
    assert page_of("<div class='b a'><p class='a c'>x<i class=d>y</i>").classes == ("b", "a", "c", "d")
    assert len(page_of("".join(f"<p class=c{n}>x" for n in range(3000))).classes) == 2000


HOSTILE: dict[str, Callable[[], str]] = {
    "deep": lambda: "<div>" * 100_000 + "words at the bottom" + "</div>" * 100_000,
    "deep lists": lambda: "<ul><li>" * 50_000 + "words at the bottom",
    "reopened formatting": lambda: (
        "<p>" + "".join(f"<font a={n}>" for n in range(1000)) + "<p>words at the bottom" * 1000
    ),
    "attributes": lambda: "<p " + " ".join(f"a{n}=1" for n in range(50_000)) + ">words at the bottom",
    "tags": lambda: "<p>words at the bottom" + "<br>" * 300_000,
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_shape_keeps_its_text_and_is_flagged(shape: str) -> None:
    page = page_of(HOSTILE[shape]())
    assert page.truncated
    assert "words at the bottom" in page.text


@pytest.mark.parametrize(
    "markup", ["<!-- " * 200_000, "<script>" * 100_000, "<" * 500_000, "<select>" + "<option>x" * 50_000]
)
def test_unclosed_markup_ends_quietly(markup: str) -> None:
    assert "words" in page_of("<p>words to keep" + markup).text


def test_text_bound_cuts_and_flags() -> None:
    page = page_of(f"<p>{'word ' * 100}<p>{'more ' * 100}", limits=Limits(text_chars=300))
    assert page.truncated
    assert sum(len(block.text) for block in page.blocks) <= 300
    assert not page_of("<p>short").truncated


def test_public_names_are_pinned() -> None:
    assert sorted(opilio.glean.__all__) == [
        "Extracted", "MainText", "decode_text", "extract", "glean", "identify", "looks_binary",
    ]  # fmt: skip


def test_a_page_tells_the_languages_of_its_paragraphs() -> None:
    german = "Der Weberknecht läuft auf acht dünnen Beinen durch das Gras und frisst, was er auf seinem Weg findet. "
    english = "The harvestman walks on eight thin legs through the grass and eats whatever it finds on its way home. "
    body = "".join(f"<p>{text * 2}</p>" for text in (german, german, english)).encode()
    page = glean(url(), 0, (("content-type", "text/html"),), body, Limits())
    assert isinstance(page, Page)
    assert page.language == "de"
    assert {each.language: each.share for each in page.languages} == pytest.approx({"de": 0.67, "en": 0.33}, abs=0.05)


def test_a_page_whose_letters_are_lost_is_dropped() -> None:
    body = b"<p>????? ?? ????? ???????, ??? ????? ??????? ???? ???????? ? ???? ???????.</p>"
    assert glean(url(), 0, (("content-type", "text/html"),), body, Limits()) is Drop.GARBLED


def test_a_page_of_very_many_tags_is_read_to_a_bound() -> None:
    page = page_of(f"<main><p>{PROSE}</p></main>{'<i>x</i>' * 130_000}<p>the end of it")
    assert page.truncated
    assert "eight thin legs" in page.text
    assert "the end of it" not in page.text
