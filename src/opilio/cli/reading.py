"""Texts on their way into a model, with a bar on stderr that shows how far they are."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from opilio.core.errors import ConfigError
from opilio.model.texts import read_texts
from opilio.model.words import to_lines

_STEP_BYTES: Final = 1 << 18


class Reading:
    def __init__(self, files: Sequence[Path], name: str) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
        console = Console(stderr=True)
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._files = files
        self._sizes = [file.stat().st_size if file.is_file() else 0 for file in files]
        self._task = self._bar.add_task(name, total=sum(self._sizes) or None)
        self._shown = 0
        self.words = 0  # of the lines, at least: a piece of many words is not counted to the end

    def __enter__(self) -> "Reading":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

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
        if (
            before + done >= self._shown + _STEP_BYTES
        ):  # a JSON line is a piece too, and drawing costs more than reading it
            self._shown = before + done
            self._bar.update(self._task, completed=self._shown)

    def step(self, name: str, done: float) -> None:
        """What follows the reading, where nobody counts bytes."""
        if done > 0:
            self._bar.update(self._task, description=name, completed=done, total=1.0)
