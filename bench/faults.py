"""What hostile markup costs: processor time and memory for every case of thirteen classes, at four sizes, and a search for worse.

Each page is read in a process of its own. A page may cost 2 s and 150 MB at most, and time may grow no faster than the page:
eight times the size takes at most twelve times as long, half as much again being noise. The largest size is that of `size`
megabytes; `minutes` is how long the search takes (`faults_search`). A compression bomb of any coding may cost 100 ms and three
times the bound on decoded bytes.
"""

from typing import Final, NamedTuple

from . import Goal, Progress, Report
from .chart import CurveChart, Panel
from .faults_cost import (
    CODINGS,
    MOST_BOMB_MB,
    MOST_BOMB_S,
    MOST_CPU_S,
    MOST_MEMORY_MB,
    Cost,
    measure,
    measure_bomb,
    warm_up,
)
from .faults_grammar import Shape, cases
from .faults_search import Found, search

_STEPS: Final = (1, 2, 4, 8)
_MOST_GROWTH: Final = 1.5 * _STEPS[-1]
_CHEAP_CPU_S: Final = 0.3
_LEAST_CPU_S: Final = 0.1  # below which growth is noise


class Measured(NamedTuple):
    fault: str
    shape: Shape
    costs: tuple[Cost, ...]  # one for each size

    @property
    def worst(self) -> Cost:
        return Cost(max(cost.cpu_s for cost in self.costs), max(cost.memory_mb for cost in self.costs))

    @property
    def growth(self) -> float:
        first, last = self.costs[0].cpu_s, self.costs[-1].cpu_s
        return last / first if first and last > _LEAST_CPU_S else 0.0


def run(size: int = 5, minutes: int = 1, seed: int = 7, progress: Progress | None = None) -> Report:
    warm_up()
    sizes = [size * 1_000_000 * step // _STEPS[-1] for step in _STEPS]
    asked = [(fault, shape) for fault, shapes in cases().items() for shape in shapes]
    measured = []
    for done, (fault, shape) in enumerate(asked):
        measured.append(Measured(fault, shape, tuple(_least(shape.html(each)) for each in sizes)))
        if progress is not None:
            progress(done + 1, len(asked))
    found, tried = search(60.0 * minutes, seed)
    bombs = [measure_bomb(coding, role) for coding in CODINGS for role in ("page", "robots")]
    return Report(
        "faults",
        ("class", "cases", "CPU s", "memory MB", "growth", "worst case"),
        [_row(fault, [one for one in measured if one.fault == fault]) for fault in cases()],
        [*_goals(measured, found), *_bomb_goals(bombs)],
        [f"a search of {minutes} min tried {tried:,} pages; the worst by page and by byte:", *map(_told, found)],
        _chart(measured, sizes),
    )


def _least(html: str) -> Cost:
    """Returns what a page costs. Where that is little, other processes would be most of it: then the best of three counts, at
    every size alike."""
    cost = measure(html)
    return cost if cost.cpu_s > _CHEAP_CPU_S else min(cost, measure(html), measure(html))


def _row(fault: str, measured: list[Measured]) -> list[str | int | float]:
    worst = max(measured, key=lambda one: one.worst.share)
    cpu_s, memory_mb = max(one.worst.cpu_s for one in measured), max(one.worst.memory_mb for one in measured)
    return [fault, len(measured), cpu_s, memory_mb, max(one.growth for one in measured), _shown(worst.shape)]


def _goals(measured: list[Measured], found: list[Found]) -> list[Goal]:
    return [
        Goal("CPU, worst case", max(one.worst.cpu_s for one in measured), MOST_CPU_S, "s", at_least=False),
        Goal("memory, worst case", max(one.worst.memory_mb for one in measured), MOST_MEMORY_MB, "MB", at_least=False),
        Goal("time for 8 x the size", max(one.growth for one in measured), _MOST_GROWTH, "x", at_least=False),
        Goal("CPU, worst found", max(one.cost.cpu_s for one in found), MOST_CPU_S, "s", at_least=False),
        Goal("memory, worst found", max(one.cost.memory_mb for one in found), MOST_MEMORY_MB, "MB", at_least=False),
        Goal("cases in the smallest class", min(map(len, cases().values())), 10, "cases"),
    ]  # fmt: skip


def _bomb_goals(bombs: list[Cost]) -> list[Goal]:
    return [
        Goal("CPU, worst bomb", max(cost.cpu_s for cost in bombs), MOST_BOMB_S, "s", at_least=False),
        Goal("memory, worst bomb", max(cost.memory_mb for cost in bombs), MOST_BOMB_MB, "MB", at_least=False),
    ]


def _told(found: Found) -> str:
    kilobytes = found.size_bytes / 1000
    return f"{kilobytes:,.0f} kB, {found.cost.cpu_s:.2f} s, {found.cost.memory_mb:.0f} MB: {_shown(found.shape)}"


def _shown(shape: Shape) -> str:
    start = " ".join(f"{piece!r} x {times}" for piece, times in shape.start if piece)
    return f"{start} then {''.join(shape.unit)!r}".removeprefix(" then ")[:300]


def _chart(measured: list[Measured], sizes: list[int]) -> CurveChart:
    def panel(fault: str) -> Panel:
        slowest = sorted((one for one in measured if one.fault == fault), key=lambda one: -one.worst.cpu_s)[:3]
        curves = tuple(
            (
                _shown(one.shape)[:40].replace("$", ""),
                tuple((size / 1e6, cost.cpu_s) for size, cost in zip(sizes, one.costs, strict=True)),
            )
            for one in slowest
        )
        return Panel(fault, "CPU s", curves)

    return CurveChart("Time to read hostile markup grows like its length", "megabytes", tuple(map(panel, cases())))
