"""A model's file: a short head that is read at once, and arrays that are mapped into memory and read on access.

    magic 8 bytes, version, length and checksum of the head 4 bytes each, the head (JSON), then the arrays, each at a
    multiple of 64 bytes, all numbers little-endian

The map is shared: ten processes that open a model hold it in memory once. At every opening the file must be exactly as
long as the head says, and the checksums of head and arrays must match, because the kernels trust the arrays, and one
wrong number in them could crash the process. That reads the whole file, at about two gigabytes a second; `verify=False`
skips the arrays, for callers that have just checked them. A file appears under its name complete or not at all.
Checksums find damage, not malice: open only models that you trust.
"""

import mmap
import os
import struct
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from opilio.core.durable import replacing
from opilio.core.errors import ModelError, StorageError

from .kernels.slots import BUCKET
from .language_model import LanguageModel
from .vocabulary import Vocabulary

_MAGIC: Final = b"OPILIOlm"
_VERSION: Final = 1
_START: Final = struct.Struct("<8sIII")
_ALIGNMENT: Final = 64
_LEAST_WORDS: Final = 3  # the unknown word, and both ends of a sentence
_KINDS: Final[tuple[np.dtype[Any], ...]] = (np.dtype("<u1"), np.dtype("<i8"), np.dtype("<u8"), np.dtype("<u8"))


class _Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    smoothing: str
    counts: tuple[int, ...]
    sizes: tuple[int, ...]
    lengths: tuple[int, int, int, int]  # lengths of letters, offsets, word table and slots
    checksum: int  # checksum of these four arrays, one after another


def save_file(model: LanguageModel, path: Path) -> None:
    words = model.vocabulary
    arrays = (words.letters, words.offsets, words.table, model.slots)
    lengths = (len(words.letters), len(words.offsets), len(words.table), len(model.slots))
    head = _Head(model.smoothing, model.counts, tuple(model.sizes.tolist()), lengths, _checksum(arrays))
    text = msgspec.json.encode(head)
    start = _START.pack(_MAGIC, _VERSION, len(text), zlib.crc32(text)) + text
    try:
        _write(path, start, arrays)
    except OSError as error:
        raise StorageError(f"the language model {path} cannot be written: {error.strerror or error}") from error


def open_file(path: Path, *, verify: bool = True) -> LanguageModel:
    try:
        with path.open("rb") as file:
            head, length = _read_head(path, file.read(_START.size), file)
            expected = _places(length, head)[-1]
            if os.fstat(file.fileno()).st_size != expected:
                raise ModelError(
                    f"the language model {path} is not {expected} bytes long: it was cut off; copy it again"
                )
            # A private map gives writable arrays, because the kernels are compiled only for those; nothing is ever
            # written.
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    except OSError as error:
        raise ModelError(f"the language model {path} cannot be read: {error.strerror or error}") from error
    letters, offsets, table, slots = arrays = _map(mapping, head, length)
    if verify and _checksum(arrays) != head.checksum:
        raise ModelError(f"the language model {path} is damaged: its checksum does not match; train or copy it again")
    return LanguageModel(Vocabulary((letters, offsets, table)), slots, head.sizes, head.counts, head.smoothing)


def _read_head(path: Path, start: bytes, file: Any) -> tuple[_Head, int]:
    if len(start) < _START.size or not start.startswith(_MAGIC):
        raise ModelError(
            f"{path} is not a language model of Opilio: expected a file that `opilio lm train` or `opilio lm mix` wrote, or "
            "an ARPA file. Name another file, or train a model: opilio lm train"
        )
    _, version, length, checksum = _START.unpack(start)
    if version != _VERSION:
        raise ModelError(f"the language model {path} has format {version}, this version of Opilio reads {_VERSION}")
    text = file.read(length)
    if zlib.crc32(text) != checksum:
        raise ModelError(f"the language model {path} has a damaged head; train or copy it again")
    try:
        head = msgspec.json.decode(text, type=_Head)
    except msgspec.MsgspecError as error:
        raise ModelError(f"the language model {path} has a head that is not one: {error}; train it again") from error
    if not _is_consistent(head):
        raise ModelError(f"the language model {path} has a head that contradicts itself; train it again")
    return head, _START.size + length


def _is_consistent(head: _Head) -> bool:
    """Returns whether the kernels may believe the numbers. The file's length is compared with them afterwards."""
    return (
        0 < len(head.counts) == len(head.sizes)
        and min(*head.counts, *head.sizes, *head.lengths) >= 0
        and head.counts[0] >= _LEAST_WORDS
        and all(size > 0 and size % BUCKET == 0 for size in head.sizes)
        and all(count <= size for count, size in zip(head.counts, head.sizes, strict=True))
        and head.lengths[3] == 2 * sum(head.sizes)
        and head.lengths[1] == head.counts[0] + 1
        and head.lengths[2] // 2 > head.counts[0]  # a search in the table of words ends at an empty slot
        and head.lengths[2] % 2 == 0
    )


def _places(head_bytes: int, head: _Head) -> list[int]:
    """Returns where each array begins, and where the file ends."""
    places = [_aligned(head_bytes)]
    for kind, length in zip(_KINDS, head.lengths, strict=True):
        places.append(_aligned(places[-1] + kind.itemsize * length))
    return places


def _aligned(place: int) -> int:
    return -(-place // _ALIGNMENT) * _ALIGNMENT


def _map(mapping: mmap.mmap, head: _Head, head_bytes: int) -> list[npt.NDArray[Any]]:
    places = _places(head_bytes, head)
    return [
        np.frombuffer(mapping, kind, length, place)
        for kind, length, place in zip(_KINDS, head.lengths, places, strict=False)
    ]


def _checksum(arrays: Iterable[npt.NDArray[Any]]) -> int:
    checksum = 0
    for array in arrays:
        checksum = zlib.crc32(array.data, checksum)
    return checksum


def _write(path: Path, start: bytes, arrays: tuple[npt.NDArray[Any], ...]) -> None:
    with replacing(path, contested=True) as part, part.open("wb") as file:
        file.write(start.ljust(_aligned(len(start)), b"\0"))
        for array in arrays:
            file.write(array.data)
            file.write(bytes(_aligned(array.nbytes) - array.nbytes))
