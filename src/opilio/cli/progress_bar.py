"""A bar on stderr that shows the progress of a verb; nothing is shown if stderr is not a terminal."""

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn


class ProgressBar:
    def __init__(self) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
        console = Console(stderr=True)
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("", total=1.0)

    def __enter__(self) -> "ProgressBar":
        self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.stop()

    def show(self, name: str, share: float) -> None:
        """Shows the share that is done. A share of 0 means that it is unknown, and changes nothing."""
        if share > 0:
            self._bar.update(self._task, description=name, completed=share)
