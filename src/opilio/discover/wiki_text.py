"""External links in a page of a MediaWiki XML dump, found in its bytes.

The wikitext is neither unescaped nor parsed: a dump is as long as all articles together, and only one byte in fifty
belongs to a link. So the patterns here know the escapes of XML. A link ends where MediaWiki ends it: at white space,
brackets, quotation marks and tags, at the bars and braces of templates, and, unless it stands in brackets, before the
punctuation of a sentence. Comments are not read.
"""

import re
from typing import Final

_CHAR: Final = rb"""[^\s\x00-\x20\[\]<>"|{}&'\x7f]"""
# An ampersand goes on, unless it begins the escape of a character that ends a link. Of apostrophes, two in a row are markup.
_AND: Final = rb"&(?!lt;|gt;|quot;|amp;(?:lt|gt|quot|nbsp);)"
# It begins with letters and not with an optional bracket, because a search for letters is three times as fast.
_LINK: Final = re.compile(rb"https?://(?:%s++|%s|'(?!'))+" % (_CHAR, _AND))
_RELATIVE: Final = re.compile(rb"\[(//(?:%s++|%s)+)" % (_CHAR, _AND))
_COMMENT: Final = re.compile(rb"&lt;!--.*?--&gt;", re.DOTALL)
_TITLE: Final = re.compile(rb"<title>([^<]*)</title>")
_NAMESPACE: Final = re.compile(rb"<ns>(-?\d+)</ns>")
_NUMBER: Final = re.compile(r"&#(\d{1,6});")
_BRACKET: Final = ord("[")
_TRAIL: Final = b",;.:!?'"
_LEAST_BYTES: Final = len(b"http://a.b")


def namespace(page: bytes) -> int:
    found = _NAMESPACE.search(page)
    return int(found[1]) if found else 0


def title(page: bytes) -> str:
    found = _TITLE.search(page)
    return _unescape(found[1]) if found else ""


def links(page: bytes) -> list[str]:
    """Returns the external links of a page, each of them once."""
    start = page.find(b"<text")
    if start < 0:
        return []
    text = page[start:]
    if b"&lt;!--" in text:
        text = _COMMENT.sub(b" ", text)
    found = [one[0] if text[one.start() - 1] == _BRACKET else _trimmed(one[0]) for one in _LINK.finditer(text)]
    if b"[//" in text:
        found += [b"https:" + url for url in _RELATIVE.findall(text)]
    return list(dict.fromkeys(_unescape(url) for url in found if len(url) >= _LEAST_BYTES))


def _trimmed(url: bytes) -> bytes:
    if b"(" not in url:
        url = url.rstrip(_TRAIL + b")")
    url = url.rstrip(_TRAIL)
    return url + b";" if url.endswith(b"&amp") else url


def _unescape(raw: bytes) -> str:
    """Undoes the escapes of XML, and then those that are written in the wikitext itself. Named characters other than & are left
    alone: in a query, "&copy=1" is a parameter."""
    text = raw.decode("utf-8", "replace")
    if "&" not in text:
        return text
    for name, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&"), ("&amp;", "&")):
        text = text.replace(name, char)
    return _NUMBER.sub(lambda number: chr(int(number[1])), text)
