"""What a page declares about its bytes is found where the standard looks for it, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.glean.prescan import declared_encoding, in_content


@pytest.mark.parametrize(
    "head",
    [
        b"<meta charset=koi8-r>",
        b"<META CHARSET = 'KOI8-R' />",
        b'<title>x</title><meta name="a" charset="koi8-r">',
        b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
        b"<meta content='text/html;charset=\"koi8-r\"' http-equiv=content-type>",
        b'<?xml version="1.0" encoding="koi8-r"?><html>',
        b"<meta charset=nonsense><meta charset=koi8-r>",
        b'<a title="a > b"><meta charset=koi8-r>',
    ],
)
def test_a_declaration_is_found(head: bytes) -> None:
    assert declared_encoding(head) == "koi8-r"


@pytest.mark.parametrize(
    "head",
    [
        b"<!-- <meta charset=koi8-r> -->",
        b"<!-- <meta charset=koi8-r>",
        b'<a title="<meta charset=koi8-r>">',
        b'<meta name="charset" content="koi8-r">',
        b'<meta content="text/html; charset=koi8-r">',
        b"<metadata charset=koi8-r>",
        b" " * 1_024 + b"<meta charset=koi8-r>",
        b"charset=koi8-r",
        b"",
    ],
)
def test_nothing_else_is_a_declaration(head: bytes) -> None:
    assert declared_encoding(head) == ""


def test_what_cannot_be_is_read_as_what_is_meant() -> None:
    assert declared_encoding(b"<meta charset=utf-16be>") == "utf-8"
    assert declared_encoding(b"<meta charset=x-user-defined>") == "windows-1252"


def test_a_header_names_the_encoding_in_any_form() -> None:
    assert in_content('text/html; Charset="UTF8"') == "utf-8"
    assert in_content("text/html;charset=latin1, text/html") == "windows-1252"
    assert in_content("text/html") == ""


@given(st.binary(max_size=1_200))
def test_any_head_can_be_read(head: bytes) -> None:
    declared_encoding(b"<meta charset=" + head)
