"""`opilio bench lead`: what a lead costs for each page of 50 links, and whether its memory stops growing as links become many.

Each lead has a process of its own and sees the same stream of judged pages. The row of breadth first, which learns nothing
and looks at nothing, is what the stream itself takes. Memory is read after every tenth of the pages.
"""

import json
import subprocess
import sys
from importlib.metadata import entry_points
from typing import Any, Final

from . import Progress
from .form import Cell, Goal, Report
from .lead_stream import LINKS

_LEARNED: Final = "learned"
_PLAIN: Final = "breadth-first"
_LEADS: Final = (_PLAIN, "quality", "preemptive", _LEARNED)
_COLUMNS: Final = (
    "lead",
    "links seen",
    "targets",
    "learn ms/page",
    "score ms/page",
    "again ms/page",
    "together ms/page",
    f"times {_LEARNED}",
    "save ms/page",
    "MB at 1/10",
    "MB at 5/10",
    "MB at the end",
)
_MOST_MB: Final = 400  # above breadth first, however many links there are
_STILL_MB: Final = 10  # more than this from the middle to the end is growth


def run(pages: int = 20_000, seed: int = 7, progress: Progress | None = None) -> Report:
    """20,000 pages are a million links and take about two minutes."""
    installed = {entry.name for entry in entry_points(group="opilio.leads")}
    leads = [name for name in _LEADS if name in installed]
    figures: dict[str, dict[str, Any]] = {}
    for name in leads:
        figures[name] = _child(name, pages, seed)
        if progress is not None:
            progress(len(figures), len(leads))
    return Report(
        "lead",
        _COLUMNS,
        [_row(name, pages, figures) for name in leads],
        _goals(figures) if _LEARNED in figures else [],
        ["again: open links scored once more; where a lead wants all of them, as many as a frontier would hold"],
    )


def _child(name: str, pages: int, seed: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "opilio.bench.lead_child", name, str(pages), str(seed)]
    figures: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return figures


def _row(name: str, pages: int, figures: dict[str, dict[str, Any]]) -> list[Cell]:
    own = figures[name]
    cpu, memory = own["cpu_ms"], own["memory_mb"]
    ratio = _together(own) / _together(figures[_LEARNED]) if _LEARNED in figures else None
    parts = [round(cpu[part], 3) for part in ("learn", "score", "again")]
    return [
        name, pages * LINKS, own["targets"], *parts, round(_together(own), 3), ratio, round(cpu["save"], 3),
        memory[0], memory[len(memory) // 2 - 1], memory[-1],
    ]  # fmt: skip


def _together(figures: dict[str, Any]) -> float:
    cpu: dict[str, float] = figures["cpu_ms"]
    return cpu["learn"] + cpu["score"] + cpu["again"]


def _goals(figures: dict[str, dict[str, Any]]) -> list[Goal]:
    own, plain = figures[_LEARNED]["memory_mb"], figures[_PLAIN]["memory_mb"]
    growth = own[-1] - own[len(own) // 2 - 1]
    return [
        Goal(f"{_LEARNED}: learning and scoring", _together(figures[_LEARNED]), 1.0, "ms/page", at_least=False),
        Goal(f"{_LEARNED}: memory", own[-1] - plain[-1], _MOST_MB, "MB above breadth first", at_least=False),
        Goal(f"{_LEARNED}: memory from the middle to the end", growth, _STILL_MB, "MB", at_least=False),
    ]
