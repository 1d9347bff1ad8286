"""`bench lead`: what a lead costs for each page of 50 links, and whether its memory stops growing as links become many.

Each lead has a process of its own and sees the same stream of judged pages. The row of breadth first, which learns
nothing and looks at nothing, is the cost of the stream itself. Memory is that of a second process, which meets many
more links on pages of 500, so that 10 million take minutes and not an hour.
"""

from importlib.metadata import entry_points
from typing import Any, Final

from . import Progress
from .chart import CurveChart, Panel
from .child import measure_apart
from .form import Cell, Goal, Report
from .lead_child import POINTS
from .lead_stream import LINKS

_LEARNED: Final = "learned"
_BASELINE: Final = "breadth-first"
_LEADS: Final = (_BASELINE, "quality", "preemptive", _LEARNED)
_MEMORY_LEADS: Final = (_LEARNED, "quality", _BASELINE)  # whose memory is measured
_MEMORY_LINKS: Final = 500  # links on a page where memory is measured
_LEAST_PAGES: Final = 10  # such pages; with fewer the first of `POINTS` would come before the first page
_COLUMNS: Final = (
    "lead",
    "links met",
    "targets",
    "learn ms/page",
    "score ms/page",
    "again ms/page",
    "together ms/page",
    f"times {_LEARNED}",
    "save ms/page",
)
_MOST_MB: Final = 400  # above breadth first, however many links there are
_GROWTH_MB: Final = 10  # more than this from the middle to the end is growth


def run(pages: int = 20_000, urls: int = 10_000_000, seed: int = 7, progress: Progress | None = None) -> Report:
    """Cost is measured on `pages` of 50 links, memory over `urls` links (at least 5,000). It takes about ten minutes."""
    urls = max(_LEAST_PAGES * _MEMORY_LINKS, urls)
    installed = {entry.name for entry in entry_points(group="opilio.leads")}
    leads, filled = ([name for name in names if name in installed] for names in (_LEADS, _MEMORY_LEADS))
    costs: dict[str, dict[str, Any]] = {}
    memory: dict[str, list[float]] = {}
    for name in leads:
        costs[name] = _child(name, pages, seed, LINKS)
        if name in filled:
            memory[name] = _child(name, urls // _MEMORY_LINKS, seed, _MEMORY_LINKS)["memory_mb"]
        if progress is not None:
            progress(len(costs), len(leads))
    at = [round(point * urls) for point in POINTS]
    return Report(
        "lead",
        [*_COLUMNS, *(f"MB at {_short(links)}" for links in at)],
        [_row(name, pages, costs, memory.get(name)) for name in leads],
        _goals(costs[_LEARNED], memory) if _LEARNED in costs else [],
        [
            "again: open links scored once more; where a lead wants all of them, as many as a frontier would hold",
            f"MB: the most held until this many links were met, on pages of {_MEMORY_LINKS}",
        ],
        _chart([name for name in filled if name in memory], at, memory),
    )


def _child(name: str, pages: int, seed: int, links: int) -> dict[str, Any]:
    figures: dict[str, Any] = measure_apart("bench.lead_child", name, pages, seed, links)
    return figures


def _row(name: str, pages: int, costs: dict[str, dict[str, Any]], memory: list[float] | None) -> list[Cell]:
    cpu = costs[name]["cpu_ms"]
    ratio = _together(costs[name]) / _together(costs[_LEARNED]) if _LEARNED in costs else None
    parts = [round(cpu[part], 3) for part in ("learn", "score", "again")]
    together = round(_together(costs[name]), 3)
    held: list[Cell] = [*memory] if memory else [None] * len(POINTS)
    return [name, pages * LINKS, costs[name]["targets"], *parts, together, ratio, round(cpu["save"], 3), *held]


def _together(figures: dict[str, Any]) -> float:
    cpu: dict[str, float] = figures["cpu_ms"]
    return cpu["learn"] + cpu["score"] + cpu["again"]


def _goals(cost: dict[str, Any], memory: dict[str, list[float]]) -> list[Goal]:
    own, plain = memory[_LEARNED], memory[_BASELINE]
    return [
        Goal(f"{_LEARNED}: learning and scoring", _together(cost), 1.0, "ms/page", at_least=False),
        Goal(f"{_LEARNED}: memory", own[-1] - plain[-1], _MOST_MB, "MB above breadth first", at_least=False),
        Goal(f"{_LEARNED}: memory from the middle to the end", own[-1] - own[-2], _GROWTH_MB, "MB", at_least=False),
    ]


def _chart(names: list[str], at: list[int], memory: dict[str, list[float]]) -> CurveChart:
    curves = tuple((name, tuple(zip(map(float, at), memory[name], strict=True))) for name in names)
    return CurveChart("Memory of leads", "links met", (Panel("", "MB", curves),), logarithmic=True)


def _short(links: int) -> str:
    return f"{links / 1e6:g}M" if links >= 1_000_000 else f"{links:,}"
