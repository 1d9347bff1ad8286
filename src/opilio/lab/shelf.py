"""A recorded web that many crawls share: its index and its gleaned pages stay in memory from one crawl to the next.

Rules: a page is gleaned once, always with the context of its links, so that a crawl gets the same page whichever crawls
ran before. Judging is never shared. Pages are kept packed, in about 11 kB each: unpacking takes 0.1 ms, gleaning would
take 2 ms, and a page as an object 100 kB. When the shelf is full, the oldest pages are removed. Answers have the date
of their record, or else a fixed date.

Invariant: what a crawl sees of the web does not depend on what is on the shelf, only how long it takes.
"""

from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Final

import msgspec
import zstandard

from opilio.core.errors import ConfigError
from opilio.core.items import Fetched, Headers, Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, parse
from opilio.fetch import TERMS, Terms
from opilio.fetch.decode import decode
from opilio.fetch.recorded import RecordedWeb
from opilio.glean import decode_text, glean

_DEFAULT_SIZE_BYTES: Final = 2**28
_LIMITS: Final = Limits()
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Page).decode
_compress: Final = zstandard.ZstdCompressor(level=1).compress
_decompress: Final = zstandard.ZstdDecompressor().decompress


class Shelf:
    """Implements `Fetcher`, and the gleaner that the engine calls. `close` leaves it open for the next crawl."""

    def __init__(self, path: Path, size_bytes: int = _DEFAULT_SIZE_BYTES) -> None:
        if not path.is_file():
            raise ConfigError(f"{path} is not a file. --web takes a WARC file.")
        self._web = RecordedWeb([path])
        self._packed: dict[tuple[str, Limits], bytes] = {}
        self._size_bytes = 0
        self.spent_s = 0.0  # processor time for reading and gleaning
        self._most_bytes = size_bytes
        self._hosts = {url.partition("://")[2].partition("/")[0].partition(":")[0] for url in self._web.urls()}
        if not len(self._web):
            raise ConfigError(f"{path} has no response records. --web takes a WARC file with responses.")

    def has_host(self, host: str) -> bool:
        """Returns whether any address of this host was recorded."""
        return host in self._hosts

    @property
    def broken(self) -> int:
        """Returns the number of records that cannot be read."""
        return self._web.broken

    def __len__(self) -> int:
        return len(self._web)

    def __contains__(self, url: object) -> bool:
        return isinstance(url, str) and url in self._web

    def urls(self) -> Iterator[str]:
        """Yields all addresses, in the order in which they were recorded."""
        return self._web.urls()

    async def locate(self, url: Url) -> str | Outcome:  # noqa: ARG002  the protocol's signature
        return ""

    async def fetch(self, url: Url, address: str, terms: Terms = TERMS) -> Fetched:
        start_s = process_time()
        answer = self._web.answer(url, address, max_bytes=terms.max_bytes)
        self.spent_s += process_time() - start_s
        return answer

    async def close(self) -> None:
        pass

    def glean(
        self,
        url: Url,
        depth: int,
        headers: Headers,
        body: bytes,
        limits: Limits,
        *,
        context: bool = True,  # noqa: ARG002
    ) -> Page | Drop:
        """Does the same as `opilio.glean.glean`, but always with context, because another crawl may need it."""
        start_s = process_time()
        page = self._glean(url, depth, headers, body, limits)
        self.spent_s += process_time() - start_s
        return page

    def _glean(self, url: Url, depth: int, headers: Headers, body: bytes, limits: Limits) -> Page | Drop:
        if (known := self._known(url.href, limits)) is not None:
            return msgspec.structs.replace(known, depth=depth)
        page = glean(url, depth, headers, body, limits, context=True)
        if isinstance(page, Page):
            self._keep((url.href, limits), _compress(_encode(page)))
        return page

    def answer(self, href: str) -> Fetched:
        """Returns the last answer for a URL, after its redirects."""
        fetched = self._web.answer(_url(href))
        for _ in range(_LIMITS.redirects):
            if fetched.outcome is not Outcome.REDIRECT or isinstance(url := parse(fetched.location), Drop):
                break
            fetched = self._web.answer(url)
        return fetched

    def body(self, href: str) -> bytes:
        """Returns the body without its content coding, or b"" if there is none."""
        fetched = self._web.answer(_url(href))
        body = decode(fetched.body, fetched.header("content-encoding"), _LIMITS.decoded_bytes)
        return b"" if isinstance(body, Drop) else body

    def has_page(self, href: str) -> bool:
        """Returns whether the answer is a page, not a redirect or an error."""
        return self._web.answer(_url(href)).outcome is Outcome.OK

    def text(self, href: str) -> str:
        """Returns the body as text, in the charset that a crawl would use."""
        return decode_text(self.body(href), self._web.answer(_url(href)).header("content-type"))[0]

    def page(self, href: str) -> Page | None:
        if (known := self._known(href, _LIMITS)) is not None:  # without reading its record, which takes longer
            return msgspec.structs.replace(known, depth=0)
        fetched = self._web.answer(_url(href))
        if fetched.outcome is not Outcome.OK:
            return None
        page = self.glean(_url(href), 0, fetched.headers, self.body(href), _LIMITS)
        return page if isinstance(page, Page) else None

    def _known(self, href: str, limits: Limits) -> Page | None:
        packed = self._packed.get((href, limits))
        return None if packed is None else _decode(_decompress(packed))

    def _keep(self, key: tuple[str, Limits], packed: bytes) -> None:
        self._packed[key] = packed
        self._size_bytes += len(packed)
        while self._size_bytes > self._most_bytes:
            self._size_bytes -= len(self._packed.pop(next(iter(self._packed))))


def _url(href: str) -> Url:
    url = parse(href)
    assert isinstance(url, Url)  # only canonical addresses are looked up
    return url
