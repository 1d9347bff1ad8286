"""Charts drawn into a PNG: bars, one figure per name, or curves in panels. Needs matplotlib (extra "charts"), imported when
something is drawn."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any, Final

_COLOUR: Final = "#4c78a8"
_FIRST_COLOUR: Final = "#f58518"  # ours stands first
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


@dataclass(frozen=True, slots=True)
class CurveChart:
    title: str
    across: str  # what all panels have on their horizontal axis
    panels: tuple[Panel, ...]  # two in a row
    logarithmic: bool = False  # the horizontal axis


def draw(chart: Chart | CurveChart, path: Path) -> bool:
    """Writes the chart; False where matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    make: Callable[..., Any] = Figure
    figure = _bars(chart, make) if isinstance(chart, Chart) else _curves(chart, make)
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
    legend = max(chart.panels, key=lambda panel: len(panel.curves))
    figure = make(figsize=(10, 0.6 + 2.8 * rows), layout="constrained")
    figure.suptitle(chart.title)
    for place, panel in enumerate(chart.panels):
        axes = figure.add_subplot(rows, min(2, len(chart.panels)), place + 1)
        for (name, points), colour in zip(panel.curves, _COLOURS, strict=False):
            axes.plot(*zip(*points, strict=True), label=name, color=colour, marker="o", markersize=3)
        if chart.logarithmic:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(EngFormatter(sep=""))
            axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_title(panel.title, loc="left", fontsize="medium")
        axes.set_ylabel(panel.unit)
        axes.spines[["top", "right"]].set_visible(False)
        if place >= len(chart.panels) - 2:
            axes.set_xlabel(chart.across)
        if panel is legend:
            axes.legend(frameon=False, fontsize="small")
    return figure
