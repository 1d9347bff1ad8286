"""A map from 64-bit fingerprints to row numbers that holds tens of millions of entries in 12 bytes each.

Old entries live in two parallel sorted arrays, searched by bisection (about 1 µs a key in batches); new ones in a
dict that is merged into the arrays when it is full. A merge copies everything, so memory briefly peaks at twice the
size of the arrays: 10 million entries take 120 MB, and 240 MB while merging.

The arrays can be saved and loaded in one read. The file is only a cache of what the database knows: its head carries
magic, version, count and checksum, and a file that does not fit is ignored and rebuilt by the caller.
"""

import struct
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from .durable import replacing

_HEAD: Final = struct.Struct("<8sIQQI")  # magic, version, entries, highest row, crc of the arrays
_MAGIC: Final = b"OPILIOfp"
_VERSION: Final = 1


class FingerprintMap:
    def __init__(self, merge_at: int = 200_000) -> None:
        self._keys: npt.NDArray[np.int64] = np.empty(0, np.int64)
        self._rows: npt.NDArray[np.uint32] = np.empty(0, np.uint32)
        self._recent: dict[int, int] = {}
        self._merge_at = merge_at

    def __len__(self) -> int:
        return len(self._keys) + len(self._recent)

    def find(self, keys: Sequence[int]) -> list[int]:
        """Returns the row of each key, 0 for unknown keys."""
        recent = self._recent
        rows = [recent.get(key, 0) for key in keys]
        if len(self._keys) and 0 in rows:
            wanted = np.array(keys, np.int64)
            at = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
            old = np.where(self._keys[at] == wanted, self._rows[at], 0).tolist()
            rows = [row or known for row, known in zip(rows, old, strict=True)]
        return rows

    def add(self, key: int, row: int) -> None:
        """Row numbers start at 1; the key must be new."""
        self._recent[key] = row
        if len(self._recent) >= self._merge_at:
            self._merge()

    def extend(self, entries: Iterable[tuple[int, int]]) -> None:
        for key, row in entries:
            self.add(key, row)

    def save(self, path: Path, highest_row: int) -> None:
        """Replaces the file in one step; call it only for rows that are committed."""
        self._merge()
        crc = _checksum(self._keys, self._rows, highest_row)
        with replacing(path) as part, part.open("wb") as out:
            out.write(_HEAD.pack(_MAGIC, _VERSION, len(self._keys), highest_row, crc))
            out.write(self._keys.data)
            out.write(self._rows.data)

    def load(self, path: Path, highest_row: int) -> int:
        """Reads what `save` wrote. Returns the highest row it covers, or 0 if the file is missing, damaged or newer."""
        if not path.exists():
            return 0
        with path.open("rb") as file:
            head = file.read(_HEAD.size)
            if len(head) < _HEAD.size:
                return 0
            magic, version, count, covered, crc = _HEAD.unpack(head)
            if (magic, version) != (_MAGIC, _VERSION) or covered > highest_row:
                return 0
            if path.stat().st_size != _HEAD.size + 12 * count:  # checked before a damaged count allocates memory
                return 0
            keys = np.fromfile(file, np.int64, count)
            rows = np.fromfile(file, np.uint32, count)
        if len(rows) != count or _checksum(keys, rows, covered) != crc:
            return 0
        self._keys, self._rows, self._recent = keys, rows, {}
        return int(covered)

    def _merge(self) -> None:
        if not self._recent:
            return
        keys = np.fromiter(self._recent.keys(), np.int64, len(self._recent))
        rows = np.fromiter(self._recent.values(), np.uint32, len(self._recent))
        self._recent = {}
        order = np.argsort(keys)
        keys, rows = keys[order], rows[order]
        at = np.searchsorted(self._keys, keys)
        self._rows = np.insert(self._rows, at, rows)
        self._keys = np.insert(self._keys, at, keys)


def _checksum(keys: npt.NDArray[np.int64], rows: npt.NDArray[np.uint32], highest_row: int) -> int:
    """Covers the highest row too: it decides which rows the caller will not read again from the database."""
    return zlib.crc32(rows.data, zlib.crc32(keys.data, zlib.crc32(highest_row.to_bytes(8, "little"))))
