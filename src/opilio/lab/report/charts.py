"""Pictures of an experiment: harvest curves with bands, over fetches and over simulated time; harvest at R,
relevant hosts and bytes. One PNG for each web and kind.

It needs matplotlib (extra "charts"), which is imported only to draw. A curve's band is its 95 % interval, as in the table;
fetches are counted in shares of the budget, and simulated seconds are divided by R, so that topics of all sizes can be compared.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

from opilio.lab.protocol import BASELINES, ORACLE, Run
from opilio.lab.summary import Line, Mean, mean_of, summarise

_STEPS: Final = 50
_BASELINE_COLOURS: Final = {BASELINES[0]: "#bab0ac", BASELINES[1]: "#79706e", ORACLE: "#111111"}
COLOURS: Final = (
    "#f58518", "#4c78a8", "#54a24b", "#e45756", "#b279a2", "#9d755d", "#72b7b2", "#eeca3b", "#ff9da6", "#83bcb6",
)  # fmt: skip
_BARS: Final = (
    ("harvest_at_r", "harvest", "Relevant pages among the first R fetches, as a share of R"),
    ("seconds_per_relevant", "wait", "Simulated seconds per relevant page, up to R fetches"),
    ("hosts", "hosts", "Hosts with a relevant page that was fetched"),
    ("bytes_per_relevant", "bytes", "Bytes downloaded for each relevant page"),
)


def draw_charts(runs: Sequence[Run], folder: Path) -> list[Path]:
    """Returns the files that were drawn; none if matplotlib is not installed."""
    files = []
    for web in dict.fromkeys(run.web for run in runs):
        own = [run for run in runs if run.web == web]
        for name, draw in _pictures(own):
            path = folder / f"{web}-{name}.png"
            files += [path] if save_chart(path, draw) else []
    return files


def save_chart(path: Path, draw: Callable[[Any], None], height: float = 4.5) -> bool:
    """Lets `draw` fill the axes, and saves the picture. Returns False if matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        return False
    figure = Figure(figsize=(8, height), layout="constrained")
    FigureCanvasAgg(figure)  # without pyplot there is no global state and no window
    axes = figure.add_subplot()
    draw(axes)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120, metadata={"Software": None})
    return True


def _pictures(runs: Sequence[Run]) -> Iterator[tuple[str, Any]]:
    colours = _colours(list(dict.fromkeys(run.recipe for run in runs)))
    yield "curves", lambda axes: _curves(axes, runs, colours)
    if any(run.time_curve for run in runs):
        yield "time", lambda axes: _over_time(axes, runs, colours)
    lines = summarise(runs)
    for figure, name, title in _BARS:
        if any(figure in line.figures for line in lines):
            yield name, lambda axes, figure=figure, title=title: _bars(axes, lines, figure, title, colours)


def _curves(axes: Any, runs: Sequence[Run], colours: dict[str, str]) -> None:
    _draw_curves(axes, runs, colours, [step / _STEPS for step in range(_STEPS + 1)], _height)
    axes.set_xlabel("fetches, as a share of the budget")
    axes.set_title(f"{runs[0].web}: harvest while the budget is spent", loc="left")


def _over_time(axes: Any, runs: Sequence[Run], colours: dict[str, str]) -> None:
    """Draws up to the time at which the slower half of the crawls is still at work: beyond it, curves would say little."""
    last = median(run.time_curve[-1][0] / run.relevant for run in runs if run.time_curve)
    _draw_curves(axes, runs, colours, [last * step / _STEPS for step in range(_STEPS + 1)], _height_at)
    axes.set_xlabel("simulated seconds, divided by R")
    axes.set_title(f"{runs[0].web}: harvest while time passes", loc="left")


def _draw_curves(
    axes: Any, runs: Sequence[Run], colours: dict[str, str], places: list[float], height: Callable[[Run, float], float]
) -> None:
    highest = 0.0
    for recipe, colour in colours.items():
        own = [run for run in runs if run.recipe == recipe]
        points = [mean for place in places if (mean := mean_of([(run.topic, height(run, place)) for run in own]))]
        means = [point.mean for point in points]
        highest = max(highest, *means)
        axes.plot(places, means, color=colour, label=recipe, linestyle="--" if recipe == ORACLE else "-")
        low, high = ([m + s * _half(p) for m, p in zip(means, points, strict=True)] for s in (-1, 1))
        axes.fill_between(places, low, high, color=colour, alpha=0.1, linewidth=0)
    axes.set_ylim(0, 1.1 * highest)  # intervals of few topics would flatten the curves
    axes.set_ylabel("relevant pages fetched, as a share of R")
    axes.legend(frameon=False, fontsize="small")


def _half(mean: Mean) -> float:
    """Returns half the width of the interval."""
    return 0.0 if mean.high is None else mean.high - mean.mean


def _height(run: Run, share: float) -> float:
    """Returns the value of the harvest curve at a share of the budget; it is constant after the end of the crawl."""
    return _value(run.curve, share * run.budget) / run.relevant


def _height_at(run: Run, seconds: float) -> float:
    """Returns the value at that many simulated seconds, divided by R."""
    return _value(run.time_curve, seconds * run.relevant) / run.relevant


def _value(curve: Sequence[tuple[float, int]], place: float) -> int:
    return curve[bisect_right(curve, place, key=lambda point: point[0]) - 1][1]


def _bars(axes: Any, lines: Sequence[Line], figure: str, title: str, colours: dict[str, str]) -> None:
    shown = [line for line in lines if figure in line.figures]
    names = [line.recipe for line in shown]
    means = [line.figures[figure].mean for line in shown]
    errors = [_half(line.figures[figure]) for line in shown]
    axes.barh(names, means, xerr=errors, color=[colours[name] for name in names], ecolor="#444444", capsize=3)
    for place, (mean, error) in enumerate(zip(means, errors, strict=True)):
        axes.annotate(f"  {mean:,.0f}" if mean >= 100 else f"  {mean:.3g}", (mean + error, place), va="center")
    axes.margins(x=0.15)
    axes.xaxis.set_major_formatter(lambda value, _place: f"{value:,.0f}" if value >= 100 else f"{value:g}")
    axes.invert_yaxis()
    axes.set_title(f"{shown[0].web}: {title}", loc="left", fontsize="medium")


def _colours(recipes: Sequence[str]) -> dict[str, str]:
    """Returns a colour for each recipe; baselines and oracle always have the same."""
    compared = [recipe for recipe in recipes if recipe not in _BASELINE_COLOURS]
    chosen = {recipe: COLOURS[place % len(COLOURS)] for place, recipe in enumerate(compared)}
    return {recipe: chosen.get(recipe) or _BASELINE_COLOURS[recipe] for recipe in recipes}
