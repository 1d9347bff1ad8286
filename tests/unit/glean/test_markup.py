"""Tags are found where the HTML standard finds them, as the parser of the tree confirms."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.glean.markup import ATTRIBUTE, tokens
from opilio.glean.tree import parse

# What a tokenizer can stumble over, without raw texts and tables, which move or swallow what follows.
_PIECES = st.sampled_from(
    ["<x1>", "</x1>", "<x2 ", "<x3 a", "=", '"', "'", ">", "/", " ", "\t", "\n", "\xa0", "b", "<", "</", "<!", "<!--", "--", "<?"]
)  # fmt: skip


def names(html: str) -> list[str]:
    return [f"/{token.name}" if token.closes else token.name for token in tokens(html) if token.name]


def attributes(tag: str) -> dict[str, str]:
    [token, _] = tokens(tag)
    found = ATTRIBUTE.finditer(token.attributes)
    return {each[1]: each[2] or each[3] or each[4] or "" for each in found}


def opened(html: str) -> list[str]:
    """The names of all elements that the parser makes, in document order."""
    found, stack = [], [parse(html)]
    while stack:
        node = stack.pop()
        found.append(node.tag)
        stack += reversed([*node.iter(include_text=False)])
    return [name for name in found if name and not name.startswith("-")]  # without comments and instructions


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<p a=">">x</p>', ["p", "/p"]),
        ("<p a='>' b=\"'>\">x<b>", ["p", "b"]),
        ('<p a=x">y<b>', ["p", "b"]),  # inside of an unquoted value a quotation mark is a character
        ('<p "><b>', ["p", "b"]),  # and so it is in a name
        ('<p a= \n ">"><b>', ["p", "b"]),
        ('<p a=\xa0"><b>">', ["p", "b"]),  # this is not white space for the standard
        ("<P/><Br/>", ["p", "br"]),
        ("<p a='<b>", []),  # the page cuts it off
        ("< p><3></ p></3><b>", ["b"]),
        ("<!-- <p> --><b><!--><i><!---><u><!-- <s>", ["b", "i", "u"]),
        ("<!DOCTYPE html><?php <p?><b>", ["b"]),
        ("<script><p></script><b>", ["script", "/script", "b"]),
        ("<style></styles><p></STYLE ><b>", ["style", "/style", "b"]),
        ("<title><p>", ["title"]),
        ("<textarea><p></textarea><b>", ["textarea", "/textarea", "b"]),
        ("no tag", []),
        ("", []),
    ],
)
def test_tags_are_where_the_standard_finds_them(html: str, found: list[str]) -> None:
    assert names(html) == found


def test_attributes_are_read_as_the_standard_reads_them() -> None:
    assert attributes("<p a='1' b = \"2>\" c=3/4 d/e==5>") == {"a": "1", "b": "2>", "c": "3/4", "d": "", "e": "=5"}


def test_no_character_is_lost() -> None:
    html = "a<p>b<!-- c -->d<title>e</title>f<"
    assert "".join(token.text + token.raw for token in tokens(html)) == "abdef<"


@given(st.lists(_PIECES, max_size=25).map("".join))
@settings(max_examples=500)
def test_elements_are_those_of_the_parser(html: str) -> None:
    html = f"<body><x0>{html}"
    ours = [token.name for token in tokens(html) if token.name and not token.closes]
    assert opened(html)[2:] == ours
