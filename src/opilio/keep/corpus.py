"""The corpus on disk: every kept page as a WARC record and as a document line, and the table that says where.

Order of a commit: bytes are appended to both shards, fsynced, and only then named in the transaction that also ends
the lease. A text that is already in the corpus is not kept twice.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from opilio.core.fingerprints import FingerprintMap
from opilio.core.items import Gleaned

from .shards import SHARD_SCHEMA, Shards

SCHEMA: Final = (
    SHARD_SCHEMA
    + """
CREATE TABLE IF NOT EXISTS records (
  link INTEGER PRIMARY KEY, text_key INTEGER NOT NULL, tokens INTEGER NOT NULL, language TEXT NOT NULL,
  page_shard INTEGER NOT NULL, page_offset INTEGER NOT NULL, page_length INTEGER NOT NULL,
  warc_shard INTEGER NOT NULL, warc_offset INTEGER NOT NULL, warc_length INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS set_aside (
  link INTEGER PRIMARY KEY, text_key INTEGER NOT NULL, tokens INTEGER NOT NULL, language TEXT NOT NULL,
  page_shard INTEGER NOT NULL, page_offset INTEGER NOT NULL, page_length INTEGER NOT NULL,
  warc_shard INTEGER NOT NULL, warc_offset INTEGER NOT NULL, warc_length INTEGER NOT NULL
);
"""
)


class CorpusShards(NamedTuple):
    """The two kinds of shard of a corpus; `head` makes the first record of each WARC file."""

    pages: Shards
    warc: Shards

    @classmethod
    def of(
        cls,
        connection: sqlite3.Connection,
        folder: Path,
        max_bytes: int = 0,
        head: Callable[[str], bytes] = lambda _name: b"",
    ) -> "CorpusShards":
        pages = Shards(connection, folder / "pages", "pages", ".jsonl.zst", max_bytes, lambda _name: b"")
        return cls(pages, Shards(connection, folder / "warc", "warc", ".warc.gz", max_bytes, head))


class Corpus:
    def __init__(self, connection: sqlite3.Connection, shards: CorpusShards) -> None:
        self._execute = connection.execute
        self._shards = shards
        self._texts = FingerprintMap()

    def recover(self) -> int:
        """Cuts off what a stop of any kind has torn. Returns the number of bytes."""
        torn = self._shards.pages.recover() + self._shards.warc.recover()
        for table in ("records", "set_aside"):  # a copy of what was set aside is not wanted either
            self._texts.extend(self._execute(f"SELECT text_key, link FROM {table}"))  # noqa: S608
        return torn

    def find_text(self, digest: bytes) -> int:
        """Returns the link whose page has this text, or 0."""
        return self._texts.find([_key(digest)])[0]

    def add(self, link: int, gleaned: Gleaned, language: str) -> None:
        key = _key(gleaned.text_digest)
        page = self._shards.pages.append(gleaned.record)
        warc = self._shards.warc.append(gleaned.warc)
        self._execute(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (link, key, gleaned.tokens, language, *page, *warc),
        )
        self._texts.add(key, link)

    def set_aside(self, link: int) -> bool:
        """Takes a document out of the corpus; its bytes stay in the shards. Returns False if it is not there."""
        return self._move(link, "records", "set_aside")

    def take_back(self, link: int) -> bool:
        return self._move(link, "set_aside", "records")

    def sync(self) -> None:
        self._shards.pages.sync()
        self._shards.warc.sync()

    def close(self) -> None:
        self._shards.pages.close()
        self._shards.warc.close()

    def _move(self, link: int, source: str, destination: str) -> bool:
        self._execute(f"INSERT INTO {destination} SELECT * FROM {source} WHERE link = ?", (link,))  # noqa: S608
        return self._execute(f"DELETE FROM {source} WHERE link = ?", (link,)).rowcount > 0  # noqa: S608


def _key(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "little", signed=True)
