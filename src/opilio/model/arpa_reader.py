"""Parses the lines of an ARPA file. An error names the line."""

from collections.abc import Iterable, Iterator
from math import inf, nan
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from opilio.core.errors import ModelError

from .training import MOST_ORDER
from .vocabulary import Vocabulary

_MISSING_LOG10: Final = -100.0  # of a special word that the file lacks: next to impossible, but finite


class Section(NamedTuple):
    """The n-grams of one order as they are in the file, with numbers for words."""

    ids: npt.NDArray[np.int32]
    log10: npt.NDArray[np.float64]
    backoffs: npt.NDArray[np.float64]


class ArpaReader:
    def __init__(self, path: Path, lines: Iterable[bytes]) -> None:
        self._path = path
        self._lines = self._stripped(lines)
        self._number = 0
        self._words: dict[bytes, int] = {b"<unk>": 0, b"<s>": 1, b"</s>": 2}

    def read(self) -> tuple[Vocabulary, list[Section]]:
        counts = self._counts()
        sections = [self._words_section(counts[0])]
        vocabulary = self._vocabulary()
        self._words[b"<UNK>"] = 0  # some programs use this name
        for order, count in enumerate(counts[1:], 2):
            sections.append(self._section(order, count))
        self._expect(b"\\end\\")
        return vocabulary, sections

    def _vocabulary(self) -> Vocabulary:
        vocabulary = Vocabulary()
        try:
            vocabulary.learn(b" ".join(self._words).decode("utf-8", "surrogatepass"))
        except UnicodeDecodeError:
            raise ModelError(f"the ARPA file {self._path} is not in UTF-8; convert it first") from None
        if len(vocabulary) != len(self._words):
            raise ModelError(f"the ARPA file {self._path} has words with control characters in them; clean it first")
        return vocabulary

    def _stripped(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Skips empty lines, which mean nothing."""
        for self._number, line in enumerate(lines, 1):
            if stripped := line.strip():
                yield stripped

    def _counts(self) -> list[int]:
        self._expect(b"\\data\\")
        counts: list[int] = []
        for line in self._lines:
            if line == b"\\1-grams:":
                break
            name, _, count = line.partition(b"=")
            if name.split() != [b"ngram", b"%d" % (len(counts) + 1)] or not count.strip().isdigit():
                raise self._error(f"expected “ngram {len(counts) + 1}=” and a number")
            counts.append(int(count))
        if not 1 <= len(counts) <= MOST_ORDER:
            raise self._error(f"its order is {len(counts)}; Opilio reads 1 to {MOST_ORDER}")
        return counts

    def _words_section(self, count: int) -> Section:
        values = {0: (_MISSING_LOG10, 0.0), 1: (_MISSING_LOG10, 0.0), 2: (_MISSING_LOG10, 0.0)}
        for log10, (word,), backoff in self._grams(1, count):
            name = b"<unk>" if word == b"<UNK>" else word
            values[self._words.setdefault(name, len(self._words))] = (log10, backoff)
        log10s, backoffs = np.array(list(values.values())).T
        return Section(np.arange(len(values), dtype=np.int32)[:, None], log10s, backoffs)

    def _section(self, order: int, count: int) -> Section:
        self._expect(b"\\%d-grams:" % order)
        ids: list[int] = []
        log10s: list[float] = []
        backoffs: list[float] = []
        for log10, words, backoff in self._grams(order, count):
            try:
                ids += [self._words[word] for word in words]
            except KeyError as error:
                word = error.args[0].decode("utf-8", "replace")
                raise self._error(f"“{word}” is not among the 1-grams") from None
            log10s.append(log10)
            backoffs.append(backoff)
        return Section(np.array(ids, np.int32).reshape(-1, order), np.array(log10s), np.array(backoffs))

    def _grams(self, order: int, count: int) -> Iterator[tuple[float, list[bytes], float]]:
        for _ in range(count):
            fields = next(self._lines, b"").split()
            if not order < len(fields) <= order + 2:
                raise self._error(f"expected one of {count} {order}-grams: a number, {order} words, perhaps a number")
            try:
                log10 = float(fields[0])
                backoff = float(fields[order + 1]) if len(fields) > order + 1 else 0.0
            except ValueError:
                log10 = backoff = nan
            if not (log10 < inf and backoff < inf):  # false for nan, too
                raise self._error("a log10 probability or back-off is not a number")
            yield log10, fields[1 : order + 1], backoff

    def _expect(self, line: bytes) -> None:
        if next(self._lines, b"") != line:
            raise self._error(f"expected {line.decode()}")

    def _error(self, cause: str) -> ModelError:
        return ModelError(f"the ARPA file {self._path} cannot be read, line {self._number}: {cause}")
