"""Errors in writing a file that the operator has named."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from opilio.core.errors import StorageError


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Yields the path. An error in writing becomes a message that tells the operator what to do."""
    try:
        yield path
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}. Choose another file.") from error
