"""Decodes bytes to the text that its author wrote: as browsers do, unless what was declared makes no words.

Rules, in this order: a byte-order mark decides. Valid UTF-8 is UTF-8, whatever is declared, because text in another
encoding is valid UTF-8 only by accident. Bytes with the escapes of ISO-2022-JP are that. Pairs of bytes that make
words as UTF-16 are that. For anything else, `guess` chooses among all encodings, of which those that the header and
the page declare (`prescan`) have a start; a declaration that makes words is believed at once. Text that had lost its
letters before it was encoded is repaired if that can be done with certainty (`mojibake`). Bytes that do not fit become
U+FFFD, which is told as a share. Invariant: nothing here raises, and every text is valid Unicode without lone
surrogates.
"""

import re
from typing import Final

from .decoders import decode_as
from .guess import guess, sample_of, signs_in_words, text_bits
from .mojibake import repair
from .prescan import declared_encoding, in_content

_FALLBACK_ENCODING: Final = "windows-1252"
_SNIFF_BYTES: Final = 4_096
_BOMS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_SHIFTED: Final = re.compile(rb"\x1b\$[@B]([\x21-\x7e]++)\x1b\([BJ]")
_ACCIDENTS: Final = 4  # up to this many letters of two-byte encodings may be valid UTF-8 by accident
# Encodings whose text may be valid UTF-8, because it is ASCII or by accident.
_HIDING: Final = frozenset(
    {"replacement", "iso-2022-jp", "utf-16le", "utf-16be", "gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"}
)
_DEFAULTS: Final = ("utf-8", "windows-1252")  # often declared by programs that did not look
_MAKES_WORDS_BITS: Final = 4.2  # a letter; running text in the right encoding has less, except in Chinese script
_UTF16_BITS: Final = 11.0  # a letter; what text in any script has at most …
_MARKUP_BITS: Final = 16.0  # … and between Latin tags
_MAGIC: Final = (
    b"%PDF-", b"%!PS-", b"PK\x03\x04", b"\x7fELF", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"\x1f\x8b", b"BZh",
    b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf", b"Rar!", b"\xd0\xcf\x11\xe0", b"OggS", b"ID3", b"RIFF", b"{\\rtf",
    b"wOFF", b"wOF2",
)  # fmt: skip
_CONTROLS: Final = bytes(set(range(0x20)) - set(b"\t\n\r\f\x1b")) + b"\x7f"
_MAX_CONTROL_SHARE: Final = 0.02
_MAX_NUL_SHARE: Final = 0.003  # real pages made by careless editors have up to 2 in 1,000


def decode_text(body: bytes, content_type: str) -> tuple[str, str, float]:
    """Returns the text, the standard's name of the encoding, and the share of characters that had to be replaced."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return _decode(body[len(mark) :], name)
    text = _valid_utf8(body)
    if text is not None and not _may_hide(text, body):
        return repair(text, body), "utf-8", 0.0
    declared = [name for name in (in_content(content_type), declared_encoding(body)) if name]
    if text is not None and not text.isascii() and _HIDING.isdisjoint(declared):
        return repair(text, body), "utf-8", 0.0
    name = _choose(body, declared)
    if text is not None and name not in _HIDING:
        return text, "utf-8", 0.0
    return _decode(body, name)


def looks_binary(body: bytes) -> bool:
    """Returns True for bytes that are not text in any encoding: file magic, NUL bytes outside UTF-16, many control
    characters."""
    sample = body[:_SNIFF_BYTES]
    if sample.startswith(_MAGIC):
        return True
    if sample.startswith((b"\xfe\xff", b"\xff\xfe")):
        return False
    has_nuls = b"\0" in body and body.count(b"\0") > _MAX_NUL_SHARE * len(body)
    return (has_nuls or _has_controls(sample)) and not _utf16(sample)


def _decode(body: bytes, name: str) -> tuple[str, str, float]:
    text = decode_as(body, name)
    replaced = text.count("\ufffd")
    return text, name, replaced / len(text) if replaced else 0.0


def _valid_utf8(body: bytes) -> str | None:
    """Returns the text if the bytes are UTF-8, or None. A body that was cut by a size bound may end inside a character."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        cut = error.reason == "unexpected end of data" and not body[: error.start].isascii()
        return body.decode("utf-8", "replace") if cut else None


def _may_hide(text: str, body: bytes) -> bool:
    """Tells whether bytes that are valid UTF-8 may be another encoding: one that is made of ASCII, or by accident."""
    others = len(body) - len(text)
    if others:
        return others <= _ACCIDENTS
    # One character is found 20 times as fast as two.
    return b"\x1b" in body or b"\0" in body or (b"~" in body and b"~{" in body) or b"\x0e" in body


def _choose(body: bytes, declared: list[str]) -> str:
    if declared and declared[0] == "replacement":
        return "replacement"
    if _is_shifted(body) or (b"\x1b" in body and "iso-2022-jp" in declared):
        return "iso-2022-jp"
    sniffed = body[:_SNIFF_BYTES]
    if (b"\0" in sniffed or _has_controls(sniffed)) and (pairs := _utf16(sniffed)):
        return pairs
    named = [name for name in dict.fromkeys(declared) if not name.startswith("utf-16") and name != "x-user-defined"]
    sample = sample_of(body)
    if not sample:
        return "utf-8" if body.isascii() else next(iter(named), _FALLBACK_ENCODING)
    if named and named[0] not in _DEFAULTS and _makes_words(sample, named[0]):
        return named[0]
    best = guess(sample, named).encoding
    # A language that the model does not know costs many bits in any encoding, but only a wrong one has signs in its words.
    if named and named[0] not in _DEFAULTS and _signs(sample, best) and not _signs(sample, named[0]):
        return named[0]
    return best


def _signs(sample: bytes, name: str) -> int:
    text = decode_as(sample, name)
    return signs_in_words(text) + text.count("\ufffd")


def _is_shifted(body: bytes) -> bool:
    """Returns whether there are pairs of bytes between the escapes of ISO-2022-JP. They are counted here, because an expression
    that repeats a pair takes a hundred bytes of memory for each."""
    return any(len(found[1]) % 2 == 0 for found in _SHIFTED.finditer(body))


def _makes_words(sample: bytes, name: str) -> bool:
    text = decode_as(sample, name)
    bits, signs = text_bits(text)
    return bits < _MAKES_WORDS_BITS * len(text) and not signs


def _utf16(sample: bytes) -> str:
    """Returns in which order the pairs of bytes make words, or ""."""
    if len(sample) < 4:
        return ""
    best = guess(sample[: len(sample) // 2 * 2], among=("utf-16le", "utf-16be"))
    most = _MARKUP_BITS if "</" in decode_as(sample, best.encoding) else _UTF16_BITS
    return best.encoding if best.bits < most and best.signs < _MAX_CONTROL_SHARE else ""


def _has_controls(sample: bytes) -> bool:
    return len(sample) - len(sample.translate(None, _CONTROLS)) > _MAX_CONTROL_SHARE * len(sample)
