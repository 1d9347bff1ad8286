"""Rows of a label and words, wrapped to the terminal's width with a hanging indent.

Rules: a label that comes again is not repeated. Widths are columns of the terminal: some characters take two. A URL is never
broken, so that it can be copied whole: one that is longer than its column stands on a line of its own, which the terminal wraps.
A line is not broken at a fixed space, which is shown as a plain one. Page-derived text is shown without anything that controls
a terminal.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from rich.cells import cell_len, chop_cells
from rich.text import Text

from .tables import FIXED_SPACE, printable

_MARGIN: Final = "  "
_LEAST: Final = 20  # columns of words, however narrow the terminal is


def labelled_lines(rows: Sequence[tuple[str, str]], width: int, *, bold: str = "") -> Iterator[Text]:
    """Words may have several lines. Those of the label `bold` are printed bold."""
    column = max(len(label) for label, _ in rows) + len(_MARGIN)
    room = max(_LEAST, width - column)
    said = ""
    for label, words in rows:
        for line in chain.from_iterable(wrap(each, room) for each in printable(words).split("\n")):
            shown, said = ("" if label == said else label).ljust(column), label
            plain = line.replace(FIXED_SPACE, " ")
            yield Text.assemble((shown, "bold cyan"), (plain, "bold" if label == bold else ""))


def wrap(text: str, width: int) -> Iterator[str]:
    """Breaks a text into lines by the columns that its characters take on a terminal. Only a URL may be longer."""
    return fill(chain.from_iterable(_pieces(word, width) for word in text.split(" ")), width)


def fill(words: Iterator[str], width: int) -> Iterator[str]:
    line = next(words)
    for word in words:
        if cell_len(line) + 1 + cell_len(word) > width:
            yield line
            line = word
        else:
            line += f" {word}"
    yield line


def _pieces(word: str, width: int) -> list[str]:
    return [word] if "://" in word or cell_len(word) <= width else chop_cells(word, width)
