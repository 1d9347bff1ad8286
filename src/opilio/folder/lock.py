"""The lock that lets one process at a time write to a crawl's folder."""

import fcntl
import os
from typing import IO

from opilio.core.errors import CrawlDirError

from .paths import CrawlFolder


class FolderLock:
    """A lock that the system releases when the process ends, so that a kill leaves nothing to clean up."""

    def __init__(self, folder: CrawlFolder) -> None:
        self._folder = folder
        self._file: IO[str] | None = None

    def __enter__(self) -> "FolderLock":
        try:
            self._folder.path.mkdir(parents=True, exist_ok=True)
            self._file = self._folder.lock_file.open("a+")
        except OSError as error:
            raise CrawlDirError(
                f"cannot write to {self._folder.path}: {error.strerror}. Choose another folder."
            ) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            holder = self._file.read().strip() or "another process"
            self._file.close()
            raise CrawlDirError(
                f"{self._folder.path} is being crawled by process {holder}. Wait for it, or stop it with "
                f"`opilio control {self._folder.path} stop`."
            ) from None
        self._file.seek(0)
        self._file.truncate()
        self._file.write(str(os.getpid()))
        self._file.flush()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._file is not None:
            self._file.close()


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
