"""What a page declares about its own bytes, by the prescan of the HTML standard: the first 1,024 bytes are read as
tags.

Rules: comments do not count, nor do values of other attributes; a `content` counts only beside
`http-equiv=content-type`; a page that can be read byte by byte cannot be in UTF-16, so it is UTF-8; x-user-defined
means windows-1252. After the standard's own answer, the encoding of an XML declaration counts, as in all browsers.
"""

import re
from typing import Final

from .labels import encoding_of

_BYTES: Final = 1_024
_NEXT: Final = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<(meta)(?=[\s/])((?:[^>\"']|\"[^\"]*\"|'[^']*')*)"
    rb"|</?[a-z](?:[^>\"']|\"[^\"]*\"|'[^']*')*"
    rb"|<[!/?][^>]*",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(rb"[\s/]*([^\s/>=]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+)))?")
_IN_CONTENT: Final = re.compile(r"charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s;,\"']+))", re.IGNORECASE)
_XML: Final = re.compile(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"'>]+)")


def declared_encoding(body: bytes) -> str:
    """Returns the standard's name of the encoding that the page declares, or ""."""
    head = body[:_BYTES]
    if b"charset" in head or b"CHARSET" in head or b"harset" in head.lower():
        for found in _NEXT.finditer(head):
            if found[1] and (name := _of_meta(found[2])):
                return _readable(name)
    xml = _XML.match(head)
    return _readable(encoding_of(xml[1].decode("latin-1"))) if xml else ""


def in_content(value: str) -> str:
    """Returns the encoding that a content type names, such as `text/html; charset=utf-8`, or ""."""
    for found in _IN_CONTENT.finditer(value):
        return encoding_of(found[1] or found[2] or found[3] or "")
    return ""


def _of_meta(attributes: bytes) -> str:
    given: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(attributes):
        given.setdefault(name.lower().decode("latin-1"), (double or single or bare).decode("latin-1"))
    if "charset" in given:
        return encoding_of(given["charset"])
    return in_content(given.get("content", "")) if given.get("http-equiv", "").lower() == "content-type" else ""


def _readable(name: str) -> str:
    if name.startswith("utf-16"):
        return "utf-8"
    return "windows-1252" if name == "x-user-defined" else name
