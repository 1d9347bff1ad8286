"""What a sitemap names: pages, with their dates and translations, or further sitemaps. Bytes in, values out.

XML sitemaps, their indexes and plain lists of URLs are read, packed or not. Of a file that breaks off, what came before
counts: a long sitemap is often cut by its server. The bounds are those of the sitemap protocol.
"""

from typing import Final, NamedTuple

from .entity_free import EntityFreeReader, XmlError
from .source import SourceError
from .unpack import Unpacker

MOST_BYTES: Final = 50 * 2**20  # unpacked
MOST_ENTRIES: Final = 50_000
_MOST_ALTERNATES: Final = 200
_URL_CHARS: Final = 2_048


class SitemapEntry(NamedTuple):
    url: str
    modified: str = ""  # as it is written, usually a date in ISO 8601
    alternates: tuple[tuple[str, str], ...] = ()  # languages and URLs of translations, the page itself often among them


class Sitemap(NamedTuple):
    pages: list[SitemapEntry]
    sitemaps: list[SitemapEntry]  # of an index


def read_sitemap(body: bytes, name: str) -> Sitemap:
    """Raises `SourceError`, which has the name in it, if nothing in the file can be read as a sitemap."""
    unpacker = Unpacker(name)
    pieces = unpacker.feed(body)
    first = next(pieces, b"")
    reader = _XmlReader() if first.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or _is_wide(first) else _ListReader()
    size, piece = 0, first
    try:
        while piece and (size := size + len(piece)) <= MOST_BYTES and len(reader.found.pages) < MOST_ENTRIES:
            reader.feed(piece)
            piece = next(pieces, b"")
        if not piece:
            unpacker.close()
        reader.close()
    except (XmlError, SourceError) as error:
        if not any(reader.found):
            reason = str(error) if isinstance(error, XmlError) else "it is damaged"
            raise SourceError(
                f"{name} is not a sitemap that can be read: {reason}. Look at it in a browser."
            ) from error
    return reader.found


def _is_wide(text: bytes) -> bool:
    return text.startswith((b"\xff\xfe", b"\xfe\xff"))


class _XmlReader(EntityFreeReader):
    def __init__(self) -> None:
        super().__init__()
        self.found = Sitemap([], [])
        self._url = self._modified = ""
        self._alternates: list[tuple[str, str]] = []

    def start(self) -> None:
        if len(self.path) == 1 and self.path[0] not in ("urlset", "sitemapindex"):
            raise XmlError(f"its first element is <{self.path[0]}>, not <urlset> or <sitemapindex>")

    def element(self, text: str) -> None:
        name, parent = self.path[-1], self.path[-2] if len(self.path) > 1 else ""
        if parent in ("url", "sitemap"):
            if name == "loc":
                self._url = text
            elif name == "lastmod":
                self._modified = text
            elif name == "link" and len(self._alternates) < _MOST_ALTERNATES:
                attributes = self.attributes[-1]
                self._alternates.append((attributes.get("hreflang", ""), attributes.get("href", "")))
        elif name in ("url", "sitemap"):
            self._add(self.found.pages if name == "url" else self.found.sitemaps)

    def _add(self, entries: list[SitemapEntry]) -> None:
        if 0 < len(self._url) <= _URL_CHARS and len(entries) < MOST_ENTRIES:
            alternates = tuple(each for each in self._alternates if 0 < len(each[1]) <= _URL_CHARS)
            entries.append(SitemapEntry(self._url, self._modified, alternates))
        self._url = self._modified = ""
        self._alternates = []


class _ListReader:
    """Reads a text file with a URL on each line."""

    def __init__(self) -> None:
        self.found = Sitemap([], [])
        self._rest = b""

    def feed(self, piece: bytes) -> None:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        self._take(lines)

    def close(self) -> None:
        self._take([self._rest])
        if not self.found.pages:
            raise XmlError("it is neither XML nor a list of URLs")

    def _take(self, lines: list[bytes]) -> None:
        for line in lines[: MOST_ENTRIES - len(self.found.pages)]:
            url = line.decode("utf-8-sig", "replace").strip()
            if url.startswith(("http://", "https://")) and len(url) <= _URL_CHARS:
                self.found.pages.append(SitemapEntry(url))
