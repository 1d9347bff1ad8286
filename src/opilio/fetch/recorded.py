"""A recorded web: WARC files that answer requests as the network did.

Rules:
* The first record of a URL wins, in the order of the files; later ones are copies.
* A record that cannot be read is skipped and counted, and reading goes on at the next one that can be found.
* A URL that was not recorded gives `NOT_IN_WEB`; a robots.txt that was not recorded gives a plain 404.
* An answer has the date of its recording, because that is when the page was fetched.

Invariant: the same files give the same answers in the same order. The index takes about 200 bytes of memory per URL;
bodies are read on demand, in about 0.1 ms each. Building the index decompresses all files once: 0.4 s for 54 MB. A file
that was compressed as a whole is read from its start for every answer.
"""

import mmap
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final, Literal, NamedTuple, cast

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from opilio.core.clock import Clock, SimulatedClock
from opilio.core.items import Fetched
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, parse

from .answer import read_answer, text_headers
from .terms import TERMS, Terms

_RECORD_START: Final = re.compile(rb"\x1f\x8b\x08|WARC/[01]\.")
_CHUNK_HEAD: Final = re.compile(rb"[0-9a-fA-F]+[ \t]*(?:;[^\r\n]*)?\r?\n")
_HEADER_BYTES: Final = 2**16


class _Place(NamedTuple):
    file: int
    offset: int


class _Parts(NamedTuple):
    recorded_s: float | None
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


