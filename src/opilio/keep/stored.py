"""The table of stored pages: a row for every fetched page that was stored, whether it is in the corpus or not.

Rules:
* `drop` says why a page is not in the corpus; without one, it is. It also says where the page lies: the corpus has shards of its
  own, and so have the refused pages.
* A row has what a list of pages shows, so that none has to be unpacked for it. The record and the WARC record are in the shards.
* Of a page that opts out, the record has its URL, its digests and its signals, and nothing else; it has no WARC record.
"""

import sqlite3
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from opilio.core.outcome import Drop

from .shards import Place

_COLUMNS: Final = (
    'link, "drop", score, title, language, tokens, text_key, '
    "page_shard, page_offset, page_length, warc_shard, warc_offset, warc_length"
)
STORED_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS stored (
  link INTEGER PRIMARY KEY, "drop" TEXT, score REAL NOT NULL, title TEXT NOT NULL, language TEXT NOT NULL,
  tokens INTEGER NOT NULL, text_key INTEGER NOT NULL,
  page_shard INTEGER NOT NULL, page_offset INTEGER NOT NULL, page_length INTEGER NOT NULL,
  warc_shard INTEGER NOT NULL, warc_offset INTEGER NOT NULL, warc_length INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS corpus ON stored (page_shard, page_offset) WHERE "drop" IS NULL;
"""
_NEWER: Final = 'page_shard >= CASE WHEN "drop" IS NULL THEN ? ELSE ? END'
# Format 1 stored only what was kept, in the table `records`, without titles. `set_aside` had what was marked no.
_OF_FORMAT_1: Final = """
SELECT link, {drop} AS "drop", coalesce((SELECT judge_score FROM links WHERE id = link), 1.0) AS score, '' AS title, language,
  tokens, text_key, page_shard, page_offset, page_length, warc_shard, warc_offset, warc_length FROM {table}
"""
FORMAT_1_VIEW: Final = f"CREATE TEMP VIEW stored AS {_OF_FORMAT_1.format(drop='NULL', table='records')}"
FORMAT_1_UPGRADE: Final = f"""
{STORED_SCHEMA}
INSERT INTO stored {_OF_FORMAT_1.format(drop="NULL", table="records")};
DROP TABLE records;
ALTER TABLE shards ADD COLUMN dead INTEGER NOT NULL DEFAULT 0;
"""


class FirstShards(NamedTuple):
    """The first shards of documents that a pass over all pages has written."""

    kept: int
    refused: int


class StoredPage(NamedTuple):
    link: int
    drop: Drop | None  # None: it is in the corpus
    score: float
    title: str  # "" if it was kept by a version that did not note it
    language: str  # "" if it is unknown
    tokens: int
    text_key: int  # the first bytes of the text's digest
    page: Place
    warc: Place  # its length is 0 if the bytes of the page were not stored


class StoredPages:
    """The rows. Nothing here commits; the transaction's owner does."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute

    def put(self, page: StoredPage) -> None:
        """Adds a row, or replaces the one of the same link."""
        query = f"INSERT OR REPLACE INTO stored ({_COLUMNS}) VALUES ({','.join('?' * 13)})"  # noqa: S608
        self._execute(query, (*page[:7], *page.page, *page.warc))

    def remove(self, link: int) -> None:
        self._execute("DELETE FROM stored WHERE link = ?", (link,))

    def get(self, link: int) -> StoredPage | None:
        return next(self._rows("WHERE link = ?", link), None)

    def all(self) -> Iterator[StoredPage]:
        """Yields every stored page in the order of the links."""
        return self._rows("ORDER BY link")

    def links(self) -> list[int]:
        """Returns the links of all stored pages, except those that opt out."""
        rows = self._execute('SELECT link FROM stored WHERE "drop" IS NOT ? ORDER BY link', (Drop.OPTED_OUT,))
        return [link for (link,) in rows]

    def kept(self) -> Iterator[StoredPage]:
        """Yields the pages of the corpus in the order in which they were kept."""
        return self._rows('WHERE "drop" IS NULL ORDER BY page_shard, page_offset')

    def kept_after(self, shard: int, offset: int) -> Iterator[tuple[int, int, int]]:
        """Yields link, shard and offset of the pages of the corpus whose documents lie after this place, in the order in which
        they were kept. They come without the rest of the row, which is a fifth of the time."""
        places = '"drop" IS NULL AND (page_shard, page_offset) > (?, ?) ORDER BY page_shard, page_offset'
        return self._execute(f"SELECT link, page_shard, page_offset FROM stored WHERE {places}", (shard, offset))  # noqa: S608

    def from_score(self, least: float) -> Iterator[StoredPage]:
        """Yields the pages with at least this score, those of the corpus first. The score takes the place of the verdict and of
        nothing else: short pages, pages that are marked no or opt out, and second copies of a text are left out."""
        marked_no = self._execute('SELECT text_key FROM stored WHERE "drop" = ?', (Drop.MARKED_NO,))
        taken = {key for (key,) in marked_no}
        chosen = 'score >= ? AND ("drop" IS NULL OR "drop" IN (?, ?))'
        condition = f'WHERE {chosen} ORDER BY "drop" IS NOT NULL, page_shard, page_offset'
        for page in self._rows(condition, least, Drop.NOT_RELEVANT, Drop.DUPLICATE):
            if page.text_key not in taken:
                taken.add(page.text_key)
                yield page

    def with_bytes(self) -> Iterator[StoredPage]:
        """Yields the pages that have a WARC record, those of the corpus first, in the order in which they were written."""
        return self._rows('WHERE warc_length > 0 ORDER BY "drop" IS NOT NULL, warc_shard, warc_offset')

    def count_with_bytes(self) -> int:
        return int(self._execute("SELECT count(*) FROM stored WHERE warc_length > 0").fetchone()[0])

    def count_kept(self) -> int:
        return int(self._execute('SELECT count(*) FROM stored WHERE "drop" IS NULL').fetchone()[0])

    def languages(self, most: int) -> dict[str, int]:
        """Returns the pages of the corpus by language, the most frequent languages first."""
        query = 'SELECT language, count(*) FROM stored WHERE "drop" IS NULL GROUP BY language ORDER BY count(*) DESC LIMIT ?'
        return dict(self._execute(query, (most,)).fetchall())

    def texts(self, first: "FirstShards | None" = None) -> Iterator[tuple[int, int]]:
        """Yields key and link of the texts that must not be kept again, of all pages or of those whose documents lie in these
        shards or later ones. A copy of a page marked no is not wanted either."""
        query = f'SELECT text_key, link FROM stored WHERE ("drop" IS NULL OR "drop" = ?) AND {_NEWER}'  # noqa: S608
        return self._execute(query, (Drop.MARKED_NO, *(first or FirstShards(0, 0))))

    def older(self, first: "FirstShards") -> list[int]:
        """Returns the links of the pages whose documents lie in older shards than these, those of the corpus first, then those
        that are marked no, each in the order in which they were written. Pages that opt out are left out."""
        order = '"drop" IS NOT NULL, "drop" IS NOT ?, page_shard, page_offset'
        query = f'SELECT link FROM stored WHERE NOT {_NEWER} AND "drop" IS NOT ? ORDER BY {order}'  # noqa: S608
        return [link for (link,) in self._execute(query, (*first, Drop.OPTED_OUT, Drop.MARKED_NO))]

    def count_refused(self) -> int:
        """Counts the pages that are not in the corpus; those that opt out, of which no text is stored, do not count."""
        query = 'SELECT count(*) FROM stored WHERE "drop" IS NOT NULL AND "drop" != ?'
        return int(self._execute(query, (Drop.OPTED_OUT,)).fetchone()[0])

    def without_bytes(self) -> int:
        """Counts the pages of which only the text is stored."""
        query = 'SELECT count(*) FROM stored WHERE warc_length = 0 AND "drop" IS NOT ?'
        return int(self._execute(query, (Drop.OPTED_OUT,)).fetchone()[0])

    def in_shard(self, kind: Literal["page", "warc"], number: int, *, kept: bool) -> list[StoredPage]:
        """Returns the pages whose documents, or WARC records, lie in this shard, in their order there."""
        condition = f'WHERE ("drop" IS NULL) = ? AND {kind}_shard = ? AND {kind}_length > 0 ORDER BY {kind}_offset'
        return list(self._rows(condition, kept, number))

    def set_aside(self) -> list[StoredPage]:
        """Takes over the rows that format 1 had set aside. They lie in the shards of the corpus."""
        if self._execute("SELECT 1 FROM sqlite_master WHERE name = 'set_aside'").fetchone() is None:
            return []
        query = _OF_FORMAT_1.format(drop=f"'{Drop.MARKED_NO}'", table="set_aside")
        found = [_page(row) for row in self._execute(query)]
        self._execute("DROP TABLE set_aside")
        return found

    def _rows(self, condition: str, *values: int | float | str) -> Iterator[StoredPage]:
        return map(_page, self._execute(f"SELECT {_COLUMNS} FROM stored {condition}", values))  # noqa: S608


def _page(row: tuple[int, str | None, float, str, str, int, int, int, int, int, int, int, int]) -> StoredPage:
    link, drop, score, title, language, tokens, key, *places = row
    reason = Drop(drop) if drop else None
    return StoredPage(link, reason, score, title, language, tokens, key, Place(*places[:3]), Place(*places[3:]))
