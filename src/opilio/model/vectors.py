"""Static word vectors: terms as places in a space of meanings, so that "plumage" is near "feathers".

A table has a vector for each piece of a word. Opilio does not ship one: it reads the table of the package `wordllama` (the
extra `vectors`) without importing it, or any folder of model2vec. A term's vector is the mean of its pieces', which are
found by taking the longest known piece again and again; on terms of seven characters this finds as good pieces as the
tokenizer that belongs to the table, and needs no tokenizer.

Each term is looked up once in a process. After that a page of 400 different terms costs less than 0.1 ms.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from opilio.core.errors import ModelError

Vector = NDArray[np.float32]
NO_VECTORS: Final = "none"
_PACKAGE: Final = "wordllama"
_START: Final = "\u2581"  # stands before the first piece of a word
_STARTS: Final = (_START, "\u0120")  # how tokenizers write it
_CONTINUATION: Final = "##"  # some mark the other pieces instead
_LONGEST_PIECE: Final = 16
_MOST_TERMS: Final = 400_000
_TYPES: Final = {"F16": "<f2", "F32": "<f4"}
_LENGTH_BYTES: Final = 8  # at the beginning of a safetensors file: how long its head is


class Vectors:
    def __init__(self, table: NDArray[Any], pieces: dict[str, int]) -> None:
        self.size = table.shape[1]
        self._table = np.concatenate([table, np.zeros((1, table.shape[1]), table.dtype)])
        self._pieces, self._nothing = pieces, len(table)
        self._known: dict[str, int] = {}
        self._rows = np.zeros((1024, table.shape[1]), np.float32)

    def of(self, terms: Collection[str]) -> Vector:
        """Returns one row for each term; 0 for a term without known pieces."""
        if len(self._known) > _MOST_TERMS:
            self._known.clear()
        try:
            places = self._places(terms)
        except KeyError:
            self._learn([term for term in terms if term not in self._known])
            places = self._places(terms)
        return self._rows.take(places, 0)

    def _places(self, terms: Collection[str]) -> NDArray[np.intp]:
        return np.fromiter(map(self._known.__getitem__, terms), np.intp, len(terms))

    def _learn(self, terms: Sequence[str]) -> None:
        first = len(self._known)
        self._known.update(zip(terms, range(first, first + len(terms)), strict=True))
        while len(self._known) > len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        divided = [self._divide(term) or [self._nothing] for term in terms]
        pieces = self._table[[piece for each in divided for piece in each]].astype(np.float32)
        sizes = [len(each) for each in divided]
        sums = np.add.reduceat(pieces, np.cumsum([0, *sizes[:-1]]))
        self._rows[first : len(self._known)] = sums / np.array(sizes, np.float32)[:, None]

    def _divide(self, term: str) -> list[int]:
        rest, found = _START + term, []
        while rest:
            end = min(len(rest), _LONGEST_PIECE)
            while end and rest[:end] not in self._pieces:
                end -= 1
            if end:
                found.append(self._pieces[rest[:end]])
            rest = rest[end or 1 :]
        return found


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
    if any(
        piece.startswith(_STARTS) for piece in named
    ):  # first, because "##" is also a heading, and so a piece of its own
        return {_START + piece[1:] if piece.startswith(_STARTS) else piece: row for piece, row in named.items()}
    return {_bare(piece): row for piece, row in named.items()}


def _bare(piece: str) -> str:
    return piece.removeprefix(_CONTINUATION) if piece.startswith(_CONTINUATION) else _START + piece
