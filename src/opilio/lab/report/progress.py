"""Shows the progress of an experiment on stderr: a bar on a terminal, elsewhere a line for every tenth."""

import sys
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Plan(Protocol):
    """What will be run, and what the operator should know about it."""

    @property
    def jobs(self) -> Sequence[object]: ...

    @property
    def notes(self) -> Sequence[str]: ...


class Bar:
    """A progress bar; any thread may call `step`."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._console = Console(stderr=True, quiet=quiet, highlight=False)
        columns = (TextColumn("runs"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=self._console, transient=True, disable=not self._console.is_terminal)
        self._task = self._bar.add_task("runs", total=None)
        self._total = 1
        self._done = 0
        self._lock = Lock()

    def start(self, plan: Plan) -> Callable[[object], None]:
        """Says what was left out of the plan, and returns what to call after each run."""
        for note in plan.notes:
            print(f"opilio: {note}", file=sys.stderr)  # noqa: T201 - even where no progress is wanted
        self._total = len(plan.jobs)
        self._bar.update(self._task, total=self._total)
        return lambda _outcome: self.step()

    def __enter__(self) -> "Bar":
        self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.stop()

    def step(self) -> None:
        with self._lock:
            self._done += 1
            self._bar.update(self._task, completed=self._done)
            tenth = self._done * 10 // self._total > (self._done - 1) * 10 // self._total
            if tenth and not self._console.is_terminal:
                self._console.print(f"{self._done:,} of {self._total:,} runs")
