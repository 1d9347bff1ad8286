"""A crawl in the foreground, as the command line shows it: warnings, progress and what Ctrl-C does. Words go to stderr."""

from collections.abc import Sequence

import typer
from rich.console import Console

from opilio.ops.running import Running
from opilio.ops.watching import Status, Watch
from opilio.report.live import Progress


class Foreground(Watch):
    interval_s = 1.0

    def __init__(self, *, quiet: bool = False) -> None:
        self._console = Console(stderr=True, quiet=quiet)
        self._progress: Progress | None = None

    def note(self, notes: Sequence[str]) -> None:
        for note in notes:
            self._console.print(f"Note: {note}", markup=False, highlight=False, soft_wrap=True)

    def start(self, status: Status, warnings: Sequence[str], pages: int) -> None:
        for warning in warnings:
            self._console.print(f"Warning: {warning}", markup=False, highlight=False)
        self._progress = Progress(status, pages, self._console)
        self.interval_s = self._progress.interval_s
        self._progress.__enter__()

    def tick(self) -> None:
        if self._progress:
            self._progress.tick()

    def stopping(self) -> None:
        self._console.print("Stopping: finishing what is under way (Ctrl-C again stops at once).", highlight=False)

    def end(self) -> None:
        if self._progress:
            self._progress.__exit__()


def crawl_to_end(running: Running, *, quiet: bool) -> None:
    """Crawls, and says before what the operator should know, and afterwards where to look."""
    for warning in running.warnings:
        typer.echo(f"Warning: {warning}", err=True)
    reason, place = running.to_end(Foreground(quiet=quiet)), running.folder.path
    typer.echo(
        f"Stopped: {reason}.\n`opilio status {place}` shows more, `opilio export {place}` writes the corpus.", err=True
    )
