"""Bars: one figure per name, drawn into a PNG. Needs matplotlib (extra "charts"), imported when something is drawn."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

_COLOUR: Final = "#4c78a8"
_FIRST_COLOUR: Final = "#f58518"  # ours stands first


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    unit: str
    bars: tuple[tuple[str, float], ...]  # ours first


def draw(chart: Chart, path: Path) -> bool:
    """Writes the chart; False where matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(8, 1.2 + 0.5 * len(chart.bars)), layout="constrained")
    FigureCanvasAgg(figure)  # no pyplot: nothing global, no window
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
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)
    return True
