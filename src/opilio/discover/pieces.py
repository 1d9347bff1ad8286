"""The bytes of a file or of a URL, unpacked, a piece at a time.

A file on disk is unpacked by a thread, one piece ahead of whoever reads it: unpacking bzip2 takes most of the time, and
needs no lock. What is at a URL is asked for in ranges, so that it may be larger than any answer, and as a whole where a
server knows no ranges.

Invariant: two pieces at most are in memory, besides one answer of a server.
"""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Generator
from pathlib import Path
from typing import Final, NamedTuple

from opilio.core.items import Fetched
from opilio.core.url import is_url

from .answer import read_answer
from .source import Ask, Question, SourceError
from .unpack import Unpacker

_READ_BYTES: Final = 2**18
_RANGE_BYTES: Final = 8 * 2**20
_PARTIAL: Final = 206
_RANGE: Final = re.compile(r"bytes (\d+)-(\d+)/(\d+)")


class Piece(NamedTuple):
    content: bytes
    version: str  # of the whole file: it changes when the file does


def read_pieces(where: str, ask: Ask, source: str) -> AsyncIterator[Piece]:
    return _of_url(where, ask, source) if is_url(where) else _of_file(where, source)


async def _of_file(where: str, source: str) -> AsyncIterator[Piece]:
    path = Path(where)
    try:
        state = await asyncio.to_thread(path.stat)
    except OSError as error:
        raise SourceError(f"{source}: cannot read {where}: {error.strerror}. Name a file or a URL.") from error
    version = f"{state.st_size}.{state.st_mtime_ns}"
    pieces = _unpacked(path, source)
    coming = asyncio.ensure_future(asyncio.to_thread(next, pieces, b""))
    try:
        while content := await coming:
            coming = asyncio.ensure_future(asyncio.to_thread(next, pieces, b""))
            yield Piece(content, version)
    finally:
        await asyncio.wait([coming])  # a generator cannot be closed while a thread is in it
        coming.exception()
        pieces.close()


def _unpacked(path: Path, source: str) -> Generator[bytes]:
    unpacker = Unpacker(f"{source}: {path}")
    try:
        with path.open("rb") as file:
            while packed := file.read(_READ_BYTES):
                yield from unpacker.feed(packed)
    except OSError as error:
        raise SourceError(f"{source}: cannot read {path}: {error.strerror}. Name a file or a URL.") from error
    unpacker.close()


async def _of_url(where: str, ask: Ask, source: str) -> AsyncIterator[Piece]:
    unpacker = Unpacker(f"{source}: {where}")
    at, total = 0, 1
    while at < total:
        wanted = (("Range", f"bytes={at}-{at + _RANGE_BYTES - 1}"), ("Accept-Encoding", "identity"))
        fetched = await read_answer(ask, Question(where, wanted), source)
        start, total = _extent(fetched)
        if start != at or not fetched.body:
            raise SourceError(
                f"{source}: {where} gave another range than was asked for: download it and name the file."
            )
        at += len(fetched.body)
        version = _version(fetched, total)
        for content in unpacker.feed(fetched.body):
            yield Piece(content, version)
    unpacker.close()


def _extent(fetched: Fetched) -> tuple[int, int]:
    """Returns where the body starts in the file, and how long the file is."""
    named = _RANGE.fullmatch(fetched.header("content-range").strip())
    return (int(named[1]), int(named[3])) if fetched.status == _PARTIAL and named else (0, len(fetched.body))


def _version(fetched: Fetched, total: int) -> str:
    if fetched.status == _PARTIAL:
        return f"{total}.{fetched.header('etag') or fetched.header('last-modified')}"
    return hashlib.blake2b(fetched.body, digest_size=8).hexdigest()
