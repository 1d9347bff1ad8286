"""Charts drawn into a PNG: bars, one figure per name; curves in panels; or effects with their errors. This needs
matplotlib (extra "charts"), which is imported when something is drawn.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any, Final

_COLOUR: Final = "#4c78a8"
_FIRST_COLOUR: Final = "#f58518"  # ours comes first
_COLOURS: Final = (_FIRST_COLOUR, _COLOUR, "#54a24b", "#b0b0b0", "#e45756")


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    unit: str
    bars: tuple[tuple[str, float], ...]  # ours first


@dataclass(frozen=True, slots=True)
class Panel:
    title: str
    unit: str
    curves: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]  # name and points; ours first
    across: str = ""  # what only this panel has on its horizontal axis, which then is linear


@dataclass(frozen=True, slots=True)
class CurveChart:
    title: str
    across: str  # what all panels have on their horizontal axis
    panels: tuple[Panel, ...]  # two in a row
    logarithmic: bool = False  # the horizontal axis


@dataclass(frozen=True, slots=True)
class EffectBlock:
    title: str
    names: tuple[str, ...]
    columns: tuple[tuple[tuple[float, float], ...], ...]  # each has effect and standard error for every name


@dataclass(frozen=True, slots=True)
class EffectChart:
    title: str
    unit: str
    columns: tuple[str, ...]
    blocks: tuple[EffectBlock, ...]  # one below the other, each with a scale of its own


def draw(chart: Chart | CurveChart | EffectChart, path: Path) -> bool:
    """Writes the chart. Returns False where matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    make: Callable[..., Any] = Figure
    if isinstance(chart, Chart):
        figure = _bars(chart, make)
    else:
        figure = _curves(chart, make) if isinstance(chart, CurveChart) else _effects(chart, make)
    FigureCanvasAgg(figure)  # no pyplot: nothing global, no window
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)
    return True


def _bars(chart: Chart, make: Callable[..., Any]) -> Any:
    figure = make(figsize=(8, 1.2 + 0.5 * len(chart.bars)), layout="constrained")
    axes = figure.add_subplot()
    names = [name for name, _ in chart.bars]
    colours = [_FIRST_COLOUR, *[_COLOUR] * (len(names) - 1)]
    drawn = axes.barh(names, [value for _, value in chart.bars], color=colours)
    axes.bar_label(drawn, [f"{value:,.0f}" if value >= 100 else f"{value:.3g}" for _, value in chart.bars], padding=3)
    axes.margins(x=0.12)
    axes.invert_yaxis()
    axes.set_xlabel(chart.unit)
    axes.set_title(chart.title, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _curves(chart: CurveChart, make: Callable[..., Any]) -> Any:
    from matplotlib.ticker import EngFormatter, NullFormatter

    rows = ceil(len(chart.panels) / 2)
    legend = max((panel for panel in chart.panels if not panel.across), key=lambda panel: len(panel.curves))
    figure = make(figsize=(10, 0.6 + 2.8 * rows), layout="constrained")
    figure.suptitle(chart.title)
    for place, panel in enumerate(chart.panels):
        axes = figure.add_subplot(rows, min(2, len(chart.panels)), place + 1)
        for (name, points), colour in zip(panel.curves, _COLOURS, strict=False):
            axes.plot(*zip(*points, strict=True), label=name, color=colour, marker="o", markersize=3)
        if chart.logarithmic and not panel.across:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(EngFormatter(sep=""))
            axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_title(panel.title, loc="left", fontsize="medium")
        axes.set_ylabel(panel.unit)
        axes.spines[["top", "right"]].set_visible(False)
        if panel.across:
            axes.set_ylim(bottom=0)  # leaves room for its legend
        if panel.across or place >= len(chart.panels) - 2:
            axes.set_xlabel(panel.across or chart.across)
        if panel is legend or panel.across:
            axes.legend(frameon=False, fontsize="small")
    return figure


def _effects(chart: EffectChart, make: Callable[..., Any]) -> Any:
    sizes = [len(block.names) for block in chart.blocks]
    figure = make(figsize=(10, 1.6 + 0.24 * sum(sizes)), layout="constrained")
    figure.suptitle(chart.title)
    figure.supxlabel(chart.unit, fontsize="medium")
    panels = figure.subplots(len(sizes), len(chart.columns), squeeze=False, height_ratios=sizes)
    for row, (block, line) in enumerate(zip(chart.blocks, panels, strict=True)):
        for place, (axes, points) in enumerate(zip(line, block.columns, strict=True)):
            for name, (effect, error) in zip(block.names, points, strict=True):
                sure = abs(effect) > 2 * error
                colour = _COLOURS[3] if not sure else _COLOURS[4] if effect < 0 else _COLOURS[2]
                axes.errorbar(effect, name, xerr=error, fmt="o", color=colour, markersize=4)
            axes.axvline(0, color="black", linewidth=0.8)
            axes.grid(axis="y", linewidth=0.3)
            axes.margins(y=1 / (2 * len(points) + 2))
            axes.invert_yaxis()
            title = block.title if row else f"{chart.columns[place]}\n{block.title}"
            axes.set_title(title, loc="left", fontsize="medium")
            axes.tick_params(axis="y", labelleft=not place, length=0, labelsize="small")
            axes.spines[["top", "right", "left"]].set_visible(False)
    return figure
