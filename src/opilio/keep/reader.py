"""The corpus as it was committed, for whoever only reads: documents one by one, what is known of them, the WARC files."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TypeVar

import msgspec
import zstandard

from opilio.core.errors import StorageError
from opilio.core.items import Record

from .corpus import CorpusShards
from .record import unpack, unpack_line
from .shards import unreadable
from .stored import StoredPage, StoredPages

Value = TypeVar("Value", bytes, Record)


class CorpusReader:
    """Reads committed documents, even beside a running crawl: those of the corpus, or all with at least the score `least`.
    Documents whose texts are in `known` are left out, and those that were read are added to it."""

    def __init__(
        self, connection: sqlite3.Connection, folder: Path, least: float | None = None, known: set[int] | None = None
    ) -> None:
        self._connection = connection
        self._folder = folder
        self._least = least
        self._known = known
        self._shards = CorpusShards.of(connection, folder)
        self.rows = StoredPages(connection)

    def __len__(self) -> int:
        return self.rows.count_kept() if self._least is None else sum(1 for _ in self._chosen())

    def from_score(self, least: float) -> "CorpusReader":
        """Reads the stored pages with at least this score, whether they are kept or not (`StoredPages.from_score`)."""
        return CorpusReader(self._connection, self._folder, least)

    def without(self, known: set[int]) -> "CorpusReader":
        """Reads the same documents, except those whose texts are known: those of other crawls that were read before."""
        return CorpusReader(self._connection, self._folder, self._least, known)

    def languages(self, most: int = 20) -> dict[str, int]:
        """Returns the documents by language, the most frequent languages first."""
        return self.rows.languages(most)

    def warc_records(self) -> Iterator[bytes]:
        """Yields the WARC records of all stored pages that have one, those of the corpus first. End to end they are a WARC
        file, because records are compressed one by one."""
        for page in self.rows.with_bytes():
            yield self._shards.shelf(page.drop).warc.read(page.warc)

    def lines(self) -> Iterator[bytes]:
        """Yields a JSON line for each document."""
        return (self._sound(unpack_line, page, frame) for page, frame in self._frames())

    def __iter__(self) -> Iterator[Record]:
        return (self._sound(unpack, page, frame) for page, frame in self._frames())

    def get(self, link: int) -> Record | None:
        """Returns the document of a stored page, whether it is in the corpus or not."""
        page = self.rows.get(link)
        return self.at(page) if page else None

    def at(self, page: StoredPage) -> Record:
        return self._sound(unpack, page, self._shards.shelf(page.drop).pages.read(page.page))

    def _chosen(self) -> Iterator[StoredPage]:
        return self.rows.kept() if self._least is None else self.rows.from_score(self._least)

    def _pages(self) -> Iterator[StoredPage]:
        for page in self._chosen():
            if self._known is None:
                yield page
            elif page.text_key not in self._known:
                self._known.add(page.text_key)
                yield page

    def _path(self, page: StoredPage) -> Path:
        return self._shards.shelf(page.drop).pages.path(page.page.shard)

    def _open(self, path: Path) -> IO[bytes]:
        try:
            return path.open("rb")
        except OSError as error:
            raise unreadable(path, error) from error

    def _sound(self, read: Callable[[bytes], Value], page: StoredPage, frame: bytes) -> Value:
        """Reads a frame. Where it is damaged, the error names its file."""
        try:
            return read(frame)
        except (zstandard.ZstdError, msgspec.DecodeError) as error:
            raise StorageError(
                f"{self._path(page)} is damaged at byte {page.page.offset} ({error}). Restore the file from a backup."
            ) from error

    def _frames(self) -> Iterator[tuple[StoredPage, bytes]]:
        opened, file = None, None
        try:
            for page in self._pages():
                path = self._path(page)
                if path != opened or file is None:
                    if file:
                        file.close()
                    opened, file = path, self._open(path)
                file.seek(page.page.offset)
                yield page, file.read(page.page.length)
        finally:
            if file:
                file.close()
