"""The links whose documents were handed out, in the file `handed`: after its head, one bit for each link of the crawl.

A bit is written by one system call, so it survives a kill of the process as soon as `add` has returned. It is not synced each
time: a sync takes milliseconds, as much as the rest of a page. The system writes it to the disk within half a minute, and
`sync` does so at once, so a power cut forgets at most what came after the last sync. Then a document is handed out twice, which
its receiver can see, while one that is never handed out would go unnoticed.

It is a file of its own, because the crawl's database has one writer, whose transaction is open most of the time.
"""

import os
from pathlib import Path
from typing import Final

from opilio.core.durable import sync_folder
from opilio.core.errors import StorageError

_HEAD: Final = b"opilio handed 1\n"  # magic and version


class HandedLinks:
    """A set of links. It takes one bit of memory for each link that the crawl has met: 12.5 MB for 100 million. The file is made
    with the first link."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._dirty = False
        saved = path.read_bytes() if path.exists() else b""
        if not saved.startswith(_HEAD[: len(saved)]):  # a kill can leave it empty
            raise StorageError(
                f"{path} does not say which documents were handed out: it is damaged, or of a newer version. If you delete it, "
                "every document of the corpus is handed out again."
            )
        self._bits = bytearray(saved[len(_HEAD) :])

    def __contains__(self, link: int) -> bool:
        place = link >> 3
        return place < len(self._bits) and bool(self._bits[place] >> (link & 7) & 1)

    def add(self, link: int) -> None:
        place = link >> 3
        self._bits.extend(bytes(max(0, place + 1 - len(self._bits))))
        self._bits[place] |= 1 << (link & 7)
        try:
            if self._file is None:
                self._file = self._open()
            os.pwrite(self._file, self._bits[place : place + 1], len(_HEAD) + place)
        except OSError as error:
            raise self._refused(error) from error
        self._dirty = True

    def sync(self) -> None:
        if self._dirty and self._file is not None:
            os.fsync(self._file)
            self._dirty = False

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)

    def _open(self) -> int:
        file = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o666)
        if os.fstat(file).st_size < len(_HEAD):
            os.pwrite(file, _HEAD, 0)
            os.fsync(file)
            sync_folder(self._path.parent)
        return file

    def _refused(self, error: OSError) -> StorageError:
        return StorageError(
            f"cannot write {self._path}: {error.strerror}. The corpus is safe; free some space and run the same command again."
        )
