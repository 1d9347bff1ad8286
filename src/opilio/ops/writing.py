"""Files that the operator has named for what a verb writes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from opilio.core.errors import ConfigError, StorageError

STANDARD_OUTPUT: Final = Path("-")


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Yields the path. An error in writing becomes a message that tells the operator what to do."""
    try:
        yield path
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}. Choose another file.") from error


def output_path(output: str | Path, *, streams: bool = False) -> Path:
    """Returns the path of a file that will be written, `STANDARD_OUTPUT` only for a verb that streams."""
    path = Path(output)
    if path == STANDARD_OUTPUT and not streams:
        raise ConfigError("this verb cannot write to standard output; name a file.")
    if not path.name:
        raise ConfigError(f'"{output}" is not the name of a file.')
    return output_folder(path)


def output_folder(output: str | Path) -> Path:
    """Returns the path of a folder that will be written. The folder above it has to exist, which is checked before the work
    begins: a mistyped one would be made, and its files be looked for elsewhere."""
    path = Path(output)
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"cannot write {path}: there is no folder {path.parent}. Create it, or choose another place.")
    return path
