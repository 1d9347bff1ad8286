"""What every benchmark returns: a table and goals, shown for people or as JSON.

Rules: a figure comes with its unit and its goal; a goal is met or missed, with nothing in between. The table and the
goals are data and go to stdout; notes are words and go to stderr.
"""

import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .chart import Chart, CurveChart, EffectChart

Cell = str | int | float | None
_WIDTH: Final = 160
_CPU_FACTS: Final = Path("/proc/cpuinfo")


@dataclass(frozen=True, slots=True)
class Goal:
    name: str
    figure: float
    goal: float
    unit: str
    at_least: bool = True  # False: the figure must not be above the goal

    @property
    def met(self) -> bool:
        return self.figure >= self.goal if self.at_least else self.figure <= self.goal


@dataclass(frozen=True, slots=True)
class Report:
    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    goals: Sequence[Goal]
    notes: Sequence[str] = ()
    chart: Chart | CurveChart | EffectChart | None = None

    @property
    def met(self) -> bool:
        return all(goal.met for goal in self.goals)

    def as_json(self) -> str:
        tree: dict[str, Any] = {
            "benchmark": self.name,
            "machine": machine(),
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
            "goals": [asdict(goal) | {"met": goal.met} for goal in self.goals],
            "notes": list(self.notes),
        }
        return msgspec.json.format(msgspec.json.encode(tree)).decode()

    def show(self, data: Console, words: Console) -> None:
        """Prints the table and a line per goal to `data`, the rest to `words`."""
        table = Table(title=f"bench {self.name}", title_justify="left")
        for place, column in enumerate(self.columns):
            table.add_column(column, justify="right" if place else "left")
        for row in self.rows:
            table.add_row(*(Text(show_cell(cell)) for cell in row))
        if not data.is_terminal:
            data.width = max(data.width, _WIDTH)  # a file has no edge to fold at
        data.print(table)
        for goal in self.goals:
            data.print(_goal_line(goal), soft_wrap=True)
        for note in self.notes:
            words.print(Text(note), soft_wrap=True)


def machine() -> dict[str, str | int]:
    """Describes what a figure depends on besides the program."""
    from opilio import __version__

    return {
        "system": platform.platform(terse=True),
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
        "opilio": __version__,
    }


def show_cell(cell: Cell) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    return f"{cell:,.2f}" if isinstance(cell, float) else f"{cell:,}"


def _goal_line(goal: Goal) -> Text:
    bound = "at least" if goal.at_least else "at most"
    verdict = Text("met", style="green") if goal.met else Text("missed", style="red")
    figures = f"{show_cell(goal.figure)} {goal.unit} (goal: {bound} {show_cell(goal.goal)})"
    return Text.assemble(f"{goal.name}: {figures}: ", verdict)


def _processor() -> str:
    """Returns the kernel's name for it where there is one; `platform` often knows only the architecture."""
    if _CPU_FACTS.exists():
        for line in _CPU_FACTS.read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
