"""Reads (with the help of `arpa_reader`) and writes ARPA, the text format in which n-gram models are exchanged.

Reading fills gaps: if a file has an n-gram but not its context or its suffix, as after pruning by some programs, the
missing one gets the probability that backing off would give it, so that every score stays the same. Writing gives nine
digits, enough to read the same numbers back, to a temporary file that is renamed at the end. A file whose name ends in
.gz is written compressed; a compressed file is recognised by its first bytes.
"""

import contextlib
import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from opilio.core.durable import replacing
from opilio.core.errors import ModelError, StorageError
from opilio.core.unpacked import UNPACKING_ERRORS, unpacked

from .arpa_reader import ArpaReader, Section
from .build import build_model
from .counts import WordStream
from .estimate import Estimate
from .kernels.mixing import EMPTY
from .language_model import LanguageModel

_BATCH_ROWS: Final = 1 << 16  # n-grams formatted at a time
_HALF_BITS: Final = np.uint64(32)
_LOW_HALF: Final = np.uint64(0xFFFFFFFF)


def read_arpa(path: str | Path) -> LanguageModel:
    path = Path(path)
    try:
        with path.open("rb") as file:
            vocabulary, sections = ArpaReader(path, unpacked(file)).read()
    except UNPACKING_ERRORS as error:
        raise ModelError(f"the ARPA file {path} cannot be read: {error}") from error
    estimates = list(_fill_gaps(sections))
    counts = [len(vocabulary), *(len(estimate.grams) for estimate in estimates[1:])]
    return build_model(vocabulary, counts, estimates, "arpa")


def write_arpa(model: LanguageModel, path: str | Path) -> None:
    path = Path(path)
    special = path.exists() and not path.is_file()  # such as a pipe, which cannot be replaced
    try:
        with (
            contextlib.nullcontext(path) if special else replacing(path.resolve()) as place,
            gzip.open(place, "wb", 6) if path.suffix == ".gz" else place.open("wb") as file,
        ):
            for part in _parts(model):
                file.write(part)
    except OSError as error:
        raise StorageError(f"the ARPA file {path} cannot be written: {error.strerror or error}") from error


def _fill_gaps(sections: Sequence[Section]) -> Iterator[Estimate]:
    """Passes all n-grams of the file through the code that counts n-grams, which also numbers all their parts."""
    stream = WordStream(1 << 62)
    for section in sections[1:]:
        stream.append(np.pad(section.ids, ((0, 0), (0, 1)), constant_values=-1).ravel())
    last = Estimate(np.empty(0, np.uint64), _single(sections[0].log10), _single(sections[0].backoffs))
    yield last
    start = 0
    for order, section in enumerate(sections[1:], 2):
        grams, suffixes = stream.climb()
        stop = start + len(section.ids) * (order + 1)
        nodes = stream.nodes()[start + order - 1 : stop : order + 1]
        start = stop
        reached = nodes >= 0  # false only for those with <s> after the first word, which cannot occur
        log10 = (last.backoffs[grams >> _HALF_BITS] + last.log10[suffixes]).astype(np.float32)
        log10[nodes[reached]] = section.log10[reached]
        backoffs = np.zeros_like(log10)
        backoffs[nodes[reached]] = section.backoffs[reached]
        last = Estimate(grams, log10, backoffs)
        yield last


def _single(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    return values.astype(np.float32)


def _parts(model: LanguageModel) -> Iterator[bytes]:
    yield b"\\data\\\n" + b"".join(b"ngram %d=%d\n" % item for item in enumerate(model.counts, 1))
    words = model.vocabulary.words()
    floats = model.slots.view(np.float32)
    for order in range(1, model.order + 1):
        yield b"\n\\%d-grams:\n" % order
        line = b"%.9g\t%s\t%.9g\n" if order < model.order else b"%.9g\t%s\n"
        for slots in _filled(model, order):
            grams = zip(*([words[word] for word in column] for column in _columns(model, slots, order)), strict=True)
            values = [floats[4 * slots + 2].tolist(), floats[4 * slots + 3].tolist()][: 1 + (order < model.order)]
            rows = zip(values[0], map(b" ".join, grams), *values[1:], strict=True)
            yield b"".join([line % row for row in rows])
    yield b"\n\\end\\\n"


def _filled(model: LanguageModel, order: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yields the slots of an order's n-grams, in batches."""
    start = int(model.starts[order - 1])
    stop = start + int(model.sizes[order - 1]) if order > 1 else model.counts[0]
    for first in range(start, stop, _BATCH_ROWS):
        slots = np.arange(first, min(first + _BATCH_ROWS, stop))
        yield slots if order == 1 else slots[model.slots[2 * slots] != EMPTY]


def _columns(model: LanguageModel, slots: npt.NDArray[Any], order: int) -> list[list[int]]:
    """Returns the n-grams' words, one list for each position."""
    columns = []
    for _ in range(order - 1):
        keys = model.slots[2 * slots]
        columns.append((keys & _LOW_HALF).tolist())
        slots = (keys >> _HALF_BITS).astype(np.int64)
    columns.append(slots.tolist())
    return columns[::-1]
