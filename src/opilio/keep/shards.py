"""Append-only files of compressed records, cut into shards of a bounded size.

Invariant: a shard's bytes up to the length in the `shards` table are whole records that were fsynced before the
transaction that names them. Bytes beyond that length belong to an unfinished write: recovery only has to cut them off. Some of
the records may be dead, because the page has moved to another shard; `dead` says how many bytes they take.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final, NamedTuple

from opilio.core.durable import make_folder, sync_folder
from opilio.core.errors import StorageError

SHARD_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS shards (
  kind TEXT NOT NULL, number INTEGER NOT NULL, bytes INTEGER NOT NULL, dead INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, number)
) WITHOUT ROWID;
"""


class Place(NamedTuple):
    """The place at which a record is stored."""

    shard: int
    offset: int
    length: int


NOWHERE: Final = Place(0, 0, 0)


class Shards:
    """One kind of shard, such as `refused/warc` with the suffix `.warc.gz`, whose files lie in a folder of that name. `head`
    makes the first bytes of each new file."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        folder: Path,
        kind: str,
        ending: str,
        max_bytes: int,
        head: Callable[[str], bytes],
    ) -> None:
        self._connection = connection
        self._folder = folder / kind
        self._stem = self._folder.name
        self._kind = kind
        self._ending = ending
        self._max_bytes = max_bytes
        self._head = head
        self._number = 0
        self._size = 0
        self._dirty = False
        self._file: IO[bytes] | None = None

    def path(self, number: int) -> Path:
        return self._folder / f"{self._stem}-{number:05}{self._ending}"

    def committed(self) -> dict[int, int]:
        """Returns how many bytes of each shard were committed."""
        rows = self._connection.execute("SELECT number, bytes FROM shards WHERE kind = ?", (self._kind,))
        return dict(rows.fetchall())

    def recover(self) -> int:
        """Cuts the files back to what was committed, and returns how many bytes that removed."""
        committed = self.committed()
        torn = 0
        for path in sorted(self._folder.glob(f"{self._stem}-*{self._ending}")):
            length = committed.get(int(path.name[len(self._stem) + 1 :].removesuffix(self._ending)), 0)
            torn += max(0, path.stat().st_size - length)
            if length:
                os.truncate(path, min(length, path.stat().st_size))  # never extend a file: that would hide a loss
            else:
                path.unlink()
        self._check(committed)
        self._number = max(committed, default=0)
        self._size = committed.get(self._number, 0)
        return torn

    def append(self, record: bytes) -> Place:
        if self._size >= self._max_bytes:
            self.begin(self._number + 1)
        out = self._open()
        place = Place(self._number, self._size, len(record))
        self._write(out, record)
        return place

    def read(self, place: Place) -> bytes:
        """Returns a record, even one that was appended a moment ago."""
        path = self.path(place.shard)
        try:
            if self._file is not None:
                self._file.flush()
            with path.open("rb") as file:
                file.seek(place.offset)
                return file.read(place.length)
        except OSError as error:
            raise unreadable(path, error) from error

    def bury(self, place: Place) -> None:
        """Notes that the record at this place is dead."""
        self._note("dead = dead + excluded.dead", place.shard, 0, place.length)

    def next(self) -> int:
        """Returns the number of the first shard that nothing was committed to yet."""
        return max(self.committed(), default=-1) + 1

    def begin(self, number: int) -> None:
        """Appends to this shard from now on, or to the present one if that is later."""
        if number > self._number:
            self.sync()
            self.close()
            self._number, self._size = number, 0

    def with_holes(self) -> list[int]:
        """Returns the numbers of the shards in which records are dead."""
        query = "SELECT number FROM shards WHERE kind = ? AND dead > 0 ORDER BY number"
        return [number for (number,) in self._connection.execute(query, (self._kind,))]

    def forget(self, number: int) -> None:
        """Forgets a shard, whose file may be removed after the commit."""
        self._connection.execute("DELETE FROM shards WHERE kind = ? AND number = ?", (self._kind, number))

    def remove(self, number: int) -> None:
        """Removes the file of a shard that is forgotten. A kill before that is harmless: recovery removes it too."""
        self.path(number).unlink(missing_ok=True)

    def sync(self) -> None:
        """Makes everything that was appended durable and notes it in the open transaction."""
        if self._file is None or not self._dirty:
            return
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._refused(error) from error
        self._dirty = False
        self._note("bytes = excluded.bytes", self._number, self._size, 0)

    def close(self) -> None:
        """Closes without a sync. No transaction refers to unsynced bytes, so losing them is harmless."""
        if self._file is not None:
            file, self._file = self._file, None
            with contextlib.suppress(OSError):
                file.close()

    def _note(self, change: str, number: int, size: int, dead: int) -> None:
        query = f"INSERT INTO shards VALUES (?, ?, ?, ?) ON CONFLICT (kind, number) DO UPDATE SET {change}"  # noqa: S608
        self._connection.execute(query, (self._kind, number, size, dead))

    def _open(self) -> IO[bytes]:
        if self._file is None:
            path = self.path(self._number)
            is_new = not path.exists()
            try:
                make_folder(self._folder)
                self._file = path.open("ab", buffering=1 << 20)
            except OSError as error:
                raise self._refused(error) from error
            if is_new:
                sync_folder(self._folder)
                self._write(self._file, self._head(path.name))
        return self._file

    def _write(self, out: IO[bytes], data: bytes) -> None:
        try:
            out.write(data)
        except OSError as error:
            raise self._refused(error) from error
        self._size += len(data)
        self._dirty = True

    def _check(self, committed: dict[int, int]) -> None:
        for number, length in committed.items():
            path = self.path(number)
            if not path.exists() or path.stat().st_size < length:
                raise StorageError(
                    f"{path} is missing or shorter than the {length} bytes that were committed. "
                    "Restore the file from a backup; the crawl's other files are untouched."
                )

    def _refused(self, error: OSError) -> StorageError:
        return StorageError(
            f"the disk refused a write to {self.path(self._number)}: {error.strerror}. Nothing acknowledged is lost; "
            "free some space and run the same command again."
        )


def unreadable(path: Path, error: OSError) -> StorageError:
    return StorageError(
        f"cannot read {path}: {error.strerror}. If `opilio judge again` has just rewritten the corpus, run the command again; "
        "otherwise restore the file from a backup."
    )
