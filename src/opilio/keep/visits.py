"""The table of repeated visits: a row for each visit to a page that was fetched before, with what it found.

Rules:
* Only visits that tell whether a page has changed have an interval that counts (`SAME`, `CHANGED`). The others are noted.
* Validators are those of the last answer that had a page, so that the next request can ask whether it still holds.
* A row also says where the shards of the history have what the visit has put there: the version that was replaced, or the
  WARC record that says that nothing has changed.
* Of each page the last `MOST_VISITS` count. Earlier rows are removed, except those of versions that the history has.
"""

import sqlite3
from collections import deque
from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import Final, Literal, NamedTuple

from .shards import NOWHERE, Place

VISIT_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS visits (
  link INTEGER NOT NULL, visited_s REAL NOT NULL, since_s REAL NOT NULL, found TEXT NOT NULL,
  etag TEXT NOT NULL, last_modified TEXT NOT NULL,
  page_shard INTEGER NOT NULL, page_offset INTEGER NOT NULL, page_length INTEGER NOT NULL,
  warc_shard INTEGER NOT NULL, warc_offset INTEGER NOT NULL, warc_length INTEGER NOT NULL,
  PRIMARY KEY (link, visited_s)
) WITHOUT ROWID;
"""
MOST_VISITS: Final = 100  # of a page, which tell its rate of change well enough
_COLUMNS: Final = (
    "link, visited_s, since_s, found, etag, last_modified, "
    "page_shard, page_offset, page_length, warc_shard, warc_offset, warc_length"
)


class Found(StrEnum):
    """What a visit to a page that was fetched before has found."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"  # 404 or 410
    MOVED = "moved"  # a redirect, whose target is queued
    FORBIDDEN = "forbidden"  # by robots.txt
    FAILED = "failed"  # no answer, or one without a page

    @property
    def tells(self) -> bool:
        """Returns whether it tells if the page has changed."""
        return self in (Found.SAME, Found.CHANGED)


class Visited(NamedTuple):
    link: int
    visited_s: float
    since_s: float  # when the page was visited before
    found: Found
    etag: str = ""
    last_modified: str = ""
    page: Place = NOWHERE  # in the history: the document that was replaced
    warc: Place = NOWHERE  # likewise, or the record of a visit that found no change


class Visits:
    """The rows. Nothing here commits; the transaction's owner does."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute

    def put(self, visit: Visited) -> None:
        """Adds a row, or replaces that of the same visit."""
        query = f"INSERT OR REPLACE INTO visits ({_COLUMNS}) VALUES ({','.join('?' * 12)})"  # noqa: S608
        self._execute(query, (*visit[:6], *visit.page, *visit.warc))

    def of(self, link: int) -> list[Visited]:
        """Returns the visits to a page, the oldest first."""
        return list(self._rows("WHERE link = ? ORDER BY visited_s", link))

    def all(self) -> Iterator[Visited]:
        """Yields the last visits to each page, in the order of links and times."""
        for _, visits in groupby(self._rows("ORDER BY link, visited_s"), attrgetter("link")):
            yield from deque(visits, MOST_VISITS)

    def trim(self, link: int) -> list[Visited]:
        """Removes the earliest visits to a page that no longer count, and returns them."""
        visits = self.of(link)[:-MOST_VISITS]
        removed = [visit for visit in visits if not visit.page.length]
        for visit in removed:
            self._execute("DELETE FROM visits WHERE link = ? AND visited_s = ?", visit[:2])
        return removed

    def in_shard(self, kind: Literal["page", "warc"], number: int) -> list[Visited]:
        """Returns the visits that have put something into this shard of the history, in their order there."""
        return list(self._rows(f"WHERE {kind}_shard = ? AND {kind}_length > 0 ORDER BY {kind}_offset", number))

    def _rows(self, condition: str, *values: int) -> Iterator[Visited]:
        for row in self._execute(f"SELECT {_COLUMNS} FROM visits {condition}", values):  # noqa: S608
            link, visited_s, since_s, found, etag, last_modified, *places = row
            before = Place(*places[:3]), Place(*places[3:])
            yield Visited(link, visited_s, since_s, Found(found), etag, last_modified, *before)
