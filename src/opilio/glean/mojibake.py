"""Text whose letters were lost before it was sent: it was read in a wrong encoding once, and stored as UTF-8.

Rules: UTF-8 that was read as windows-1252 (each letter became two or three signs) is undone, because signs that
together are valid UTF-8 do not occur by accident. Text of another encoding that was read as windows-1252 is undone if
that makes words, and it made none as it stood. What cannot be undone is told by `is_garbled`, and the page is dropped.

Cost: a page is looked at closely only if its bytes have letters of windows-1252 in front of signs, or more letters
with accents than any language has; finding neither takes microseconds.
"""

import re
from itertools import islice, pairwise
from typing import Final

from opilio.model.letters import JUNK, fold

from .decoders import decode_as
from .guess import guess, sample_of, text_bits

_SIGNS: Final = "".join(decode_as(bytes((byte,)), "windows-1252") for byte in range(0x80, 0xC0))
_CLASS: Final = f"[{re.escape(_SIGNS)}\x80-\x9f]"
_TWICE: Final = re.compile(f"[\xc2-\xdf]{_CLASS}|[\xe0-\xef]{_CLASS}{{2}}|[\xf0-\xf4]{_CLASS}{{3}}")
_SUSPECT: Final = re.compile(
    rb"\xc3[\x82-\xb4](?:\xc2[\x80-\xbf]|\xc5[\x92\x93\xa0\xa1\xb8\xbd\xbe]|\xc6\x92|\xcb[\x86\x9c]|\xe2\x80[\x93-\xba]|\xe2\x82\xac"
    rb"|\xe2\x84\xa2)"
)
_LATIN: Final = re.compile("[\x80-\u02dc]")
_BYTES: Final = {ord(char): 0x80 + at for at, char in enumerate(_SIGNS)}
_LEAST_TWICE: Final = 3
_TWICE_SHARE: Final = 0.8  # of the Latin letters and signs outside of ASCII, that are letters encoded twice
_DENSE_BYTES: Final = 0.06  # share of a page's bytes that are letters with accents, from which on they are looked at
_DENSE_SHARE: Final = 0.5  # of the letters that have accents; Vietnamese has a third
_LEAST_GAIN: Final = 0.6  # a text is undone if it then costs at most this share of the bits
_LOST_SHARE: Final = 0.03
_QUESTION_SHARE: Final = 0.25
_JUNK_SHARE: Final = 0.08
_FLIP_SHARE: Final = 0.1
_LOOK_CHARS: Final = 3_000
_MOST_COUNTED: Final = 50_000  # letters that were encoded twice
_MOST_REPAIRS: Final = 300_000  # of a page; each takes half a microsecond, and 100 bytes while it is done


def repair(text: str, body: bytes) -> str:
    """Returns the text as it was before it was read in a wrong encoding, or as it is. `body` is the same in UTF-8."""
    others = len(body) - len(text)
    if not others:
        return text
    if _SUSPECT.search(body) and _is_twice(text):
        return _TWICE.sub(_once, text, _MOST_REPAIRS)
    dense = _DENSE_BYTES * len(body)
    if others > dense and body.count(b"\xc3") > dense and (name := _misread(body)):
        raw = text.translate(_BYTES).encode("latin-1", "xmlcharrefreplace")
        return decode_as(raw, name)
    return text


def _is_twice(text: str) -> bool:
    spans = [found.span() for found in islice(_TWICE.finditer(text), _MOST_COUNTED)]
    seen = text[: spans[-1][1]] if len(spans) == _MOST_COUNTED else text
    others = len(seen) - len(seen.encode("ascii", "ignore"))
    return len(spans) >= _LEAST_TWICE and sum(end - start for start, end in spans) >= _TWICE_SHARE * others


def _once(found: re.Match[str]) -> str:
    try:
        return found[0].translate(_BYTES).encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return found[0]


def _misread(body: bytes) -> str:
    """Returns the encoding in which the text makes words once it is undone, or ""."""
    sample = sample_of(body).decode("utf-8", "ignore")
    letters = sum(map(str.isalpha, sample))
    if len(_LATIN.findall(sample)) < _DENSE_SHARE * letters:
        return ""
    raw = sample.translate(_BYTES).encode("latin-1", "ignore")
    name = guess(raw).encoding
    return name if text_bits(decode_as(raw, name))[0] < _LEAST_GAIN * text_bits(sample)[0] else ""


def is_garbled(text: str, *, unsure: bool) -> bool:
    """Tells whether so many letters are lost that the text is of no use. If its language is unsure, it is looked at closely."""
    if text.count("\ufffd") > _LOST_SHARE * len(text) or text.count("?") > _QUESTION_SHARE * len(text):
        return True
    if not unsure or text.isascii():
        return False
    shown = text[:_LOOK_CHARS]
    folded = fold(shown)
    letters = len(folded) - folded.count(" ")
    flips = sum(a.islower() and b.isupper() and not a.isascii() and not b.isascii() for a, b in pairwise(shown))
    return folded.count(JUNK) > _JUNK_SHARE * letters or flips > _FLIP_SHARE * letters
