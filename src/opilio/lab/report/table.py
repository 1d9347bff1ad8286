"""The lab's result as tables: a line per recipe, means with their standard errors, the best one marked.

The oracle is never marked, because it knows the labels: it shows what is possible and does not compete."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from opilio.lab.protocol import ORACLE
from opilio.lab.summary import Line, Mean
from opilio.report.tables import printable

from .columns import COST, GAIN, HARVEST, VERDICTS, Column


class Cell(NamedTuple):
    mean: str
    error: str = ""
    best: bool = False


RULE: Final = "R is the number of relevant pages. * is the best apart from the oracle, which knows the labels."


class Section(NamedTuple):
    """A table: what it is about, its lines, and those of its columns for which there is a figure."""

    title: str
    lines: list[Line]
    columns: list[Column]


def sections(lines: Sequence[Line]) -> list[Section]:
    """Returns the tables of one web, each narrow enough for a plain terminal."""
    kinds = (
        (_count(lines), list(lines), HARVEST),
        ("what was gathered, and what it cost", list(lines), COST),
        ("the verdicts on what was fetched", judging_lines(lines), VERDICTS),
    )
    return [
        Section(f"{lines[0].web}: {title}", own, [each for each in columns if any(_mean(line, each) for line in own)])
        for title, own, columns in kinds
        if own
    ]


def lab_tables(lines: Sequence[Line]) -> Iterator[RenderableType]:
    """Yields tables, and below each the full names of its columns."""
    for own in by_web(lines).values():
        for section in sections(own):
            yield _table(section)
            yield Text("\n".join((*(column.legend for column in section.columns), "")))


def judging_lines(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if VERDICTS[0].figure in line.figures]


def _table(section: Section) -> Table:
    table = Table(
        title=printable(section.title), title_justify="left", box=None, padding=(0, 1, 0, 0)
    )  # fmt: skip
    table.add_column("recipe", no_wrap=True)
    for column in section.columns:
        table.add_column(column.short, justify="right", no_wrap=True)
    for line in section.lines:
        shown = (f"{'*' if each.best else ''}{each.mean}\n{each.error}" for each in cells(line, section))
        table.add_row(Text(printable(line.recipe)), *(Text(each) for each in shown))
    return table


def by_web(lines: Sequence[Line]) -> dict[str, list[Line]]:
    return {web: [line for line in lines if line.web == web] for web in dict.fromkeys(line.web for line in lines)}


def cells(line: Line, section: Section) -> list[Cell]:
    """Returns the figures of a line, compared with the other lines."""
    best = {column: _is_best(line, section.lines, column) for column in section.columns}
    return [cell_of(_mean(line, column), column, best=best[column]) for column in section.columns]


def cell_of(mean: Mean | None, column: Column, *, best: bool = False) -> Cell:
    if mean is None:
        return Cell("-")
    error = "" if mean.error is None else f"±{mean.error * column.unit:{column.style.removeprefix('+')}}"
    return Cell(f"{mean.mean * column.unit:{column.style}}", error, best)


def _mean(line: Line, column: Column) -> Mean | None:
    return line.gain if column is GAIN else line.figures.get(column.figure)


def _is_best(line: Line, lines: Sequence[Line], column: Column) -> bool:
    means = {each.recipe: _mean(each, column) for each in lines if each.recipe != ORACLE}
    rivals = [mean.mean for mean in means.values() if mean is not None]
    own = means.get(line.recipe)
    if own is None or min(rivals) == max(rivals):
        return False
    return own.mean == (min if column.lowest else max)(rivals)


def _count(lines: Sequence[Line]) -> str:
    topics, runs = lines[0].topics, max(line.runs for line in lines)
    return (
        f"{topics:,} {'topic' if topics == 1 else 'topics'}, {runs:,} {'run' if runs == 1 else 'runs'} of each recipe"
    )
