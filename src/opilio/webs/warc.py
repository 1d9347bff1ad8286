"""A web from WARC files, served as recorded: status, header fields and body, with unchanged links.

It keeps one file offset per page and reads a page on request, in about 0.2 ms, so that a web larger than memory can be
served. The first response of a URL counts. The scheme is ignored, because a loopback server speaks plain HTTP.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from fastwarc.warc import ArchiveIterator, WarcRecordType

from opilio.core.errors import ConfigError

from .demo import Answer
from .demo.answer import NOT_FOUND

_HOP_FIELDS: Final = frozenset({"transfer-encoding", "content-length", "connection", "keep-alive"})

Places = dict[tuple[str, str], tuple[str, int]]  # (host, target) → (file, offset)


class WarcWeb:
    def __init__(self, paths: Sequence[str]) -> None:
        self._places = _index(tuple(paths))
        self.hosts = tuple(sorted({host for host, _ in self._places}))

    def answer(self, host: str, target: str) -> Answer:
        place = self._places.get((host, target))
        return _read(*place) if place else NOT_FOUND


@lru_cache(maxsize=2)
def _index(paths: tuple[str, ...]) -> Places:
    places: Places = {}
    for path in paths:
        if not Path(path).is_file():
            raise ConfigError(f"there is no WARC file {path!r}")
        with Path(path).open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=False):
                url = urlsplit(record.headers["WARC-Target-URI"].strip("<>"))
                target = (url.path or "/") + (f"?{url.query}" if url.query else "")
                places.setdefault((url.hostname or "", target), (path, record.stream_pos))
    return places


def _read(path: str, offset: int) -> Answer:
    with Path(path).open("rb") as file:
        file.seek(offset)
        record = next(iter(ArchiveIterator(file, record_types=WarcRecordType.response)))
        body = record.reader.read()
    fields = tuple((name, value) for name, value in record.http_headers if name.lower() not in _HOP_FIELDS)
    return Answer(record.http_headers.status_code or 200, fields, body)
