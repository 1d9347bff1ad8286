"""Turns bytes of an encoding into text as browsers do, which Python's codecs do not always.

Where the standard maps a byte that Python's table has no letter for, to a control character or to the euro, so do we;
Japanese encodings have the characters that Windows added. Bytes that do not fit become U+FFFD. Nothing here raises.
"""

import codecs
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final
from unicodedata import normalize

# Python's names for the encodings of the standard; where browsers decode a superset, the name of that.
_CODECS: Final = {
    "utf-8": "utf-8",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "euc-jp": "euc_jp",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "ibm866": "cp866",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "iso-8859-8-i": "iso8859_8",
    "windows-874": "cp874",
    **{f"windows-{n}": f"cp{n}" for n in range(1250, 1259)},
    **{f"iso-8859-{n}": f"iso8859_{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
}
_WIDE: Final = frozenset({"utf-8", "utf-16le", "utf-16be", "gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"})
_OTHER_LETTERS: Final = {"koi8-u": {0xAE: "ў", 0xBE: "Ў"}, "windows-1255": {0xCA: "\u05ba"}}
_WINDOWS_SIGNS: Final = {0x301C: 0xFF5E, 0x2016: 0x2225, 0x2212: 0xFF0D, 0xA2: 0xFFE0, 0xA3: 0xFFE1, 0xAC: 0xFFE2}
_SHIFT: Final = re.compile(rb"(\x1b\$[@B]|\x1b\([BJI])")
_KANA, _ASCII = b"\x1b(I", (b"\x1b(B", b"\x1b(J")
_HIGH: Final = bytes(byte | 0x80 if byte > 0x20 else byte for byte in range(256))
_MOST_SHIFTS: Final = 200_000  # of a page; an ordinary one has a few thousand
_MOST_REPAIRS: Final = 100_000  # of a page; what is wrong after them is replaced, because each takes a microsecond
_UNDEFINED: Final = "\ufffe"  # as `charmap_decode` has it
_LOST: Final = "\ufffd"


def decode_as(body: bytes, encoding: str) -> str:
    """`encoding` is a name of the standard."""
    if encoding == "replacement":
        return _LOST
    if encoding == "x-user-defined":
        return body.decode("latin-1").translate(_user_defined())
    if encoding == "iso-2022-jp":
        return _decode_shifted(body)
    if encoding in _WIDE:
        text = body.decode(_CODECS[encoding], _HANDLERS.get(encoding, "replace"))
        return text.translate(_WINDOWS_SIGNS) if encoding == "euc-jp" else text
    text = codecs.charmap_decode(body, "replace", _table(encoding))[0]
    return normalize("NFC", text) if encoding == "windows-1258" else text  # it has tones by themselves


@lru_cache(maxsize=64)
def _table(encoding: str) -> str:
    """Returns the characters of the 256 bytes."""
    found = [bytes((byte,)).decode(_CODECS[encoding], "replace").replace(_LOST, _UNDEFINED) for byte in range(256)]
    if encoding.startswith("windows-"):
        found[0x80:0xA0] = [chr(byte) if found[byte] == _UNDEFINED else found[byte] for byte in range(0x80, 0xA0)]
    for byte, char in _OTHER_LETTERS.get(encoding, {}).items():
        found[byte] = char
    return "".join(found)


@lru_cache(maxsize=1)
def _user_defined() -> dict[int, int]:
    return {byte: 0xF700 + byte for byte in range(0x80, 0x100)}


def _decode_shifted(body: bytes) -> str:
    """Decodes ISO-2022-JP: escape sequences say which set the bytes after them are from."""
    text, mode = [], _ASCII[0]
    for part in _SHIFT.split(body, _MOST_SHIFTS):
        if part.startswith(b"\x1b") and _SHIFT.fullmatch(part):
            mode = part
        elif mode in _ASCII:
            text.append(part.decode("ascii", "replace"))
        else:
            text.append(decode_as(part.translate(_HIGH), "shift_jis" if mode == _KANA else "euc-jp"))
    return "".join(text)


def _euc_jp(error: UnicodeError) -> tuple[str, int]:
    """Looks a character up that Python's table lacks in that of Windows, which has the same rows in other places."""
    assert isinstance(error, UnicodeDecodeError)
    pair = error.object[error.start : error.start + 2]
    if len(pair) < 2 or min(pair) < 0xA1 or max(pair) > 0xFE:
        return _LOST, error.start + 1
    row, cell = pair[0] - 0xA1, pair[1] - 0xA1
    high = row // 2 + (0x81 if row < 62 else 0xC1)
    low = cell + (0x9F if row % 2 else 0x40 + (cell > 62))
    found = bytes((high, low)).decode("cp932", "replace")
    return found[0], error.start + 2


def _big5(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    pair = error.object[error.start : error.start + 2]
    found = pair.decode("cp950", "replace")
    return (found, error.start + 2) if len(found) == 1 and found != _LOST else (_LOST, error.start + 1)


def _gb18030(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "€" if error.object[error.start] == 0x80 else _LOST, error.start + 1


def _bounded(repair: Callable[[UnicodeError], tuple[str, int]]) -> Callable[[UnicodeError], tuple[str, int]]:
    """Returns a handler of errors that repairs so many of them. A codec keeps the error's object for all errors of a text."""

    def handle(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        seen = vars(error)
        seen["errors"] = count = seen.get("errors", 0) + 1
        if count <= _MOST_REPAIRS:
            return repair(error)
        return error.object[error.start :].decode(error.encoding, "replace"), len(error.object)

    return handle


_HANDLERS: Final = {"euc-jp": "opilio-euc-jp", "big5": "opilio-big5", "gbk": "opilio-gb", "gb18030": "opilio-gb"}
for _name, _handler in (("euc-jp", _euc_jp), ("big5", _big5), ("gbk", _gb18030)):
    codecs.register_error(_HANDLERS[_name], _bounded(_handler))
