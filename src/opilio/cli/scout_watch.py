"""A scout in the foreground, as the command line shows it. Words go to stderr."""

from pathlib import Path

import typer
from rich.console import Console

from opilio.core.counted import counted
from opilio.discover.standing import Standing
from opilio.ops.scout_run import Scouted
from opilio.ops.scouting import ScoutWatch
from opilio.report.scouting_live import ScoutProgress
from opilio.report.tables import printable


class ScoutForeground(ScoutWatch):
    def __init__(self, *, quiet: bool = False) -> None:
        self._console = Console(stderr=True, quiet=quiet)
        self._progress: ScoutProgress | None = None

    def start(self, standing: Standing) -> None:
        self._progress = ScoutProgress(standing, self._console)
        self.interval_s = self._progress.interval_s
        self._progress.start()

    def tick(self) -> None:
        if self._progress:
            self._progress.tick()

    def end(self) -> None:
        if self._progress:
            self._progress.end()

    def tell(self, scouted: Scouted, directory: Path) -> None:
        """Says what came of it, and where to look."""
        for source in scouted.sources:
            if source.error:
                typer.echo(f"opilio: {printable(source.error)}", err=True)
        new = sum(source.taken.new for source in scouted.sources)
        found = (
            f"{counted(new, 'new URL')} found with {counted(scouted.requests, 'request')}, " if scouted.sources else ""
        )
        end = "Stopped; the same command goes on." if scouted.stopped else "Done."
        typer.echo(
            f"{end} {found}{counted(scouted.probed, 'URL')} probed.\n`opilio scout ls {directory}` lists the seeds, "
            f"`opilio scout stats {directory}` shows what each source is worth.",
            err=True,
        )
