"""Markup that is written anew says the same, and costs a tree builder no more than its length."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.url import Url, parse
from opilio.glean import glean
from opilio.glean.rewriting import rewrite
from opilio.glean.tree import parse as parse_html

from .test_hazards import HAZARDS

_DEPTH = 40
_FORMAT_NAMES = {"b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u", "a"}
_WORDS = st.sampled_from(["one ", "two", " three ", "a &lt; b ", "&amp;", "4 < 5 ", 'x="y" '])


def _element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    names = st.sampled_from(
        ["div", "p", "b", "i", "a", "span", "ul", "li", "h2", "section", "blockquote", "em", "pre", "x-y"]
    )
    attributes = st.sampled_from(["", " class='a b'", ' title="a > b"', " hidden=x", " id=c"])
    return st.builds(
        lambda name, said, parts: f"<{name}{said}>{''.join(parts)}</{name}>",
        names,
        attributes,
        st.lists(inner, max_size=4),
    )


_MARKUP = st.lists(st.recursive(_WORDS, lambda inner: _WORDS | _element(inner), max_leaves=25), max_size=4).map("".join)


def shown(html: str) -> str:
    return "".join(parse_html(f"<body>{html}").text().split())


def walked(root: Any) -> list[tuple[Any, int, int]]:
    """All nodes, each with its depth and the number of formatting elements around it."""
    found, stack = [], [(root, 0, 0)]
    while stack:
        node, depth, formats = each = stack.pop()
        found.append(each)
        inside = formats + (node.tag in _FORMAT_NAMES)
        stack += [(child, depth + 1, inside) for child in node.iter(include_text=False)]
    return found


@given(_MARKUP)
@settings(max_examples=300)
def test_nested_markup_keeps_its_text(html: str) -> None:
    assert shown(rewrite(html, _DEPTH)) == shown(html)


@pytest.mark.parametrize("name", HAZARDS)
def test_bounds_hold_in_the_parsed_result(name: str) -> None:
    nodes = walked(parse_html(rewrite(HAZARDS[name], _DEPTH)))
    assert len(nodes) <= HAZARDS[name].count("<") + 10  # nothing is opened again
    assert max(depth for _, depth, _ in nodes) <= 2 * _DEPTH + 10
    assert max(formats for *_, formats in nodes) <= 8
    assert all(len(node.attributes) <= 32 for node, *_ in nodes)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<select><option>one<p>two", "onetwo"),
        ("<svg><g>one<p>two", "onetwo"),
        ("<svg><text>one</text></svg><p>two", "two"),
        ("<template>one</template>two", "two"),
        ("<script>one</script>two<style>three", "two"),
        ("<p>one<li>two</p>three", "onetwothree"),
        ("<b>" * 20 + "one</b>two", "onetwo"),
        ("<table><tr><td>one<td>two<tr><td>three</table>four", "onetwothreefour"),
        ("one</nothing>two</p>three", "onetwothree"),
        ("<plaintext>one<p>two", "onetwo"),
        ("<" + "x" * 100 + ">one", "one"),
        ("one < two <3", "one<two<3"),
    ],
)
def test_what_is_shown_stays_and_what_is_not_goes(html: str, text: str) -> None:
    assert shown(rewrite(html, _DEPTH)) == text


def test_attributes_that_somebody_reads_stay() -> None:
    html = rewrite("<a onclick='x()' href='/a?b=1&amp;c=\"2\"' rel=nofollow href=/b>one</a>", _DEPTH)
    assert html == '<!DOCTYPE html><a href="/a?b=1&amp;c=&quot;2&quot;" rel="nofollow">one</a>'


def test_a_link_between_cells_keeps_its_target() -> None:
    assert '<a href="/x"></a>' in rewrite("<table><tr><a href=/x>one</a><td>two</table>", _DEPTH)


def test_a_page_with_a_hazard_keeps_its_text_and_its_links() -> None:
    base = parse("http://h.example/")
    assert isinstance(base, Url)
    html = (
        "<title>Title</title><p>Words before. <a href=/x>A link</a></p>"
        + "<x><div></x></div>" * 9_000
        + "<p>Words after."
    )
    page = glean(base, 0, (("Content-Type", "text/html; charset=utf-8"),), html.encode(), Limits())
    assert isinstance(page, Page)
    assert (page.title, [link.url for link in page.links], page.truncated) == ("Title", ["http://h.example/x"], True)
    assert [block.text for block in page.blocks] == ["Words before. A link", "Words after."]
