"""Tables for the terminal. Page-derived text is shown as plain text: no markup, no control characters."""

from collections.abc import Iterable, Mapping
from typing import Final

from rich.table import Table
from rich.text import Text

FIXED_SPACE: Final = "\N{NO-BREAK SPACE}"
_HARMLESS: Final = f"\n{FIXED_SPACE}"


def two_columns(rows: Mapping[str, str] | Iterable[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2))
    for name, value in rows.items() if isinstance(rows, Mapping) else rows:
        table.add_row(Text(name, style="bold cyan"), Text(printable(value)))
    return table


def printable(text: str) -> str:
    """Replaces the characters that control a terminal."""
    return "".join(char if char.isprintable() or char in _HARMLESS else "�" for char in text)
