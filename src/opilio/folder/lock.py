"""The lock that lets one process at a time write to a crawl's folder.

A command that could not begin leaves nothing behind: whoever leaves the lock with an error, in a folder that held no crawl
before and holds none now, leaves the folder as it was found. Only files that a crawl makes are removed, so that whatever
somebody else puts there in the meantime stays.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from opilio.core.errors import CrawlDirError

from .database import has_begun
from .paths import CrawlFolder


class FolderLock:
    """A lock that the system releases when the process ends, so that a kill leaves nothing to clean up."""

    def __init__(self, folder: CrawlFolder) -> None:
        self._folder = folder
        self._file: IO[str] | None = None
        # What a crawl in this folder makes and was not there before: files first, then folders.
        self._new: list[Path] = []

    def __enter__(self) -> "FolderLock":
        try:
            self._new = [
                path for path in (*self._folder.first_files, *_upwards(self._folder.path)) if not path.exists()
            ]
            self._folder.path.mkdir(parents=True, exist_ok=True)
            self._file = self._folder.lock_file.open("a+")
        except OSError as error:
            self._leave_nothing()
            raise CrawlDirError(
                f"cannot write to {self._folder.path}: {error.strerror}. Choose another folder."
            ) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            holder = self._file.read().strip() or "another process"
            crawled = self._folder.newest_cycle or self._folder
            self._file.close()
            raise CrawlDirError(
                f"{self._folder.path} is being crawled by process {holder}. Wait for it, or stop it with "
                f"`opilio control {crawled.path} stop`."
            ) from None
        self._check_place()
        self._file.seek(0)
        self._file.truncate()
        self._file.write(str(os.getpid()))
        self._file.flush()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        if self._file is None:
            return
        if kind is not None and self._folder.database in self._new and not has_begun(self._folder.database):
            self._leave_nothing()
        self._file.close()

    def _check_place(self) -> None:
        """Raises if the file was removed between opening and locking it: its lock would keep nobody out."""
        assert self._file is not None
        try:
            found = self._folder.lock_file.stat().st_ino
        except FileNotFoundError:
            found = 0
        if found != os.fstat(self._file.fileno()).st_ino:
            self._file.close()
            raise CrawlDirError(f"another command has just left {self._folder.path}. Run this one again.")

    def _leave_nothing(self) -> None:
        for path in self._new:
            with suppress(OSError):  # such as a folder that somebody else has put a file into
                path.rmdir() if path.is_dir() else path.unlink()


def is_running(folder: CrawlFolder) -> bool:
    """Returns whether a process holds the folder's lock."""
    if not folder.lock_file.exists():
        return False
    with folder.lock_file.open("r") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _upwards(path: Path) -> Iterator[Path]:
    """Yields the folder and those that it lies in."""
    yield path
    yield from path.parents
