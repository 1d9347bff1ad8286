"""Files that the operator has named for what a verb writes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from opilio.core.errors import ConfigError, StorageError


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Yields the path. An error in writing becomes a message that tells the operator what to do."""
    try:
        yield path
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}. Choose another file.") from error


def output_path(output: str | Path) -> Path:
    """Returns the path of a file or folder that will be written. The folder above it has to exist, which is checked before
    the work begins: a mistyped one would be made, and its files be looked for elsewhere."""
    path = Path(output)
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"cannot write {path}: there is no folder {path.parent}. Create it, or choose another place.")
    return path
