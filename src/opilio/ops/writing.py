"""Files that the operator has named for a verb to write."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from opilio.core.errors import StorageError


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Gives the path back. A file that cannot be written is the operator's mistake, and is said as one."""
    try:
        yield path
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}. Choose another file.") from error
