"""The result of `lab judge` as tables: a line for each way of giving samples, then a line for each topic."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

from opilio.lab.summary import POOLED
from opilio.lab.verdicts.job import JudgeRun
from opilio.lab.verdicts.summary import Comparison, JudgeLine, by_topic, differences, falls, summarise
from opilio.report.tables import printable

from .columns import Column
from .table import Cell, cell_of

COLUMNS: Final = (
    Column("precision", "prec", "precision"),
    Column("recall", "recall", "recall"),
    Column("f1", "F1", "F1 at the judge's own line"),
    Column("best_f1", "best", "F1 at the best line"),
    Column("auc", "AUC", "AUC"),
    Column("calibration_error", "ECE", "calibration error, points", ".1f"),
    Column("kept", "kept", "pages kept", ",.0f"),
    Column("relevant", "R", "relevant pages", ",.0f"),
    Column("strangers", "others", "texts of other topics that belong", ".3f"),
    Column("fellows", "own", "the topic's other texts that belong", ".2f"),
)
LEGEND: Final = (
    "prec, recall, F1: precision, recall and F1 of what the judge keeps of all pages, after it has met them. best: F1 at the "
    "line that would have been best. AUC: probability that a relevant page has the higher score. ECE: calibration error of "
    "the scores, ten bins, in points. kept: pages. R: relevant pages. others: share of the texts of other topics that belong "
    "before any page is met. own: the same for the topic's other texts. met: F1 of the verdicts that were given while "
    "the pages were met."
)


def judge_tables(runs: Sequence[JudgeRun]) -> Iterator[Table]:
    lines = summarise(runs)
    means = _table("Means of the topics", "samples", [(_name(line, lines), line) for line in lines])
    means.caption = _pooled(lines)
    yield means
    topics = by_topic(runs)
    for line in lines if len(topics) > 1 else ():
        found = [(topic, own) for topic, others in topics.items() for own in others if own.group == line.group]
        yield _table(_name(line, lines), "topic", [(_short(topic, [*topics]), own) for topic, own in found])
    yield from _comparisons(
        "What only one of two forms keeps, as a share of what either keeps", differences(runs), ".1%"
    )
    yield from _comparisons("By how much F1 falls with more samples", falls(runs), "+.3f")


def judge_cells(line: JudgeLine) -> list[Cell]:
    return [cell_of(line.figures.get(column.figure), column) for column in COLUMNS]


def _table(title: str, first: str, rows: Sequence[tuple[str, JudgeLine]]) -> Table:
    table = _empty(title)
    table.add_column(first, overflow="fold")
    for heading in (*(column.short for column in COLUMNS), "met"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, line in rows:
        shown = [f"{cell.mean}\n{cell.error}".rstrip() for cell in judge_cells(line)]
        table.add_row(Text(printable(name)), *map(Text, shown), Text(f"{line.meeting_f1:.3f}"))
    return table


def _pooled(lines: Sequence[JudgeLine]) -> Text:
    """A column for it would not fit into 80 columns."""
    errors = "; ".join(f"{_name(line, lines)} {line.figures[POOLED].mean:.1f}" for line in lines)
    return Text(printable(f"Calibration error of the pages of all runs put together, in points: {errors}."))


def _name(line: JudgeLine, lines: Sequence[JudgeLine]) -> str:
    """Returns the way of giving samples, with web and recipe if there are several."""
    webs, recipes = ({getattr(each.group, field) for each in lines} for field in ("web", "recipe"))
    web = f"{line.group.web}: " if len(webs) > 1 else ""
    return f"{web}{line.group.way.name}{f', {line.group.recipe}' if len(recipes) > 1 else ''}"


def _short(topic: str, topics: Sequence[str]) -> str:
    """Returns the last part of a topic's name, if no other topic has the same."""
    last = [each.rpartition(".")[2] for each in topics]
    name = topic.rpartition(".")[2]
    return name if last.count(name) == 1 else topic


def _comparisons(title: str, found: Iterator[Comparison], style: str) -> Iterator[Table]:
    table = _empty(title)
    for heading in ("samples", "mean", "most"):
        table.add_column(heading, overflow="fold")
    for each in found:
        row = (
            f"{each.one.name} – {each.other.name}",
            f"{each.mean.mean:{style}}",
            f"{each.most[1]:{style}} {each.most[0]}",
        )
        table.add_row(*(Text(printable(cell)) for cell in row))
    if table.row_count:
        yield table


def _empty(title: str) -> Table:
    return Table(title=printable(title), title_justify="left", caption_justify="left", box=None, padding=(0, 1, 0, 0))
