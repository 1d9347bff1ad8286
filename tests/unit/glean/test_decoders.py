"""Encodings are read as browsers read them, and labels mean what the standard says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webencodings.labels import LABELS

from opilio.glean.decoders import decode_as
from opilio.glean.labels import encoding_of


def test_all_labels_of_the_standard_are_known() -> None:
    assert len(LABELS) == 228
    assert {label: encoding_of(f" {label.upper()}\n") for label in LABELS} == LABELS


@pytest.mark.parametrize("label", ["utf-7", "base64", "rot13", "", "no-such-charset", "utf_8"])
def test_other_labels_name_nothing(label: str) -> None:
    assert encoding_of(label) == ""


@given(st.binary(max_size=60), st.sampled_from(sorted(set(LABELS.values()))))
def test_any_bytes_become_valid_text(body: bytes, encoding: str) -> None:
    decode_as(body, encoding).encode()


@pytest.mark.parametrize(
    ("body", "encoding", "text"),
    [
        (b"\x80 \x81 \xe9", "windows-1252", "€ \x81 é"),
        (b"\x80\xb6\xab", "gbk", "€东"),
        (b"\xa3\xe1", "big5", "€"),
        (b"\xad\xa1\xa1\xc1\xf9", "euc-jp", "①～\ufffd"),
        (b"\xb0\xa1\xff", "euc-jp", "亜\ufffd"),
        (b'\x1b$B-!$"\x1b(B a \x1b(I1\x1b(J~', "iso-2022-jp", "①あ a ｱ~"),
        (b"\xae\xbe", "koi8-u", "ўЎ"),
        (b"\xca\xd9", "windows-1255", "\u05ba\ufffd"),
        (b"o\xf2", "windows-1258", "ọ"),
        (b"\xe9", "x-user-defined", "\uf7e9"),
        (b"whatever", "replacement", "\ufffd"),
    ],
)
def test_what_python_reads_otherwise_is_read_as_in_browsers(body: bytes, encoding: str, text: str) -> None:
    assert decode_as(body, encoding) == text


def test_after_very_many_repairs_what_is_wrong_is_replaced() -> None:
    text = decode_as(b"\xad\xa1" * 150_000, "euc-jp")
    assert text.startswith("①" * 100_000)
    assert "①" not in text[100_000:]
    assert decode_as(b"\xad\xa1" * 3, "euc-jp") == "①①①"  # each text has its own


def test_after_very_many_shifts_no_more_are_heeded() -> None:
    text = decode_as(b"\x1b$B!!\x1b(B" * 150_000, "iso-2022-jp")
    assert text.startswith("\u3000" * 100_000)
