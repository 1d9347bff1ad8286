"""The tables of probed pages and of the links that were seen on them."""

from collections.abc import Iterable
from sqlite3 import Connection
from typing import Final, NamedTuple

import msgspec

from .probe import Probe

PROBE_COLUMNS: Final = tuple(field.name for field in msgspec.structs.fields(Probe))
# `before` is the digest, and then the language, from before the last refresh. A pair's domain is that of its target.
PROBE_SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS probes (
    url INTEGER PRIMARY KEY, {", ".join(PROBE_COLUMNS)}, before TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS pairs (
    origin INTEGER NOT NULL, target TEXT NOT NULL, domain TEXT NOT NULL, PRIMARY KEY (origin, target)
) WITHOUT ROWID
"""
_PUT: Final = (
    f"INSERT INTO probes (url, {', '.join(PROBE_COLUMNS)}) VALUES (?{', ?' * len(PROBE_COLUMNS)}) "  # noqa: S608
    "ON CONFLICT (url) DO UPDATE SET " + ", ".join(f"{name} = excluded.{name}" for name in PROBE_COLUMNS)
)


class Pair(NamedTuple):
    target: str
    domain: str


class ProbeRows:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, url: int, probe: Probe, links: Iterable[Pair]) -> None:
        """Writes what was found out about a URL, in place of what was known before. Writing it twice changes nothing."""
        values = [getattr(probe, name) for name in PROBE_COLUMNS]
        self._connection.execute(_PUT, (url, *values))
        self._connection.execute("DELETE FROM pairs WHERE origin = ?", (url,))
        pairs = [(url, *link) for link in links]
        self._connection.executemany("INSERT OR IGNORE INTO pairs VALUES (?, ?, ?)", pairs)

    def get(self, url: int) -> Probe | None:
        query = f"SELECT {', '.join(PROBE_COLUMNS)} FROM probes WHERE url = ?"  # noqa: S608
        found = self._connection.execute(query, (url,)).fetchone()
        return stored_probe(found) if found else None

    def note_sitemap(self, url: int) -> None:
        self._connection.execute("UPDATE probes SET sitemap = 1 WHERE url = ?", (url,))

    def note_cloaking(self, url: int, difference: str) -> None:
        self._connection.execute("UPDATE probes SET cloaking = ? WHERE url = ?", (difference, url))

    def remember_state(self) -> None:
        """Remembers text and language of every page, so that changes can be told after a refresh."""
        self._connection.execute("UPDATE probes SET before = digest || ' ' || language")


def stored_probe(values: Iterable[object]) -> Probe:
    return msgspec.convert(dict(zip(PROBE_COLUMNS, values, strict=True)), Probe, strict=False)
