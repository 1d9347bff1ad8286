"""Files that are whole or absent: written beside their place, synced to the disk, and renamed into it.

A kill leaves the old file as it was, and at most a hidden file that ends in `.part`, which the next write replaces.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replacing(path: Path, *, contested: bool = False) -> Iterator[Path]:
    """Yields the path to write to. When the block ends, that file takes the place of `path`; if it raises, the file is
    removed. `contested`: several processes may write `path` at the same time, and the last one to finish wins.
    """
    writer = f".{os.getpid()}" if contested else ""
    part = path.with_name(f".{path.name}{writer}.part")
    try:
        yield part
        _sync(part)
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """The name of a new file is durable only once its folder is."""
    _sync(folder)


def make_folder(folder: Path) -> None:
    """Creates a folder, and those above it that are missing, durably."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir()
        sync_folder(folder.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
