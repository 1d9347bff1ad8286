"""Thresholds on the terminal: values in, a table out."""

from io import StringIO

from rich.console import Console

from opilio.folder import Thresholds
from opilio.report.thresholds import belonging, histogram, thresholds_table

NOW = Thresholds(0.5, None, 2_000.0, 8_000.0, 100_000.0, {"HIGH": 3, "MEDIUM": 20, "NORMAL": 1_000}, 7, 50, 12)


def _rows(table: object) -> list[list[str]]:
    console = Console(file=StringIO(), width=100)
    console.print(table)
    assert isinstance(console.file, StringIO)
    return [line.split() for line in console.file.getvalue().splitlines()]


def test_every_bucket_has_its_bound_and_its_links() -> None:
    assert _rows(thresholds_table(NOW))[-4:] == [
        ["HIGH", "up", "to", "2,000", "3"],
        ["MEDIUM", "up", "to", "8,000", "20"],
        ["NORMAL", "up", "to", "100,000", "1,000"],
        ["dropped", "above", "100,000", "7"],
    ]


def test_the_rule_that_decides_is_named() -> None:
    assert belonging(NOW) == "Pages belong from probability 0.5 on: 12 of 50 judged so far."
    other = Thresholds(0.5, 900.0, None, None, None, {}, 0, 0, 0)
    assert belonging(other).startswith("Pages belong up to perplexity 900:")


def test_bars_are_solid_for_pages_that_belong() -> None:
    rows = _rows(histogram([100.0, 100.0, 10_000.0], [True, False, False]))
    assert rows[-3:] == [["100", "2", "█" * 20 + "░" * 20], ["…"], ["10,000", "1", "░" * 20]]
