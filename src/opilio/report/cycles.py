"""What cycles came to, for the terminal and as a chart."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from opilio.folder.cycles import Cycle

from .tables import printable

_NUMBER: Final = "{x:,g}"
_DATE_WIDTH: Final = len("2026-03-14")
_MINUTE: Final = len("2026-03-14T12:00")


def cycle_tables(cycles: Sequence[Cycle]) -> Iterator[RenderableType]:
    yield _added(cycles)
    if any(cycle.perplexities for cycle in cycles):
        yield _perplexities(cycles)
    yield _weights(cycles)
    if cycles and cycles[-1].lessons:
        yield _lessons(cycles)
        yield _words(cycles[-1])


def draw_cycles(cycles: Sequence[Cycle], path: Path) -> bool:
    """Draws what cycles added, perplexities and weights by age. Returns False where matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        return False
    figure = Figure(figsize=(10, 7), layout="constrained")
    FigureCanvasAgg(figure)  # without pyplot there is no global state and no window
    ((added, types), (perplexities, weights)) = figure.subplots(2, 2)
    numbers = [cycle.number for cycle in cycles]
    _panel(added, "New words of text", numbers, [("", [cycle.new_tokens for cycle in cycles])])
    _panel(types, "New different words", numbers, [("", [cycle.new_types for cycle in cycles])])
    guided = [cycle for cycle in cycles if cycle.perplexities]
    lines = [("lower tenth", 1), ("median", 5), ("upper tenth", 9)]
    curves = [(name, [cycle.perplexities[place] for cycle in guided]) for name, place in lines]
    _panel(perplexities, "Perplexity of pages", [cycle.number for cycle in guided], curves)
    if guided:
        perplexities.set(yscale="log", ylim=(1, None))
        perplexities.yaxis.set_major_formatter(_NUMBER)
    ages = mean_weights(cycles)
    _panel(weights, "Mean weight of a model", list(ages), [("", list(ages.values()))], "age in cycles")
    figure.savefig(path, format="png", dpi=120, metadata={"Software": None})
    return True


def mean_weights(cycles: Sequence[Cycle]) -> dict[int, float]:
    """Returns the mean weight of models in the current mixtures by their age, over the cycles that could have one so old."""
    oldest = max((cycle.number - min(cycle.current) for cycle in cycles), default=0)
    return {
        age: sum(cycle.current.get(cycle.number - age, 0.0) for cycle in able) / len(able)
        for age in range(oldest + 1)
        if (able := [cycle for cycle in cycles if cycle.number >= age])
    }


def _panel(
    axes: Any,
    title: str,
    across: Sequence[int],
    curves: Sequence[tuple[str, Sequence[float]]],
    unit: str = "cycle",
) -> None:
    for name, values in curves:
        axes.plot(across, values, marker="o", markersize=3, label=name)
    axes.set_title(title, loc="left", fontsize="medium")
    axes.set_xlabel(unit, fontsize="small")
    axes.set_ylim(0, 1.1 * max((max(values) for _, values in curves if values), default=1.0) or 1.0)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.yaxis.set_major_formatter(_NUMBER)
    axes.spines[["top", "right"]].set_visible(False)
    if len(curves) > 1:
        axes.legend(frameon=False, fontsize="small")


def _added(cycles: Sequence[Cycle]) -> Table:
    table = _table(
        "What each cycle added", "cycle", "ended", "pages", "kept", "new", "new tokens", "new types", "refused"
    )
    table.columns[1].min_width = _DATE_WIDTH  # on a narrow terminal the time goes into a line of its own
    for one in cycles:
        table.add_row(
            f"{one.number}", one.ended[:_MINUTE].replace("T", " "), f"{one.pages:,}", f"{one.documents:,}",
            f"{one.new_documents:,}", f"{one.new_tokens:,}", f"{one.new_types:,}", f"{one.garbage:,}",
        )  # fmt: skip
    return table


def _perplexities(cycles: Sequence[Cycle]) -> Table:
    table = _table(
        "Perplexity of pages under what earlier cycles found", "cycle", "mean", "lower tenth", "median", "upper tenth"
    )
    for one in cycles:
        if one.perplexities:
            shown = (one.mean_perplexity, *(one.perplexities[place] for place in (1, 5, 9)))
            table.add_row(f"{one.number}", *(f"{value:,.0f}" for value in shown))
    return table


def _weights(cycles: Sequence[Cycle]) -> Table:
    table = _table(
        "Models",
        "cycle",
        "perplexity of the development text",
        "merged",
        "merged tokens",
        "weights by cycle, the newest first",
    )
    for one in cycles:
        weights = ", ".join(f"{number}: {weight:.2f}" for number, weight in sorted(one.current.items(), reverse=True))
        table.add_row(
            f"{one.number}",
            f"{one.perplexity_alone:,.0f}",
            f"{one.perplexity_merged:,.0f}",
            f"{one.model_tokens:,}",
            weights,
        )
    return table


def _lessons(cycles: Sequence[Cycle]) -> Table:
    table = _table("What the lead learned", "cycle", "after pages", "accuracy", "F(High)")
    for one in cycles:
        for lesson in one.lessons:
            table.add_row(f"{one.number}", f"{lesson.pages:,}", f"{lesson.accuracy:.2f}", f"{lesson.f_high:.2f}")
    return table


def _words(cycle: Cycle) -> Table:
    table = _table(f"Words that decide each class, in cycle {cycle.number}", "class", "words", left=(0, 1))
    for name, words in cycle.lessons[-1].words.items():
        table.add_row(name, Text(printable(", ".join(words)), overflow="fold"))
    return table


def _table(title: str, *columns: str, left: Sequence[int] = ()) -> Table:
    table = Table(title=title, title_justify="left")
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place in left else "right")
    return table
