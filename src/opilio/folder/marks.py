"""What the operator has said of pages: a table of its own, since it must outlive whatever a judge says later."""

import sqlite3
from typing import Final

MARK_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS marks (link INTEGER PRIMARY KEY, belongs INTEGER NOT NULL, marked_s REAL NOT NULL);
"""


class Marks:
    """All of them are in memory, since every page that is fetched asks: a person has typed them, so they are few."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute
        self._marks = {link: bool(belongs) for link, belongs in self._execute("SELECT link, belongs FROM marks")}

    def get(self, link: int) -> bool | None:
        return self._marks.get(link)

    def put(self, link: int, belongs: bool, now_s: float) -> None:
        self._marks[link] = belongs
        self._execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?)", (link, belongs, now_s))


def read_mark(connection: sqlite3.Connection, link: int) -> tuple[bool, float] | None:
    """Whether the page belongs, and when that was said. Folders that are older than marks have no table of them."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'marks'").fetchone() is None:
        return None
    row = connection.execute("SELECT belongs, marked_s FROM marks WHERE link = ?", (link,)).fetchone()
    return None if row is None else (bool(row[0]), float(row[1]))
