"""Decodes bytes as browsers do: by the byte-order mark, else the HTTP header, else <meta>, else a guess.

Rules: labels mean what the WHATWG Encoding Standard says (latin1 is windows-1252, gb2312 is gb18030, …); a label that
is unknown or refused (utf-7, x-user-defined) counts as absent. Bytes that do not fit become U+FFFD and are counted.
Invariant: nothing here raises, and every text is valid Unicode without lone surrogates.
"""

import re
from typing import Final

_FALLBACK_ENCODING: Final = "windows-1252"
_PRESCAN_BYTES: Final = 1_024
_SNIFF_BYTES: Final = 4_096

# Python's names for the encodings of the standard; where browsers decode a superset, the name of that.
_CODECS: Final = {
    "utf-8": "utf-8",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "windows-1252": "cp1252",
    "windows-1254": "cp1254",
    "windows-874": "cp874",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "euc-jp": "euc_jp",
    "iso-2022-jp": "iso2022_jp",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "ibm866": "cp866",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    **{f"windows-{n}": f"cp{n}" for n in (1250, 1251, 1253, 1255, 1256, 1257, 1258)},
    **{f"iso-8859-{n}": f"iso8859_{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
}
_ALIASES: Final = {
    "utf-8": "utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
    "utf-16le": "utf-16 utf16 ucs-2 unicode iso-10646-ucs-2 csunicode unicodefeff",
    "utf-16be": "unicodefffe",
    "windows-1252": "latin1 latin-1 l1 ascii us-ascii ansi_x3.4-1968 iso-8859-1 iso8859-1 iso88591 iso_8859-1 cp1252 cp819"
    " x-cp1252",
    "windows-1250": "cp1250 x-cp1250",
    "windows-1251": "cp1251 x-cp1251 win-1251 win1251",
    "windows-1253": "cp1253 x-cp1253",
    "windows-1254": "cp1254 latin5 l5 iso-8859-9 iso8859-9 iso88599 iso_8859-9",
    "windows-1255": "cp1255 x-cp1255",
    "windows-1256": "cp1256 x-cp1256",
    "windows-1257": "cp1257 x-cp1257",
    "windows-1258": "cp1258 x-cp1258",
    "windows-874": "tis-620 iso-8859-11 iso8859-11 dos-874",
    "gb18030": "gb2312 gbk gb_2312 gb_2312-80 x-gbk chinese csgb2312",
    "big5": "big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp": "x-euc-jp cseucpkdfmtjapanese",
    "iso-2022-jp": "csiso2022jp",
    "shift_jis": "shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis",
    "euc-kr": "ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949 cseuckr",
    "ibm866": "866 cp866 csibm866",
    "koi8-r": "koi koi8 koi8_r cskoi8r",
    "koi8-u": "koi8-ru",
    "macintosh": "mac x-mac-roman csmacintosh",
    "x-mac-cyrillic": "x-mac-ukrainian",
    "iso-8859-2": "latin2 l2 iso8859-2 iso88592 iso_8859-2",
    "iso-8859-5": "cyrillic iso8859-5 iso_8859-5",
    "iso-8859-6": "arabic iso8859-6 iso_8859-6",
    "iso-8859-7": "greek iso8859-7 iso_8859-7",
    "iso-8859-8": "hebrew iso8859-8 iso_8859-8 iso-8859-8-i logical visual",
    "iso-8859-15": "latin9 l9 iso8859-15 iso_8859-15",
}
_LABELS: Final = {name: name for name in _CODECS} | {a: name for name, line in _ALIASES.items() for a in line.split()}

_BOMS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_HEADER_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)
_COMMENT: Final = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
# The value may be an attribute of its own or inside http-equiv's content; in both cases it follows `charset=`.
_META_CHARSET: Final = re.compile(rb"<meta[\s/][^>]*?charset\s*=\s*[\"']?\s*([^\s\"'/>;]+)", re.IGNORECASE)
_XML_ENCODING: Final = re.compile(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"'>]+)")
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
    name = _from_header(content_type) or _from_meta(body) or _guess(body)
    return _decode(body, name)


def looks_binary(body: bytes) -> bool:
    """Returns True for bytes that are not text in any encoding: file magic, NUL bytes outside UTF-16, many control
    characters."""
    sample = body[:_SNIFF_BYTES]
    if sample.startswith(_MAGIC):
        return True
    if sample.startswith((b"\xfe\xff", b"\xff\xfe")) or _utf16_by_pattern(sample):
        return False
    if b"\0" in body and body.count(b"\0") > _MAX_NUL_SHARE * len(body):
        return True
    return _has_controls(sample)


def _decode(body: bytes, name: str) -> tuple[str, str, float]:
    text = body.decode(_CODECS[name], "replace")
    replaced = text.count("\ufffd")
    return text, name, replaced / len(text) if replaced else 0.0


def _from_header(content_type: str) -> str:
    found = _HEADER_CHARSET.search(content_type)
    return _LABELS.get(found[1].lower(), "") if found else ""


def _from_meta(body: bytes) -> str:
    head = body[:_PRESCAN_BYTES]
    if b"<!--" in head:
        head = _COMMENT.sub(b"", head)
    found = _META_CHARSET.search(head) or _XML_ENCODING.match(head)
    name = _LABELS.get(found[1].decode("ascii", "replace").lower(), "") if found else ""
    # A declaration that can be read byte by byte cannot be in UTF-16.
    return "utf-8" if name.startswith("utf-16") else name


def _guess(body: bytes) -> str:
    pattern = _utf16_by_pattern(body[:_SNIFF_BYTES])
    if pattern:
        return pattern
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A body cut by a size bound may end inside a character; it can still be UTF-8.
        cut = error.reason == "unexpected end of data" and not body[: error.start].isascii()
        return "utf-8" if cut else _FALLBACK_ENCODING
    return "utf-8"


def _utf16_by_pattern(sample: bytes) -> str:
    """Recognises markup in UTF-16: nearly every pair of bytes has a NUL on the same side and a character on the
    other."""
    if sample.count(b"\0") * 4 < len(sample) or len(sample) < 4:
        return ""
    even, odd = sample[::2], sample[1::2]
    if odd.count(b"\0") > 20 * even.count(b"\0") and not _has_controls(even):
        return "utf-16le"
    return "utf-16be" if even.count(b"\0") > 20 * odd.count(b"\0") and not _has_controls(odd) else ""


def _has_controls(sample: bytes) -> bool:
    return len(sample) - len(sample.translate(None, _CONTROLS)) > _MAX_CONTROL_SHARE * len(sample)
