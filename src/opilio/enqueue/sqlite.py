"""The durable store: links, hosts and sightings in SQLite tables. Nothing here commits; the transaction's owner does.

Costs: rows are appended in order of their numbers and nothing is indexed by URL (the seen table in memory finds
numbers), so that adding stays sequential at any size. Two partial indexes hold just the queued and the leased links.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from opilio.core.items import Sighting
from opilio.core.outcome import Drop

from .store import Ending, State, StoredHost, StoredLink

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS links (
  id INTEGER PRIMARY KEY, key INTEGER NOT NULL, url TEXT NOT NULL, host INTEGER NOT NULL, state INTEGER NOT NULL,
  bucket INTEGER NOT NULL, score REAL NOT NULL, depth INTEGER NOT NULL, hops INTEGER NOT NULL, tries INTEGER NOT NULL,
  parent INTEGER NOT NULL, anchor TEXT NOT NULL, found_s REAL NOT NULL, "drop" TEXT, outcome TEXT, status INTEGER,
  fetched_s REAL, judge_score REAL, belongs INTEGER, detail TEXT
);
CREATE INDEX IF NOT EXISTS queue ON links (host, bucket, score DESC, id) WHERE state = 0;
CREATE INDEX IF NOT EXISTS waiting ON links (id) WHERE state = 1;
CREATE INDEX IF NOT EXISTS leased ON links (id) WHERE state = 2;
CREATE TABLE IF NOT EXISTS hosts (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, address TEXT NOT NULL, ready_s REAL NOT NULL, delay_s REAL NOT NULL,
  failures INTEGER NOT NULL, fetched INTEGER NOT NULL, closed TEXT
);
CREATE TABLE IF NOT EXISTS sightings (link INTEGER PRIMARY KEY, data BLOB NOT NULL);
"""
_COLUMNS: Final = 'id, key, url, host, state, bucket, score, depth, hops, tries, parent, anchor, found_s, "drop"'
_LIST_CONDITION: Final = (
    "IN (SELECT value FROM json_each(?))"  # a constant text, so that the statement is compiled once
)
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(tuple[Sighting, ...]).decode


