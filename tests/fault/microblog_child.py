"""A traversal over HTTP in a process that can be killed: what it finds and remembers is committed batch by batch to SQLite.

python -m tests.fault.microblog_child DATABASE PORT
"""

import asyncio
import sqlite3
import sys
from collections.abc import Iterator, MutableMapping

from opilio.discover import Find
from tests.unit.discover.microblog.loopback import asking, built

SCHEMA = """
CREATE TABLE IF NOT EXISTS memory (key TEXT PRIMARY KEY, value BLOB);
CREATE TABLE IF NOT EXISTS finds (url TEXT, grouped TEXT);
"""


class Rows(MutableMapping[str, bytes]):
    """A memory whose changes become durable with the commit of its connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __getitem__(self, key: str) -> bytes:
        row = self._connection.execute("SELECT value FROM memory WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise KeyError(key)
        return bytes(row[0])

    def __setitem__(self, key: str, value: bytes) -> None:
        self._connection.execute("INSERT OR REPLACE INTO memory VALUES (?, ?)", (key, value))

    def __delitem__(self, key: str) -> None:
        self._connection.execute("DELETE FROM memory WHERE key = ?", (key,))

    def __iter__(self) -> Iterator[str]:
        return iter([key for (key,) in self._connection.execute("SELECT key FROM memory ORDER BY key")])

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM memory").fetchone()[0])


async def traverse(connection: sqlite3.Connection, port: str) -> None:
    settings = ['scout.mode="deep"', 'corpus.languages=["id"]']
    source, config = built("mastodon", settings, where=f"http://service.example:{port}", delay_s=0.005)
    async with asking(config) as ask:
        async for batch in source.finds(ask, Rows(connection)):
            commit(connection, batch)


def commit(connection: sqlite3.Connection, batch: object) -> None:
    assert isinstance(batch, tuple)
    finds: tuple[Find, ...] = batch
    connection.executemany("INSERT INTO finds VALUES (?, ?)", [(find.url, find.group) for find in finds])
    connection.commit()


if __name__ == "__main__":
    database = sqlite3.connect(sys.argv[1])
    database.executescript(SCHEMA)
    asyncio.run(traverse(database, sys.argv[2]))
    database.close()
