"""Rows of arrays that are read repeatedly from first to last: in memory up to a bound, the rest in a temporary file.

The file has no name and vanishes when the process ends, however it ends. Arrays read from it are copies, so a reader
that changes some says which, and they are written back when it asks for the next row.
"""

import tempfile
import weakref
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from opilio.core.errors import StorageError

Array = npt.NDArray[Any]


class _Stored(NamedTuple):
    place: int
    kind: np.dtype[Any]
    length: int


class Spool:
    def __init__(self, memory_bytes: int) -> None:
        self._left_bytes = memory_bytes
        self._rows: list[tuple[Array, ...] | tuple[_Stored, ...]] = []
        self._file: IO[bytes] | None = None

    def append(self, *arrays: Array) -> None:
        self._left_bytes -= sum(array.nbytes for array in arrays)
        self._rows.append(arrays if self._left_bytes >= 0 else tuple(map(self._store, arrays)))

    def __len__(self) -> int:
        return len(self._rows)

    def array(self, row: int, index: int) -> Array:
        item = self._rows[row][index]
        return self._load(item) if isinstance(item, _Stored) else item

    def drop(self, row: int) -> None:
        """Frees the memory of a row that will not be read again."""
        self._rows[row] = ()

    def rows(self, *changed: int) -> Iterator[tuple[Array, ...]]:
        for row in self._rows:
            arrays = tuple(self._load(item) if isinstance(item, _Stored) else item for item in row)
            yield arrays
            for index in changed:
                item = row[index]
                if isinstance(item, _Stored):
                    self._write(item.place, arrays[index])

    def _store(self, array: Array) -> _Stored:
        if self._file is None:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed with the spool
            weakref.finalize(self, self._file.close)
        place = self._file.seek(0, 2)
        self._write(place, array)
        return _Stored(place, array.dtype, len(array))

    def _write(self, place: int, array: Array) -> None:
        assert self._file is not None
        try:
            self._file.seek(place)
            array.tofile(self._file)
        except OSError as error:
            raise StorageError(
                f"temporary files in {tempfile.gettempdir()} cannot be written ({error}): "
                "make room, name another folder in TMPDIR, or allow more memory"
            ) from error

    def _load(self, stored: _Stored) -> Array:
        assert self._file is not None
        self._file.seek(stored.place)
        return np.fromfile(self._file, stored.kind, stored.length)
