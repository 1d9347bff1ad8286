"""Tables of figures about language models."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from .tables import printable


def rows_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Returns a table of rows that have the same columns."""
    table = Table(box=None)
    for name, value in rows[0].items() if rows else ():
        table.add_column(name.replace("_", " "), justify="left" if isinstance(value, str) else "right")
    for row in rows:
        table.add_row(*(Text(printable(show_value(value))) for value in row.values()))
    return table


def show_value(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(show_value, value))
    if isinstance(value, float):
        return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
