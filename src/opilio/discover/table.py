"""Any table with a column of URLs: CSV or TSV, as directories and spreadsheets export them.

Rules: what separates the cells is the character of tab, comma, semicolon and bar that the first line has most often.
The first line names the columns, unless one of its cells is a URL. A column is chosen by its name or by its number,
counting from 1; if the column of URLs is not chosen, it is the first that has one in the first row, or a name such as
"url". A cell in quotation marks may go on over several lines.
"""

import csv
import re
from collections.abc import Iterable, Sequence
from typing import ClassVar, Final

from opilio.core.languages import find_code
from opilio.core.url import is_url

from .file_source import FileSource
from .find import Find
from .source import SourceError
from .urls import with_scheme

_SEPARATORS: Final = ("\t", ",", ";", "|")
_NAMES: Final = re.compile(r"(?:url|uri|link|website|web ?site|homepage|address|domain|host)s?", re.IGNORECASE)
_MOST_CELL_LINES: Final = 1_000
Column = str | int


class Table(FileSource):
    name: ClassVar[str] = "table"

    def __init__(self, where: str = "", column: Column = "", language: Column = "", topic: Column = "") -> None:
        super().__init__(where)
        self._wanted = {"url": column, "language": language, "topic": topic}
        self._places: dict[str, int] | None = None  # of the columns; None before the first row
        self._separator = ""
        self._begun: list[str] = []  # lines of a row that is not complete
        self._row: list[str] = []  # that the last line has completed

    def learn(self, record: bytes) -> None:
        """Joins lines to rows, even those that were read before, and takes the names of the columns from the first one."""
        line = record.decode("utf-8-sig" if self._places is None else "utf-8", "replace").rstrip("\r")
        self._begun.append(line)
        text = "\n".join(self._begun)
        if text.count('"') % 2 and len(self._begun) < _MOST_CELL_LINES:
            self._row = []
            return
        self._begun = []
        self._separator = self._separator or max(_SEPARATORS, key=text.count)
        self._row = self._cells(text) if text.strip() else []
        if self._row and self._places is None:
            self._choose()

    def read(self, record: bytes) -> Iterable[Find]:  # noqa: ARG002  `learn` has read it
        url = self._cell("url").strip()
        if not url:
            return ()
        language = self._cell("language").strip()
        return [Find(with_scheme(url), self.where, find_code(language) or language, self._cell("topic").strip())]

    def _cells(self, text: str) -> list[str]:
        """Returns the cells of a row. One that cannot be read has none, unless it is the first, which all others depend on."""
        try:
            return next(csv.reader([text], delimiter=self._separator), [])
        except csv.Error as error:
            if self._places is None:
                raise SourceError(
                    f"{self.name}: {self.where} does not begin with a row of a table ({error}). Save it as CSV in UTF-8."
                ) from error
            return []

    def _cell(self, kind: str) -> str:
        place = (self._places or {}).get(kind, len(self._row))
        return self._row[place] if place < len(self._row) else ""

    def _choose(self) -> None:
        """Finds the columns by the first row. If it names them, it is not read."""
        row = [cell.strip() for cell in self._row]
        headed = not any(map(is_url, row))
        self._places = {kind: self._place(kind, column, row) for kind, column in self._wanted.items() if column != ""}
        if "url" not in self._places:
            self._places["url"] = self._guess(row)
        if headed:
            self._row = []

    def _place(self, kind: str, column: Column, row: Sequence[str]) -> int:
        number = int(column) if isinstance(column, int) or column.isdigit() else 0
        if 1 <= number <= len(row):
            return number - 1
        if column in row:
            return row.index(str(column))
        option = "column" if kind == "url" else kind
        raise SourceError(
            f"{self.name}: {self.where} has no column {column!r}. Its columns are {', '.join(row)}: choose one by its name or "
            f"its number with --set sources.table.{option}=…"
        )

    def _guess(self, row: Sequence[str]) -> int:
        for place, cell in enumerate(row):
            if is_url(cell) or _NAMES.fullmatch(cell):
                return place
        raise SourceError(
            f"{self.name}: which column of {self.where} has the URLs? Its columns are {', '.join(row)}: choose one by its name "
            "or its number with --set sources.table.column=…"
        )
