"""The durable store: links and hosts in SQLite tables. Nothing here commits; the transaction's owner does.

Costs: rows are appended in order of their numbers and nothing is indexed by URL (the seen table in memory finds
numbers), so that adding stays sequential at any size. Two partial indexes hold just the queued and the leased links.
Links that are not followed because of the page that they are on have no row. `unfollowed` has one row for such a page, with
8 bytes for each of its links.
"""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from opilio.core.outcome import Drop, Outcome

from .policy import DUE
from .rows import LINK_COLUMNS, LIST_CONDITION, Rows, key_bytes, listed
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
CREATE TABLE IF NOT EXISTS unfollowed (page INTEGER PRIMARY KEY, "drop" TEXT NOT NULL, keys BLOB NOT NULL);
"""


class SqliteStore(Rows):
    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._executemany = connection.executemany

    def insert(self, links: Sequence[StoredLink]) -> None:
        self._executemany(f"INSERT INTO links ({LINK_COLUMNS}) VALUES ({','.join('?' * 14)})", links)  # noqa: S608

    def lease(self, link: int) -> StoredLink:
        """Marks the link as LEASED and returns it."""
        self._execute("UPDATE links SET state = 2 WHERE id = ?", (link,))
        return self.read(link)

    def requeue(self, link: int, tries: int, seen: Ending | None = None) -> None:
        """Queues a leased link again. `seen` is how its last attempt ended, which is remembered for `why`."""
        self._execute("UPDATE links SET state = 0, tries = ? WHERE id = ?", (tries, link))
        if seen is not None:
            self._execute(
                "UPDATE links SET outcome = ?, status = ?, fetched_s = ?, detail = ? WHERE id = ?",
                (seen.outcome, seen.status, seen.fetched_s, seen.detail, link),
            )

    def finish(self, link: int, ending: Ending) -> None:
        self._execute(
            'UPDATE links SET state = 3, bucket = max(bucket, 0), "drop" = ?, outcome = ?, status = ?, fetched_s = ?, '
            "judge_score = ?, belongs = ?, detail = ? WHERE id = ?",
            (*ending, link),
        )

    def finish_as_before(self, link: int) -> None:
        """Ends a visit to a page that was fetched before, and leaves the link as it had ended then."""
        self._execute("UPDATE links SET state = 3, bucket = 0 WHERE id = ?", (link,))

    def forget_endings(self, links: Sequence[int]) -> None:
        """Forgets how links ended that are queued once more, since that no longer says anything about them."""
        query = "UPDATE links SET outcome = NULL, status = NULL, fetched_s = NULL, detail = NULL WHERE id = ?"
        self._executemany(query, ((link,) for link in links))

    def overrule(
        self, link: int, drop: Drop | None, detail: str, score: float | None = None, belongs: bool | None = None
    ) -> None:
        """Gives a link that is DONE another drop, or none, and another verdict if there is one."""
        self._execute(
            'UPDATE links SET "drop" = ?, detail = ?, judge_score = coalesce(?, judge_score), belongs = coalesce(?, belongs) '
            "WHERE id = ?",
            (drop, detail, score, belongs, link),
        )

    def best(self, host: int, bucket: int, limit: int) -> list[tuple[float, int]]:
        """Returns (minus score, link) of the best queued links, best first; the older one wins a tie."""
        return self._execute(
            "SELECT -score, id FROM links WHERE state = 0 AND host = ? AND bucket = ? ORDER BY score DESC, id LIMIT ?",
            (host, bucket, limit),
        ).fetchall()

    def rescore(self, changes: Sequence[tuple[StoredLink, StoredLink]]) -> None:
        """Takes over the score, bucket, state, drop and tries of links, each of which comes as it was and as it will be. Most
        only move within their queue: where the state stays, SQLite touches one index instead of three."""
        moved, others = [], []
        for old, new in changes:
            if old.state is new.state and old.drop is new.drop and old.tries == new.tries:
                moved.append((new.score, new.bucket, new.id))
            else:
                others.append((new.score, new.bucket, new.state, new.drop, new.tries, new.id))
        self._executemany("UPDATE links SET score = ?, bucket = ? WHERE id = ?", moved)
        query = 'UPDATE links SET score = ?, bucket = ?, state = ?, "drop" = ?, tries = ? WHERE id = ?'
        self._executemany(query, others)

    def promote(self, bucket: int | None, limit: int) -> list[StoredLink]:
        """Makes the best waiting links QUEUED and returns them; a limit of -1 means all."""
        fitting = "state = 1" if bucket is None else "state = 1 AND bucket = ?"
        values: tuple[int, ...] = (limit,) if bucket is None else (bucket, limit)
        found = self._links(f"{fitting} ORDER BY score DESC, id LIMIT ?", *values)
        chosen = [link._replace(state=State.QUEUED) for link in found]
        self._executemany("UPDATE links SET state = 0 WHERE id = ?", [(link.id,) for link in chosen])
        return chosen

    def drop_waiting(self, drop: Drop) -> list[int]:
        """Ends every waiting link and returns their numbers."""
        return self._drop(drop, "state = 1")

    def clear_host(self, host: int, drop: Drop, outcome: Outcome | None = None) -> list[int]:
        """Ends every queued and waiting link of a host and returns their numbers. `outcome` is the host's last failure. The
        two states are ended one after the other, because each has its own index. Pages that were to be visited again stay as
        they are."""
        self._execute("UPDATE links SET state = 3, bucket = 0 WHERE state = 0 AND host = ? AND bucket = ?", (host, DUE))
        if outcome is not None:
            self._execute("UPDATE links SET outcome = ? WHERE state = 0 AND host = ?", (outcome, host))
            self._execute("UPDATE links SET outcome = ? WHERE state = 1 AND host = ?", (outcome, host))
        return self._drop(drop, "state = 0 AND host = ?", host) + self._drop(drop, "state = 1 AND host = ?", host)

    def save_hosts(self, hosts: Sequence[StoredHost]) -> None:
        self._executemany("INSERT OR REPLACE INTO hosts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", hosts)

    def queued(self) -> Iterator[tuple[int, int, int]]:
        """Yields (host, bucket, number of links) for every bucket of every host that has queued links."""
        return iter(
            self._execute("SELECT host, bucket, count(*) FROM links WHERE state = 0 GROUP BY host, bucket").fetchall()
        )

    def waiting(self) -> int:
        count: int = self._execute("SELECT count(*) FROM links WHERE state = 1").fetchone()[0]
        return count

    def known(self, after: int) -> Iterator[tuple[int, int]]:
        """Yields (fingerprint, link) of every link whose number is higher than `after`."""
        return self._execute("SELECT key, id FROM links WHERE id > ?", (after,))

    def failing_hosts(self, outcomes: Collection[Outcome]) -> list[int]:
        """Returns the hosts of links that ended with one of these outcomes."""
        query = f"SELECT DISTINCT host FROM links WHERE state = 3 AND outcome {LIST_CONDITION}"  # noqa: S608
        return [host for (host,) in self._execute(query, (listed(outcomes),))]

    def put_unfollowed(self, page: int, drop: Drop, keys: Sequence[int]) -> None:
        """Remembers the fingerprints of links on the page of link number `page` that are not followed, and why."""
        self._execute(
            "INSERT OR REPLACE INTO unfollowed VALUES (?, ?, ?)", (page, drop, b"".join(map(key_bytes, keys)))
        )

    def count_unfollowed(self, drop: Drop) -> tuple[int, int]:
        """Returns how many links were not followed for this reason, and on how many pages they are."""
        query = 'SELECT coalesce(sum(length(keys)), 0) / 8, count(*) FROM unfollowed WHERE "drop" = ?'
        links, pages = self._execute(query, (drop,)).fetchone()
        return links, pages

    def release_leases(self) -> int:
        """Queues the links again that a kill left leased. Returns how many there were."""
        return self._execute("UPDATE links SET state = 0 WHERE state = 2").rowcount

    def highest(self) -> int:
        return int(self._execute("SELECT coalesce(max(id), 0) FROM links").fetchone()[0])

    def _drop(self, drop: Drop, fitting: str, *values: int) -> list[int]:
        """Reads the numbers before it ends the links: RETURNING would need SQLite 3.35, which some systems lack."""
        ended = [link for (link,) in self._execute(f"SELECT id FROM links WHERE {fitting}", values)]  # noqa: S608
        self._execute(f'UPDATE links SET state = 3, "drop" = ? WHERE {fitting}', (drop, *values))  # noqa: S608
        return ended