class Stored(NamedTuple):
    """An answer as it was recorded. `read` gives the next piece of its body, which may be encoded, and b"" at the end."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    read: Callable[[int], bytes]


class RecordedWeb:
    """Implements `Fetcher`. The files stay mapped into memory until `close`."""

    def __init__(self, paths: Sequence[Path], clock: Clock | None = None) -> None:
        self.broken = 0
        self._clock = clock or SimulatedClock()
        self._index: dict[str, _Place] = {}
        self._files = [_map(path) for path in paths if path.stat().st_size]
        for number in range(len(self._files)):
            offset: int | None = 0
            counted = False
            while offset is not None:
                offset, counted = self._add_from(number, offset, counted)

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, url: str) -> bool:
        return url in self._index

    def urls(self) -> Iterator[str]:
        return iter(self._index)

    async def locate(self, url: Url) -> str | Outcome:  # noqa: ARG002  the protocol's signature
        return ""

    async def fetch(self, url: Url, address: str, terms: Terms = TERMS) -> Fetched:
        return self.answer(url, address, max_bytes=terms.max_bytes)

    def answer(self, url: Url, address: str = "", *, max_bytes: int | None = None) -> Fetched:
        """Does what `fetch` does, for callers without an event loop."""
        now_s = self._clock.now()
        place = self._index.get(url.href)
        if place is None:
            missing = (Outcome.HTTP_ERROR, 404) if url.path == "/robots.txt" else (Outcome.NOT_IN_WEB, 0)
            return Fetched(url.href, *missing, address=address, started_s=now_s)
        try:
            recorded_s, status, raw_headers, body = self._read(place, url.href)
        except OSError:
            return Fetched(url.href, Outcome.PROTOCOL_ERROR, started_s=now_s, detail="the record cannot be read")
        headers = text_headers(raw_headers)
        outcome, location, retry_after_s = read_answer(url, status, headers, now_s)
        if outcome is Outcome.OK and max_bytes is not None and len(body) > max_bytes:
            outcome = Outcome.TOO_LARGE
        body = body if outcome is Outcome.OK else b""
        started_s = now_s if recorded_s is None else recorded_s
        return Fetched(url.href, outcome, status, headers, body, location, retry_after_s, address, started_s)

    def open(self, href: str) -> Stored | None:
        """Returns the record of an address, to be read piece by piece, or None if there is none that can be read. Several may be
        open at once. A body with a transfer coding is decoded, and for that it is read as a whole."""
        place = self._index.get(href)
        try:
            return None if place is None else self._stored(place, href)
        except OSError:
            return None

    def _stored(self, place: _Place, href: str) -> Stored:
        record = _find(_Window(self._files[place.file]), place.offset, href)
        record.parse_http(auto_decode="none", max_header_len=_HEADER_BYTES)
        status, headers = record.http_headers.status_code, record.http_headers.items_bytes()
        if status is None or any(name.lower() == b"transfer-encoding" for name, _ in headers):
            parts = self._read(place, href)
            return Stored(parts.status, parts.headers, BytesIO(parts.body).read)
        return Stored(status, headers, record.reader.read)

    async def close(self) -> None:
        for file in self._files:
            file.close()

    def _add_from(self, number: int, start: int, counted: bool) -> tuple[int | None, bool]:
        """Indexes up to the end, or up to something that cannot be read. Returns where the next record may start (None
        at the end), and whether a record could be read before the failure. In that case the failure has been counted,
        and is not counted again when reading restarts at its position (`counted`)."""
        file, position, read = self._files[number], start, False
        try:
            for record in _records(file, start):
                read = True
                # If the file was compressed as a whole, only the position of its first record is usable.
                if _RECORD_START.match(file, record.stream_pos):
                    position = record.stream_pos
                if record.record_type == WarcRecordType.response:
                    self._add(record, _Place(number, position))
            self._check_end(_Place(number, position))
        except OSError:
            self.broken += read or not counted
            found = _RECORD_START.search(file, position + 1)
            return (found.start() if found else None), read
        return None, read

    def _add(self, record: WarcRecord, place: _Place) -> None:
        target = _target(record)
        if target is None or not record.is_http:
            self.broken += 1
        else:
            self._index.setdefault(target, place)

    def _check_end(self, last: _Place) -> None:
        """Reads the last record again, because the reader does not report a file that was cut off in the middle of
        it."""
        for record in _records(self._files[last.file], last.offset):
            target = _target(record)
            if len(record.reader.read()) < record.content_length:
                self.broken += 1
                if target is not None and self._index.get(target) == last:
                    del self._index[target]

    def _read(self, place: _Place, href: str) -> _Parts:
        file = self._files[place.file]
        try:
            return _parts(_find(file, place.offset, href), "transfer")
        except OSError:
            # Some archives keep the header of a chunked body but not its chunks. A body that does begin with one is
            # broken.
            parts = _parts(_find(file, place.offset, href), "none")
            if _CHUNK_HEAD.match(parts.body):
                raise
            return parts


def read_response(record: bytes, url: Url) -> Fetched:
    """Reads a single WARC record, as a crawl has stored it. Raises OSError if it cannot be read."""
    for found in ArchiveIterator(BytesIO(record), parse_http=False, max_header_len=_HEADER_BYTES):
        parts = _parts(found, "none")
        started_s = parts.recorded_s or 0.0
        return Fetched(url.href, Outcome.OK, parts.status, text_headers(parts.headers), parts.body, started_s=started_s)
    raise OSError(f"the stored record of {url.href} is empty")


def _map(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


class _Window:
    """A mapped file with a position of its own."""

    def __init__(self, file: mmap.mmap) -> None:
        self._file = file
        self._position = 0

    def seek(self, position: int) -> int:
        self._position = position
        return position

    def tell(self) -> int:
        return self._position

    def read(self, size: int) -> bytes:
        piece = self._file[self._position : self._position + size]
        self._position += len(piece)
        return piece


def _records(file: mmap.mmap | _Window, start: int) -> Iterable[WarcRecord]:
    file.seek(start)
    return ArchiveIterator(cast(BinaryIO, file), parse_http=False, max_header_len=_HEADER_BYTES)


def _target(record: WarcRecord) -> str | None:
    raw = record.headers.get("WARC-Target-URI") or ""
    url = parse(raw.removeprefix("<").removesuffix(">"))  # one well-known tool writes these brackets
    return None if isinstance(url, Drop) else url.href


def _find(file: mmap.mmap | _Window, offset: int, href: str) -> WarcRecord:
    """Returns the first response for `href` at or after the offset, which is the one that was indexed."""
    for record in _records(file, offset):
        if record.record_type == WarcRecordType.response and _target(record) == href:
            return record
    raise OSError("the record is missing")


def _parts(record: WarcRecord, decoding: Literal["transfer", "none"]) -> _Parts:
    record.parse_http(auto_decode=decoding, max_header_len=_HEADER_BYTES)
    status = record.http_headers.status_code
    if status is None:
        raise OSError("no status line")
    recorded_s = record.record_date.timestamp() if record.record_date else None
    return _Parts(recorded_s, status, record.http_headers.items_bytes(), record.reader.read())
