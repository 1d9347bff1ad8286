"""The corpus as it was committed, for whoever only reads: documents one by one, what is known of them, the WARC files."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final, NamedTuple, TypeVar

import msgspec
import zstandard

from opilio.core.errors import StorageError
from opilio.core.items import Record

from .corpus import CorpusShards
from .record import unpack, unpack_line
from .shards import Place

_CHUNK: Final = 2**20
Value = TypeVar("Value", bytes, Record)


class Entry(NamedTuple):
    """What the table says of a document; its text is in the shards."""

    link: int
    tokens: int
    language: str  # "" if it is unknown


class CorpusReader:
    """Reads committed documents, even beside a running crawl."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._connection = connection
        self._shards = CorpusShards.of(connection, folder)

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM records").fetchone()[0])

    def entries(self) -> Iterator[Entry]:
        """Yields an entry for each document, in the order of their links."""
        return map(Entry._make, self._connection.execute("SELECT link, tokens, language FROM records ORDER BY link"))

    def languages(self, most: int = 20) -> dict[str, int]:
        """Returns the documents by language, the most frequent languages first."""
        query = "SELECT language, count(*) FROM records GROUP BY language ORDER BY count(*) DESC LIMIT ?"
        return dict(self._connection.execute(query, (most,)).fetchall())

    def warc_bytes(self) -> Iterator[bytes]:
        """Yields the WARC files laid end to end, which is a WARC file again: records are compressed one by one. What was written
        after the last commit is left out."""
        for number, committed in sorted(self._shards.warc.committed().items()):
            left = committed
            with self._shards.warc.path(number).open("rb") as file:
                while chunk := file.read(min(_CHUNK, left)):
                    yield chunk
                    left -= len(chunk)

    def places(self) -> Iterator[Place]:
        """Yields where the documents lie, in the order in which they were kept."""
        rows = self._connection.execute(
            "SELECT page_shard, page_offset, page_length FROM records ORDER BY page_shard, page_offset"
        )
        return (Place(*row) for row in rows)

    def lines(self) -> Iterator[bytes]:
        """Yields a JSON line for each document."""
        return (self._sound(unpack_line, place, frame) for place, frame in self._frames())

    def __iter__(self) -> Iterator[Record]:
        return (self._sound(unpack, place, frame) for place, frame in self._frames())

    def get(self, link: int) -> Record | None:
        row = self._connection.execute(
            "SELECT page_shard, page_offset, page_length FROM records WHERE link = ?", (link,)
        ).fetchone()
        return self.at(Place(*row)) if row else None

    def at(self, place: Place) -> Record:
        with self._open(place.shard) as file:
            file.seek(place.offset)
            return self._sound(unpack, place, file.read(place.length))

    def _open(self, shard: int) -> IO[bytes]:
        path = self._shards.pages.path(shard)
        try:
            return path.open("rb")
        except OSError as error:
            raise StorageError(f"cannot read {path}: {error.strerror}. Restore the file from a backup.") from error

    def _sound(self, read: Callable[[bytes], Value], place: Place, frame: bytes) -> Value:
        """Reads a frame. Where it is damaged, the error names its file."""
        try:
            return read(frame)
        except (zstandard.ZstdError, msgspec.DecodeError) as error:
            path = self._shards.pages.path(place.shard)
            raise StorageError(
                f"{path} is damaged at byte {place.offset} ({error}). Restore the file from a backup."
            ) from error

    def _frames(self) -> Iterator[tuple[Place, bytes]]:
        shard, file = -1, None
        try:
            for place in self.places():
                if place.shard != shard or file is None:
                    if file:
                        file.close()
                    shard, file = place.shard, self._open(place.shard)
                file.seek(place.offset)
                yield place, file.read(place.length)
        finally:
            if file:
                file.close()
