"""Texts that are read into a model, with their progress."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from opilio.core.errors import ConfigError
from opilio.model.texts import read_texts
from opilio.model.words import to_lines

Progress = Callable[[str, float], None]  # the name of the step, and the share of it that is done
_STEP_BYTES: Final = 1 << 18  # between two calls of progress, since a call costs more than reading a piece


class Reading:
    def __init__(self, files: Sequence[Path], name: str, progress: Progress = lambda _name, _share: None) -> None:
        self._files, self._name, self._progress = files, name, progress
        self._sizes = [file.stat().st_size if file.is_file() else 0 for file in files]
        self._shown = 0
        self.words = 0  # a lower bound: of a long piece only the beginning is counted

    def lines(self, *, raw: bool, clean: bool) -> Iterator[str]:
        if raw and clean:
            raise ConfigError("--raw takes lines as they are and --clean changes them: give one of the two.")
        for piece in self.pieces():
            lines = piece if raw else to_lines(piece, clean=clean)
            self.words += len(lines[:1_000].split())
            yield lines

    def pieces(self) -> Iterator[str]:
        for number, file in enumerate(self._files):
            yield from read_texts(file, partial(self._show, sum(self._sizes[:number])))

    def _show(self, before: int, done: int) -> None:
        if before + done >= self._shown + _STEP_BYTES:
            self._shown = before + done
            self._progress(self._name, self._shown / max(1, sum(self._sizes)))
