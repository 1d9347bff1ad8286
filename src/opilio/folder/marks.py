"""What the operator has said of pages. It has a table of its own, because it must outlive whatever a judge says later."""

import sqlite3
from typing import Final, NamedTuple

MARK_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS marks (link INTEGER PRIMARY KEY, belongs INTEGER NOT NULL, marked_s REAL NOT NULL);
"""


class Mark(NamedTuple):
    belongs: bool
    marked_s: float


class Marks:
    """All marks are in memory, because every page that is fetched asks for its own. A person has typed them, so they are few."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute
        rows = self._execute("SELECT link, belongs, marked_s FROM marks")
        self._marks = {link: Mark(bool(belongs), marked_s) for link, belongs, marked_s in rows}

    def find(self, link: int) -> Mark | None:
        return self._marks.get(link)

    def get(self, link: int) -> bool | None:
        mark = self.find(link)
        return None if mark is None else mark.belongs

    def put(self, link: int, belongs: bool, now_s: float) -> None:
        self._marks[link] = Mark(belongs, now_s)
        self._execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?)", (link, belongs, now_s))
