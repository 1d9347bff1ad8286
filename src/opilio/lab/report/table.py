"""The lab's result as tables: a line per recipe, means with their 95 % intervals, the best one marked.

The oracle is never marked, because it knows the labels: it shows what is possible and does not compete."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from opilio.lab.experiment import Result
from opilio.lab.protocol import ORACLE
from opilio.lab.summary import Difference, Line, Mean, summarise
from opilio.report.tables import printable

from .columns import AGAINST, COST, GAIN, HARVEST, VERDICTS, Column
from .conditions import conditions

RULE: Final = (
    "R: the number of relevant pages. judge: what decides whether a page belongs; everything: every page does. ±: the 95 % "
    "interval of the mean, over topics, or over repetitions if there is one topic. *: the best, apart from the oracle, which "
    "knows the labels."
)
TEST: Final = (
    "Differences are paired, topic by topic and repetition by repetition. p: the share of all ways of flipping the signs of the "
    "differences (of the mean of each topic, if there are several) that give a mean as far from 0."
)


class Cell(NamedTuple):
    mean: str
    error: str = ""
    best: bool = False


class Section(NamedTuple):
    """A table: what it is about, its lines, and those of its columns for which there is a figure."""

    title: str
    lines: list[Line]
    columns: list[Column]
    value: Callable[[Line, Column], Mean | None]

    @property
    def legend(self) -> list[str]:
        """Returns the full names of the columns."""
        test = [TEST] if self.value is _difference else []
        return [f"{column.short}: {column.heading}. {column.meaning}" for column in self.columns] + test


def sections(lines: Sequence[Line]) -> list[Section]:
    """Returns the tables of one web, each narrow enough for a plain terminal if figures are few."""
    against = lines[0].against
    own = list(lines)
    kinds = (
        (_count(lines), own, HARVEST, _mean),
        (f"compared with {against}", [line for line in own if line.differences], AGAINST, _difference),
        ("what was gathered, and what it cost", own, COST, _mean),
        ("the verdicts on what was fetched", judging_lines(own), VERDICTS, _mean),
    )
    return [
        Section(
            f"{own[0].web}: {title}", of, [each for each in columns if any(value(line, each) for line in of)], value
        )
        for title, of, columns, value in kinds
        if of
    ]


def lab_tables(result: Result) -> Iterator[RenderableType]:
    """Yields tables, each with its conditions above, and with the full names of its columns below."""
    lines = summarise(result.runs, result.against, result.costs)
    for own in by_web(lines).values():
        for section in sections(own):
            yield Text(printable(f"{section.title}\n{conditions(result)}"))
            yield _table(section)
            yield Text("\n".join((*section.legend, "")))


def judging_lines(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if VERDICTS[0].figure in line.figures]


def _table(section: Section) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column("recipe", no_wrap=True)
    table.add_column("judge", overflow="fold")
    for column in section.columns:
        table.add_column(column.short, justify="right", no_wrap=True)
    for line in section.lines:
        shown = (f"{'*' if each.best else ''}{each.mean}\n{each.error}".rstrip() for each in cells(line, section))
        table.add_row(Text(printable(line.recipe)), Text(judges(line)), *(Text(each) for each in shown))
    return table


def judges(line: Line) -> str:
    return printable(", ".join(line.judges))


def by_web(lines: Sequence[Line]) -> dict[str, list[Line]]:
    return {web: [line for line in lines if line.web == web] for web in dict.fromkeys(line.web for line in lines)}


def cells(line: Line, section: Section) -> list[Cell]:
    """Returns the figures of a line, compared with the other lines."""
    best = {column: section.value is _mean and _is_best(line, section.lines, column) for column in section.columns}
    return [cell_of(section.value(line, column), column, best=best[column]) for column in section.columns]


def cell_of(mean: Mean | None, column: Column, *, best: bool = False) -> Cell:
    if mean is None:
        return Cell("-")
    is_difference = isinstance(mean, Difference)
    plain = column.style.removeprefix("+")
    half = "" if mean.high is None else f"±{(mean.high - mean.mean) * column.unit:{plain}}"
    error = f"{half}\np {mean.p:.3f}".strip() if isinstance(mean, Difference) else half
    return Cell(
        f"{mean.mean * column.unit:{'+' if is_difference else ''}{plain if is_difference else column.style}}",
        error,
        best,
    )


def _mean(line: Line, column: Column) -> Mean | None:
    return line.gain if column is GAIN else line.figures.get(column.figure)


def _difference(line: Line, column: Column) -> Mean | None:
    return line.differences.get(column.figure)


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