class SqliteStore:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute
        self._executemany = connection.executemany

    def insert(self, links: Sequence[StoredLink]) -> None:
        self._executemany(f"INSERT INTO links ({_COLUMNS}) VALUES ({','.join('?' * 14)})", links)  # noqa: S608

    def read(self, link: int) -> StoredLink:
        return _link(self._execute(f"SELECT {_COLUMNS} FROM links WHERE id = ?", (link,)).fetchone())  # noqa: S608

    def read_all(self, links: Sequence[int]) -> list[StoredLink]:
        query = f"SELECT {_COLUMNS} FROM links WHERE id {_LIST_CONDITION}"  # noqa: S608
        found = {row[0]: _link(row) for row in self._execute(query, (_listed(links),))}
        return [found[link] for link in links]

    def lease(self, link: int) -> StoredLink:
        self._execute("UPDATE links SET state = 2 WHERE id = ?", (link,))
        return self.read(link)

    def requeue(self, link: int, tries: int) -> None:
        self._execute("UPDATE links SET state = 0, tries = ? WHERE id = ?", (tries, link))

    def finish(self, link: int, ending: Ending) -> None:
        self._execute(
            'UPDATE links SET state = 3, "drop" = ?, outcome = ?, status = ?, fetched_s = ?, judge_score = ?, belongs = ?, '
            "detail = ? WHERE id = ?",
            (*ending, link),
        )

    def overrule(
        self, link: int, drop: Drop | None, detail: str, score: float | None = None, belongs: bool | None = None
    ) -> None:
        self._execute(
            'UPDATE links SET "drop" = ?, detail = ?, judge_score = coalesce(?, judge_score), belongs = coalesce(?, belongs) '
            "WHERE id = ?",
            (drop, detail, score, belongs, link),
        )

    def best(self, host: int, bucket: int, limit: int) -> list[tuple[float, int]]:
        return self._execute(
            "SELECT -score, id FROM links WHERE state = 0 AND host = ? AND bucket = ? ORDER BY score DESC, id LIMIT ?",
            (host, bucket, limit),
        ).fetchall()

    def rescore(self, links: Sequence[StoredLink]) -> None:
        changes = ((link.score, link.bucket, link.state, link.drop, link.id) for link in links)
        self._executemany('UPDATE links SET score = ?, bucket = ?, state = ?, "drop" = ? WHERE id = ?', changes)

    def promote(self, bucket: int | None, limit: int) -> list[StoredLink]:
        fitting = "state = 1" if bucket is None else "state = 1 AND bucket = ?"
        values: tuple[int, ...] = (limit,) if bucket is None else (bucket, limit)
        query = f"SELECT {_COLUMNS} FROM links WHERE {fitting} ORDER BY score DESC, id LIMIT ?"  # noqa: S608
        chosen = [_link(row)._replace(state=State.QUEUED) for row in self._execute(query, values)]
        self._executemany("UPDATE links SET state = 0 WHERE id = ?", [(link.id,) for link in chosen])
        return chosen

    def drop_waiting(self, drop: Drop) -> list[int]:
        return self._drop(drop, "state = 1")

    def clear_host(self, host: int, drop: Drop) -> list[int]:
        """Ends queued and waiting links one after the other, because each state has its own index."""
        return self._drop(drop, "state = 0 AND host = ?", host) + self._drop(drop, "state = 1 AND host = ?", host)

    def hosts(self) -> list[StoredHost]:
        rows = self._execute(
            "SELECT id, name, address, ready_s, delay_s, failures, fetched, closed FROM hosts ORDER BY id"
        )
        return [StoredHost._make((*row[:7], Drop(row[7]) if row[7] else None)) for row in rows]

    def save_hosts(self, hosts: Sequence[StoredHost]) -> None:
        self._executemany("INSERT OR REPLACE INTO hosts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", hosts)

    def queued(self) -> Iterator[tuple[int, int, int]]:
        return iter(
            self._execute("SELECT host, bucket, count(*) FROM links WHERE state = 0 GROUP BY host, bucket").fetchall()
        )

    def waiting(self) -> int:
        count: int = self._execute("SELECT count(*) FROM links WHERE state = 1").fetchone()[0]
        return count

    def known(self, after: int) -> Iterator[tuple[int, int]]:
        return self._execute("SELECT key, id FROM links WHERE id > ?", (after,))

    def risers(self, after: int, limit: int) -> list[StoredLink]:
        """Scans the table. An index of links under the cut would make each of them more expensive, and the cut rarely
        moves."""
        query = f'SELECT {_COLUMNS} FROM links WHERE (state <= 1 OR "drop" = ?) AND id > ? ORDER BY id LIMIT ?'  # noqa: S608
        return [_link(row) for row in self._execute(query, (Drop.BELOW_CUT, after, limit))]

    def sightings(self, links: Sequence[int]) -> list[tuple[Sighting, ...]]:
        query = f"SELECT link, data FROM sightings WHERE link {_LIST_CONDITION}"  # noqa: S608
        found = {link: _decode(data) for link, data in self._execute(query, (_listed(links),))}
        return [found.get(link, ()) for link in links]

    def put_sightings(self, found: Sequence[tuple[int, tuple[Sighting, ...]]]) -> None:
        rows = ((link, _encode(sightings)) for link, sightings in found)
        self._executemany("INSERT OR REPLACE INTO sightings VALUES (?, ?)", rows)

    def release_leases(self) -> int:
        return self._execute("UPDATE links SET state = 0 WHERE state = 2").rowcount

    def highest(self) -> int:
        return int(self._execute("SELECT coalesce(max(id), 0) FROM links").fetchone()[0])

    def _drop(self, drop: Drop, fitting: str, *values: int) -> list[int]:
        """Reads the numbers before it ends the links: RETURNING would need SQLite 3.35, which some systems lack."""
        ended = [link for (link,) in self._execute(f"SELECT id FROM links WHERE {fitting}", values)]  # noqa: S608
        self._execute(f'UPDATE links SET state = 3, "drop" = ? WHERE {fitting}', (drop, *values))  # noqa: S608
        return ended


def _listed(links: Sequence[int]) -> str:
    return f"[{','.join(map(str, links))}]"


def _link(row: tuple[Any, ...]) -> StoredLink:
    return StoredLink._make((*row[:4], State(row[4]), *row[5:13], Drop(row[13]) if row[13] else None))
