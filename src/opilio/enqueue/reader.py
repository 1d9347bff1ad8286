"""Read-only access to links and hosts in the database, for `status`, `why` and recordings.

Rule: nothing here writes, so a crawl may run at the same time; a reader sees what was committed.
Costs: the tables are indexed by number and by queue. Any other query reads the whole table, which takes a second for every few
million links.
"""

import sqlite3
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from opilio.core.items import Sighting
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import fingerprint

from .store import Ending, State, StoredHost, StoredLink

_LINK_COLUMNS: Final = ", ".join(f'"{name}"' for name in StoredLink._fields)
_ENDING_COLUMNS: Final = ", ".join(f'"{name}"' for name in Ending._fields)
_HOST_COLUMNS: Final = ", ".join(StoredHost._fields)
_decode: Final = msgspec.msgpack.Decoder(tuple[Sighting, ...]).decode


class MetLink(NamedTuple):
    """All that is known of a link. The ending of a link that is not done has only default values."""

    link: StoredLink
    ending: Ending


class JudgedPages(NamedTuple):
    pages: int
    belong: int


class HostCount(NamedTuple):
    met: int
    closed: int  # given up or full


class LinkReader:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute

    # --- one link

    def find(self, url: str) -> MetLink | None:
        """Looks a canonical URL up by its fingerprint, which reads the whole table."""
        return next(self._met("key = ?", fingerprint(url)), None)

    def met(self, link: int) -> MetLink:
        return next(self._met("id = ?", link))

    def read(self, link: int) -> StoredLink:
        return self.met(link).link

    def ancestors(self, link: StoredLink, most: int = 100) -> Iterator[StoredLink]:
        """Yields the link whose page named this one, then the link whose page named that one, and so on to a seed."""
        for _ in range(most):
            if not link.parent:
                return
            link = self.read(link.parent)
            yield link

    def sightings(self, link: int) -> tuple[Sighting, ...]:
        row = self._execute("SELECT data FROM sightings WHERE link = ?", (link,)).fetchone()
        return _decode(row[0]) if row else ()

    # --- many links

    def dropped(self, drop: Drop) -> Iterator[MetLink]:
        """Yields the links that ended this way, in the order in which they were met."""
        return self._met('"drop" = ? ORDER BY id', drop)

    def count_dropped(self, drop: Drop) -> int:
        return self._count('links WHERE "drop" = ?', drop)

    def count_pages(self) -> int:
        """Counts the pages that were fetched."""
        return self._count("links WHERE outcome = ?", Outcome.OK)

    def states(self) -> dict[State, int]:
        rows = self._execute("SELECT state, count(*) FROM links GROUP BY state")
        return {State(state): count for state, count in rows}

    def buckets(self) -> dict[int, int]:
        """Returns the number of links that are queued or waiting, by bucket."""
        return dict(
            self._execute("SELECT bucket, count(*) FROM links WHERE state IN (0, 1) GROUP BY bucket").fetchall()
        )

    def judged(self) -> JudgedPages:
        row = self._execute("SELECT count(*), coalesce(sum(belongs), 0) FROM links WHERE judge_score IS NOT NULL")
        return JudgedPages._make(row.fetchone())

    # --- hosts

    def host(self, host: int) -> StoredHost:
        row = self._execute(f"SELECT {_HOST_COLUMNS} FROM hosts WHERE id = ?", (host,)).fetchone()  # noqa: S608
        found = StoredHost._make(row)
        return found._replace(closed=Drop(found.closed) if found.closed else None)

    def count_hosts(self) -> HostCount:
        return HostCount(self._count("hosts"), self._count("hosts WHERE closed IS NOT NULL"))

    def count_queued(self, host: int) -> int:
        return self._count("links WHERE state = 0 AND host = ?", host)

    def fetched_by_host(self) -> dict[int, int]:
        """Returns how many pages were fetched from each host, if any."""
        query = "SELECT host, count(*) FROM links WHERE outcome = ? GROUP BY host"
        return dict(self._execute(query, (Outcome.OK,)).fetchall())

    def pages_by_host(self) -> dict[int, int]:
        """Returns how many URLs of each host are pages, or may be pages because they were not fetched yet."""
        query = 'SELECT host, count(*) FROM links WHERE state != ? OR outcome = ? OR "drop" = ? GROUP BY host'
        return dict(self._execute(query, (State.DONE, Outcome.OK, Drop.BELOW_CUT)).fetchall())

    def drops_by_host(self) -> dict[int, dict[Drop, int]]:
        """Returns why links of each host were dropped, the most frequent reason first."""
        query = 'SELECT host, "drop", count(*) FROM links WHERE "drop" IS NOT NULL GROUP BY 1, 2 ORDER BY 3 DESC, 2'
        found: dict[int, dict[Drop, int]] = {}
        for host, drop, count in self._execute(query):
            found.setdefault(host, {})[Drop(drop)] = count
        return found

    def _count(self, rows: str, *values: int | str) -> int:
        return int(self._execute(f"SELECT count(*) FROM {rows}", values).fetchone()[0])  # noqa: S608

    def _met(self, condition: str, value: int | str) -> Iterator[MetLink]:
        query = f"SELECT {_LINK_COLUMNS}, {_ENDING_COLUMNS} FROM links WHERE {condition}"  # noqa: S608
        for row in self._execute(query, (value,)):
            yield MetLink(_link(row[: len(StoredLink._fields)]), _ending(*row[len(StoredLink._fields) :]))


def _link(row: tuple[object, ...]) -> StoredLink:
    link = StoredLink._make(row)
    return link._replace(state=State(link.state), drop=Drop(link.drop) if link.drop else None)


def _ending(
    drop: str | None,
    outcome: str | None,
    status: int | None,
    fetched_s: float | None,
    judge_score: float | None,
    belongs: int | None,
    detail: str | None,
) -> Ending:
    """Builds an ending from its columns, which are NULL for a link that is not done."""
    return Ending(
        Drop(drop) if drop else None,
        Outcome(outcome) if outcome else None,
        status or 0,
        fetched_s or 0.0,
        judge_score,
        bool(belongs),
        detail or "",
    )
