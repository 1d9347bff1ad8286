"""Bytes become text as in a browser, and never raise."""

import pytest

from opilio.glean import decode_text, looks_binary

GERMAN = "Grüße aus Köln, schöne Füße"


def test_byte_order_mark_beats_header_and_meta() -> None:
    body = b"\xef\xbb\xbf" + f'<meta charset="koi8-r">{GERMAN}'.encode()
    text, charset, replaced = decode_text(body, "text/html; charset=windows-1251")
    assert GERMAN in text
    assert (charset, replaced) == ("utf-8", 0.0)


def test_header_beats_meta() -> None:
    body = f'<meta charset="utf-8">{GERMAN}'.encode("cp1252")
    text, charset, _ = decode_text(body, 'text/html; charset="ISO-8859-1"')
    assert GERMAN in text
    assert charset == "windows-1252"


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="windows-1251">',
        "<meta charset=cp1251>",
        '<META http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        '<?xml version="1.0" encoding="windows-1251"?>',
    ],
)
def test_declaration_in_the_page_counts(declaration: str) -> None:
    body = (declaration + "<p>Привет").encode("cp1251")
    assert decode_text(body, "text/html")[:2] == (declaration + "<p>Привет", "windows-1251")


def test_declaration_in_a_comment_or_after_1024_bytes_does_not_count() -> None:
    commented = f"<!-- <meta charset=koi8-r> --><p>{GERMAN}".encode()
    late = b" " * 1024 + f"<meta charset=koi8-r><p>{GERMAN}".encode()
    assert decode_text(commented, "")[1] == "utf-8"
    assert decode_text(late, "")[1] == "utf-8"


@pytest.mark.parametrize("label", ["utf-7", "x-user-defined", "no-such-charset", "base64", "rot13"])
def test_refused_and_unknown_labels_count_as_absent(label: str) -> None:
    text, charset, _ = decode_text(b"+ADw-script+AD4- caf\xe9", f"text/html; charset={label}")
    assert charset == "windows-1252"
    assert text == "+ADw-script+AD4- café"


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_utf16_without_mark_is_recognised(order: str) -> None:
    body = "<html><body><p>A page without a mark</p></body></html>".encode(order)
    text, charset, replaced = decode_text(body, "text/html")
    assert "without a mark" in text
    assert charset.replace("-", "") == order.replace("-", "")
    assert replaced == 0.0
    assert not looks_binary(body)


def test_meta_that_claims_utf16_means_utf8() -> None:
    assert decode_text("<meta charset=utf-16><p>ü".encode(), "")[1] == "utf-8"


def test_undeclared_utf8_cut_inside_a_character_stays_utf8() -> None:
    assert decode_text("naïve café".encode()[:-1], "")[1] == "utf-8"


def test_share_of_replaced_characters_is_reported() -> None:
    text = GERMAN * 3
    _, charset, replaced = decode_text(text.encode() + b"\xff.", "text/html; charset=utf-8")
    assert charset == "utf-8"
    assert replaced == 1 / (len(text) + 2)


@pytest.mark.parametrize(
    "body", [b"%PDF-1.7 text", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04zip", b"<html>\0\0\0\0\0\0", b"\x01\x02\x03\x04" * 50]
)
def test_binary_is_recognised(body: bytes) -> None:
    assert looks_binary(body)


@pytest.mark.parametrize(
    "body", [b"", b"plain words\r\n\tand tabs", b"<p>one stray \0 in a long page</p>" + b"x" * 2000]
)
def test_text_is_not_taken_for_binary(body: bytes) -> None:
    assert not looks_binary(body)


def test_a_declaration_is_believed_for_a_language_that_the_model_does_not_know() -> None:
    text = "Ħadd ma tkellem qabel ma għaddiet l-aħħar dgħajsa mill-fanal, u n-nisa kienu jgħoddu l-qlugħ."
    assert decode_text(f"<p>{text}</p>".encode("iso8859_3"), "text/html; charset=iso-8859-3")[0] == f"<p>{text}</p>"
