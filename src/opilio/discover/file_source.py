"""A source that reads a file, or a URL, from beginning to end: a list, a table, a directory, a dump, an index.

A file is a row of records that end with a delimiter. The memory has one entry, the number of records that were read, and the
version of the file. A run that goes on skips these records, which takes little more time than unpacking them; a file that has
changed is read from its beginning, and the directory knows what it had from the last one.

Invariant: memory is bounded by one record of `MOST_RECORD_BYTES`, two pieces and the finds of one piece.
"""

from abc import abstractmethod
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import ClassVar, Final

from .find import Find
from .pieces import read_pieces
from .source import Ask, Memory, Source, SourceError

MOST_RECORD_BYTES: Final = 32 * 2**20


class FileSource(Source):
    name: ClassVar[str]
    delimiter = b"\n"
    record = "line"  # what a record is called in messages

    def __init__(self, where: str = "") -> None:
        if not where:
            raise SourceError(f"{self.name}: name a file or a URL, as in --source {self.name}=FILE.")
        self.where = where

    @abstractmethod
    def read(self, record: bytes) -> Iterable[Find]:
        """Returns what a record names. The last record of a file may be what follows the last delimiter."""

    def learn(self, record: bytes) -> None:
        """Sees every record before it is read or skipped, for what all the others depend on, such as the head of a table."""

    async def finds(self, ask: Ask, memory: Memory) -> AsyncIterator[Sequence[Find]]:
        rest, count, done, version = b"", 0, 0, ""
        async for piece in read_pieces(self.where, ask, self.name):
            if not version:
                done, version = self._remembered(memory, piece.version), piece.version
            *records, rest = (rest + piece.content if rest else piece.content).split(self.delimiter)
            if len(rest) > MOST_RECORD_BYTES:
                raise SourceError(
                    f"{self.name}: {self.where} has a {self.record} of over {len(rest):,} bytes. Is it the right file?"
                )
            found = self._read(records, done - count)
            count += len(records)
            if found and count > done:
                self._remember(memory, version, count)
                yield found
        found = self._read([rest], done - count) if rest else []
        self._remember(memory, version, count + bool(rest))
        yield found

    def _read(self, records: Sequence[bytes], skipped: int) -> list[Find]:
        found: list[Find] = []
        for place, record in enumerate(records):
            self.learn(record)
            if place >= skipped:
                found += self.read(record)
        return found

    def _remembered(self, memory: Memory, version: str) -> int:
        """Returns how many records of this version of the file were read before."""
        count, _, known = memory.get(self.where, b"").decode().partition(" ")
        return int(count) if count and known == version else 0

    def _remember(self, memory: Memory, version: str, count: int) -> None:
        memory[self.where] = f"{count} {version}".encode()
