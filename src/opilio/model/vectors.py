"""Static word vectors: terms as places in a space of meanings, so that "plumage" is near "feathers".

A table has a vector for each piece of a word. Opilio does not ship one: it reads the table of the package `wordllama` (the
extra `vectors`) without importing it, or any folder of model2vec. A term's vector is the mean of its pieces', which are
found by taking the longest known piece again and again; on terms of seven characters this finds as good pieces as the
tokenizer that belongs to the table, and needs no tokenizer.

The pieces of a term are looked up once for an index. After that a page of 800 different terms costs 0.2 ms.
"""

from array import array
from collections.abc import Sequence
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from opilio.core.errors import ModelError

from .kernels.vectors import add, cut, hash_rows
from .similarity import Floats
from .term_index import Places, TermIndex

NO_VECTORS: Final = "none"
_PACKAGE: Final = "wordllama"
_START: Final = "\u2581"  # stands before the first piece of a word
_STARTS: Final = (_START, "\u0120")  # how tokenizers write it
_CONTINUATION: Final = "##"  # some mark the other pieces instead
_CACHED_ROWS: Final = (
    512  # of a table that are made smaller at a time: half a megabyte, which stays in the processor's cache
)
_LARGEST: Final = 127  # of the numbers that a table is kept with
_TYPES: Final = {"F16": "<f2", "F32": "<f4"}
_LENGTH_BYTES: Final = 8  # at the beginning of a safetensors file: how long its head is


class Vectors:
    def __init__(self, table: NDArray[Any], rows: dict[str, int]) -> None:
        """`rows` says in which row of the table each piece is. The table is kept with eight bits for a number, which changes no
        sum by more than a hundredth, and fits into the processor's cache."""
        self.scales: NDArray[np.float32] = np.empty(len(table), np.float32)
        self.table: NDArray[np.int8] = np.empty(table.shape, np.int8)
        for start in range(0, len(table), _CACHED_ROWS):
            part = slice(start, start + _CACHED_ROWS)
            numbers = np.array(table[part], np.float32)
            self.scales[part] = np.maximum(np.maximum(numbers.max(1), -numbers.min(1)), 1e-12) / _LARGEST
            numbers /= self.scales[part][:, None]
            self.table[part] = np.rint(numbers, out=numbers)
        self._rows = rows

    @property
    def size(self) -> int:
        return int(self.table.shape[1])

    def pieces(self, terms: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Returns the rows of the pieces of all terms, one term after the other, and where those of each term end."""
        points, ends = _joined([_START + term for term in terms])
        return cut(points, ends, self._hashed_rows)  # type: ignore[no-any-return]

    @cached_property
    def _hashed_rows(self) -> NDArray[np.uint64]:
        rows = np.fromiter(self._rows.values(), np.int64, len(self._rows))
        return hash_rows(*_joined(list(self._rows)), rows)  # type: ignore[no-any-return]


class IndexedVectors:
    """The vectors of the terms of an index, which may go on growing."""

    def __init__(self, vectors: Vectors, index: TermIndex) -> None:
        self._vectors, self._index, self._lock = vectors, index, Lock()
        self._pieces = array("i")  # those of all terms, one term after the other
        self._ends = array("q", [0])

    def sum(self, places: Places, weights: Floats) -> Floats:
        """Returns the weighted sum of the vectors of these terms; one without known pieces counts for nothing."""
        total = np.zeros(self._vectors.size, np.float32)
        with self._lock:
            if new := self._index.terms[len(self._ends) - 1 :]:
                pieces, ends = self._vectors.pieces(new)
                ends += len(self._pieces)
                self._pieces.frombytes(pieces.tobytes())
                self._ends.frombytes(ends.tobytes())
            ends, pieces = np.frombuffer(self._ends, np.int64), np.frombuffer(self._pieces, np.int32)
            add(places, weights.astype(np.float32), ends, pieces, self._vectors.table, self._vectors.scales, total)
            del ends, pieces  # what an array looks at cannot grow
        return total.astype(np.float64)


def find_vectors(name: str = "") -> Vectors | None:
    """Opens the table in a folder, or the installed one if no folder is named; None if there is none or none is wanted."""
    if name == NO_VECTORS:
        return None
    return _open(name) if name else _installed()


@lru_cache(maxsize=1)
def _installed() -> Vectors | None:
    spec = find_spec(_PACKAGE)  # does not import it
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place)
        for table in sorted(folder.glob("weights/*.safetensors")):
            for tokenizer in sorted(folder.glob("tokenizers/*.json")):
                return _read(table, tokenizer)
    return None


@lru_cache(maxsize=4)
def _open(folder: str) -> Vectors:
    return _read(Path(folder) / "model.safetensors", Path(folder) / "tokenizer.json")


def _read(table: Path, tokenizer: Path) -> Vectors:
    try:
        head = msgspec.json.decode(tokenizer.read_bytes())
        rows, pieces = _tensor(table), _pieces(head["model"]["vocab"])
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as error:
        raise ModelError(
            f"{table.parent} is not a folder of word vectors ({error}). Name one that has model.safetensors and "
            f'tokenizer.json, as model2vec writes them, or set judge.vectors = "{NO_VECTORS}".'
        ) from error
    return Vectors(rows, {piece: place for piece, place in pieces.items() if place < len(rows)})


def _tensor(path: Path) -> NDArray[Any]:
    """Maps the first matrix of a safetensors file into memory, where all processes share it."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
        head = msgspec.json.decode(file.read(min(length, 1 << 20)))
    matrix = next(each for each in head.values() if len(each.get("shape", ())) == 2 and each["dtype"] in _TYPES)
    start = _LENGTH_BYTES + length + matrix["data_offsets"][0]
    rows: NDArray[Any] = np.memmap(path, _TYPES[matrix["dtype"]], "r", start, tuple(matrix["shape"]))
    return rows


def _pieces(vocabulary: Any) -> dict[str, int]:
    """Maps pieces to rows, the first ones of words with the sign for a start before them."""
    named = vocabulary if isinstance(vocabulary, dict) else {piece: row for row, (piece, _) in enumerate(vocabulary)}
    # This is asked first, because "##" is also a heading, and so a piece of its own.
    if any(piece.startswith(_STARTS) for piece in named):
        return {_START + piece[1:] if piece.startswith(_STARTS) else piece: row for piece, row in named.items()}
    return {_bare(piece): row for piece, row in named.items()}


def _bare(piece: str) -> str:
    return piece.removeprefix(_CONTINUATION) if piece.startswith(_CONTINUATION) else _START + piece


def _joined(words: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Returns the code points of all words, and where those of each end."""
    points = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32)
    return points, np.cumsum(np.fromiter(map(len, words), np.int64, len(words)))
