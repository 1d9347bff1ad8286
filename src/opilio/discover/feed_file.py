"""What a feed names: RSS 2.0 and its forerunners, RSS 1.0, Atom and JSON Feed. Bytes in, values out.

Rules: an entry is named by its link to a page for people; an RSS entry without one, by its identifier if that is a
link. Links may be relative, and are returned as they are written. Of a file that breaks off, what came before counts.
"""

import re
from html import unescape
from typing import Final, NamedTuple

import msgspec

from .entity_free import EntityFreeReader, XmlError
from .source import SourceError

FEED_TYPES: Final = ("application/rss+xml", "application/atom+xml", "application/feed+json")
MOST_ENTRIES: Final = 5_000
_LINK_TAG: Final = re.compile(r"<link\b[^>]{0,2000}>", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"""([a-zA-Z:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_ROOT: Final = re.compile(
    rb"(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?!\s+html)[^>\[]*(?:\[.*?\])?\s*>|\s)*<(?:\w+:)?(\w+)",
    re.DOTALL | re.IGNORECASE,
)
_HEAD_BYTES: Final = 2**20
_MOST_FEEDS: Final = 20  # of a page
_ROOTS: Final = ("rss", "rdf", "feed")


class FeedEntry(NamedTuple):
    url: str
    title: str = ""
    language: str = ""


class _JsonItem(msgspec.Struct):
    url: str = ""
    external_url: str = ""
    title: str | None = None
    language: str | None = None


class _JsonFeed(msgspec.Struct):
    version: str
    items: list[_JsonItem]
    language: str = ""


def read_feed(body: bytes, name: str) -> list[FeedEntry]:
    """Raises `SourceError`, which has the name in it, if the file is not a feed."""
    try:
        return _read_json(body) if body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{" else _read_xml(body)
    except (XmlError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SourceError(f"{name} is not a feed that can be read: {error}. Look at it in a browser.") from error


def is_feed(body: bytes) -> bool:
    """Tells a feed from a page by its beginning."""
    start = body[:_HEAD_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:1] == b"{":
        return b"jsonfeed.org" in start[:1_000]
    root = _ROOT.match(start)
    return root is not None and root[1].lower().decode() in _ROOTS


def feeds_of_page(html: bytes) -> list[str]:
    """Returns the feeds that a page names in its head, as it writes them."""
    found = []
    for tag in _LINK_TAG.findall(html[:_HEAD_BYTES].decode("utf-8", "replace")):
        attributes = {name.lower(): unescape(one or two or bare) for name, one, two, bare in _ATTRIBUTE.findall(tag)}
        if names_feed(attributes.get("rel", ""), attributes.get("type", "")) and attributes.get("href"):
            found.append(attributes["href"])
    return list(dict.fromkeys(found))[:_MOST_FEEDS]


def names_feed(rel: str, media: str) -> bool:
    """Tells by the attributes of a <link> whether it leads to a feed."""
    return "alternate" in rel.lower().split() and media.partition(";")[0].strip().lower() in FEED_TYPES


def _read_json(body: bytes) -> list[FeedEntry]:
    feed = msgspec.json.decode(body.removeprefix(b"\xef\xbb\xbf"), type=_JsonFeed)
    entries = (
        FeedEntry(item.url or item.external_url, item.title or "", item.language or feed.language)
        for item in feed.items
    )
    return [entry for entry in entries if entry.url][:MOST_ENTRIES]


def _read_xml(body: bytes) -> list[FeedEntry]:
    reader = _XmlReader()
    try:
        reader.feed(body)
        reader.close()
    except XmlError:
        if not reader.entries:
            raise
    return reader.entries


class _XmlReader(EntityFreeReader):
    def __init__(self) -> None:
        super().__init__()
        self.entries: list[FeedEntry] = []
        self._language = ""  # of the whole feed
        self._entry: dict[str, str] = {}

    def start(self) -> None:
        attributes = self.attributes[-1]
        if len(self.path) == 1:
            if self.path[0] not in _ROOTS:
                raise XmlError(f"its first element is <{self.path[0]}>, not <rss>, <rdf:RDF> or <feed>")
            self._language = attributes.get("xml:lang", "")
        elif self.path[-1] in ("item", "entry"):
            self._entry = {"language": attributes.get("xml:lang", "")}

    def element(self, text: str) -> None:
        name, parent = self.path[-1], self.path[-2] if len(self.path) > 1 else ""
        if name in ("item", "entry"):
            self._add()
        elif parent in ("item", "entry"):
            self._take(name, text)
        elif name == "language" and parent == "channel":
            self._language = text

    def _take(self, name: str, text: str) -> None:
        attributes = self.attributes[-1]
        if name == "link":
            url = attributes.get("href", "") or text
            if url and attributes.get("rel", "alternate") == "alternate":
                self._entry.setdefault("link", url)
        elif name == "guid" and attributes.get("isPermaLink", "true") == "true" and text.startswith("http"):
            self._entry["guid"] = text
        elif name == "title":
            self._entry.setdefault("title", text)

    def _add(self) -> None:
        url = self._entry.get("link") or self._entry.get("guid", "")
        if url and len(self.entries) < MOST_ENTRIES:
            language = self._entry.get("language") or self._language
            self.entries.append(FeedEntry(url, self._entry.get("title", ""), language))
        self._entry = {}
