"""The lab's result as tables: a line per recipe, means with their standard errors, the best one marked.

The oracle is never marked, because it knows the labels: it shows what is possible and does not compete."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rich.table import Table
from rich.text import Text

from opilio.lab.protocol import ORACLE
from opilio.lab.summary import POOLED, Line, Mean
from opilio.report.tables import printable


class Column(NamedTuple):
    figure: str
    short: str  # heading in narrow tables
    heading: str
    style: str = ".3f"  # format of its numbers
    unit: float = 1.0
    lowest: bool = False  # the lowest value is the best


class Cell(NamedTuple):
    mean: str
    error: str = ""
    best: bool = False


GAIN: Final = Column("gain", "gain", "harvest over breadth-first", "+.3f")
COLUMNS: Final = (
    Column("harvest_at_r", "at R", "harvest at R"),
    GAIN,
    Column("harvest_at_2r", "at 2R", "harvest at 2R"),
    Column("auc", "area", "area under the curve"),
    Column("weighted_coverage", "WC", "tokens covered"),
    Column("held_out_recall", "recall", "held-out recall"),
    Column("bytes_per_relevant", "kB", "kB per relevant page", ",.0f", 1e-3, lowest=True),
    Column("hosts", "hosts", "relevant hosts", ",.1f"),
    Column("new_tokens_per_1000", "kept", "thousand new tokens per 1,000 fetches", ",.0f", 1e-3),
)
VERDICT_COLUMNS: Final = (
    Column("kept_precision", "precision", "precision of what is kept"),
    Column("kept_recall", "recall", "recall of what is kept"),
    Column("kept_f1", "F1", "F1 of what is kept"),
    Column("best_f1", "best F1", "F1 at the best line"),
    Column("calibration_error", "calibration", "calibration error, points", ".1f", lowest=True),
    Column(POOLED, "pooled", "calibration error of all pages together, points", ".1f", lowest=True),
)
LEGEND: Final = (
    "R: number of relevant pages. at R, at 2R: relevant among the first R, 2R fetches, by R. gain: at R, over breadth-first. "
    "area: under the curve, 1 is perfect. WC: tokens of relevant documents kept, by all there are. recall: of relevant "
    "pages that were not samples. kB: downloaded per relevant page. hosts: with a relevant page. kept: thousand new "
    "tokens per 1,000 fetches. *: best apart from the oracle, which knows the labels."
)
VERDICT_LEGEND: Final = (
    "What the judge did with all pages that were fetched, up to 2R. precision: relevant pages among those kept. recall: kept "
    "pages among the relevant ones fetched. F1: of both. best F1: at the line that would have been best for the same pages, by "
    "their scores. calibration: error of the scores as probabilities, ten bins, in points. pooled: the same of the pages of all "
    "topics put together."
)


def lab_tables(lines: Sequence[Line]) -> Iterator[Table]:
    """Yields tables for each web, narrow enough for a plain terminal: of all recipes, and of the verdicts of those that judge."""
    for web, own in by_web(lines).items():
        yield _table(f"{web}: {_count(own)}", own, COLUMNS)
        if judging := judging_lines(own):
            yield _table(f"{web}: the verdicts on what was fetched", judging, VERDICT_COLUMNS)


def judging_lines(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if VERDICT_COLUMNS[0].figure in line.figures]


def _table(title: str, lines: Sequence[Line], columns: Sequence[Column]) -> Table:
    table = Table(title=printable(title), title_justify="left", box=None, padding=(0, 1, 0, 0))
    table.add_column("recipe")
    for column in columns:
        table.add_column(column.short, justify="right", no_wrap=True)
    for line in lines:
        shown = (f"{'*' if cell.best else ''}{cell.mean}\n{cell.error}" for cell in cells(line, lines, columns))
        table.add_row(Text(printable(line.recipe)), *(Text(each) for each in shown))
    return table


def by_web(lines: Sequence[Line]) -> dict[str, list[Line]]:
    return {web: [line for line in lines if line.web == web] for web in dict.fromkeys(line.web for line in lines)}


def cells(line: Line, lines: Sequence[Line], columns: Sequence[Column] = COLUMNS) -> list[Cell]:
    """Returns the figures of a line, compared with the other lines of its web."""
    return [cell_of(_mean(line, column), column, best=_is_best(line, lines, column)) for column in columns]


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
