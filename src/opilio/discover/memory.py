"""What a source remembers, in the directory.

Rule: what a source writes stays with this object until `save`, which is called together with the commit of its next batch. Other
sources may commit in between, and a kill then leaves the source where its last batch was.
"""

from collections.abc import Iterator, MutableMapping
from heapq import merge
from sqlite3 import Connection
from typing import Final

MEMORY_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS memory (
    source TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (source, key)
) WITHOUT ROWID
"""
_PAGE_KEYS: Final = 100


class StoredMemory(MutableMapping[str, bytes]):
    def __init__(self, connection: Connection, source: str) -> None:
        self._connection = connection
        self._source = source
        self._unsaved: dict[str, bytes | None] = {}  # None: deleted

    def __getitem__(self, key: str) -> bytes:
        if key in self._unsaved:
            value = self._unsaved[key]
        else:
            query = "SELECT value FROM memory WHERE source = ? AND key = ?"
            found = self._connection.execute(query, (self._source, key)).fetchone()
            value = found[0] if found else None
        if value is None:
            raise KeyError(key)
        return value

    def __setitem__(self, key: str, value: bytes) -> None:
        self._unsaved[key] = bytes(value)

    def __delitem__(self, key: str) -> None:
        if key not in self:
            raise KeyError(key)
        self._unsaved[key] = None

    def __iter__(self) -> Iterator[str]:
        """Yields the keys in their order, a page at a time: looking for the first of many is cheap."""
        unsaved = sorted(key for key, value in self._unsaved.items() if value is not None)
        before = ""
        for key in merge(self._stored_keys(), unsaved):
            if key != before and self._unsaved.get(key, b"") is not None:
                yield key
            before = key

    def _stored_keys(self) -> Iterator[str]:
        query = "SELECT key FROM memory WHERE source = ? AND key > ? ORDER BY key LIMIT ?"
        after = ""
        while rows := self._connection.execute(query, (self._source, after, _PAGE_KEYS)).fetchall():
            yield from (key for (key,) in rows)
            after = rows[-1][0]

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, key: object) -> bool:
        try:
            self[str(key)]
        except KeyError:
            return False
        return True

    def save(self) -> None:
        """Writes what is unsaved into the open transaction."""
        gone = [(self._source, key) for key, value in self._unsaved.items() if value is None]
        kept = [(self._source, key, value) for key, value in self._unsaved.items() if value is not None]
        self._connection.executemany("DELETE FROM memory WHERE source = ? AND key = ?", gone)
        self._connection.executemany("INSERT OR REPLACE INTO memory VALUES (?, ?, ?)", kept)
        self._unsaved.clear()
