"""The tables of probed pages and of the links that were seen on them."""

from collections.abc import Iterable, Iterator
from sqlite3 import Connection
from typing import Final, NamedTuple

import msgspec

from .probe import Probe

_COLUMNS: Final = tuple(field.name for field in msgspec.structs.fields(Probe))
# `before` is the digest, and then the language, from before the last refresh. A pair's domain is that of its target.
PROBE_SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS probes (
    url INTEGER PRIMARY KEY, {", ".join(_COLUMNS)}, before TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS pairs (
    origin INTEGER NOT NULL, target TEXT NOT NULL, domain TEXT NOT NULL, PRIMARY KEY (origin, target)
) WITHOUT ROWID
"""
_PUT: Final = (
    f"INSERT INTO probes (url, {', '.join(_COLUMNS)}) VALUES (?{', ?' * len(_COLUMNS)}) ON CONFLICT (url) DO UPDATE SET "  # noqa: S608
    + ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS)
)


class Pair(NamedTuple):
    target: str
    domain: str


class ProbeRows:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, url: int, probe: Probe, links: Iterable[Pair]) -> None:
        """Writes what was found out about a URL, in place of what was known before. Writing it twice changes nothing."""
        values = [getattr(probe, name) for name in _COLUMNS]
        self._connection.execute(_PUT, (url, *values))
        self._connection.execute("DELETE FROM pairs WHERE origin = ?", (url,))
        pairs = [(url, *link) for link in links]
        self._connection.executemany("INSERT OR IGNORE INTO pairs VALUES (?, ?, ?)", pairs)

    def has(self, url: int) -> bool:
        return self._connection.execute("SELECT 1 FROM probes WHERE url = ?", (url,)).fetchone() is not None

    def note_sitemap(self, url: int) -> None:
        self._connection.execute("UPDATE probes SET sitemap = 1 WHERE url = ?", (url,))

    def note_cloaking(self, url: int, difference: str) -> None:
        self._connection.execute("UPDATE probes SET cloaking = ? WHERE url = ?", (difference, url))

    def remember_state(self) -> None:
        """Remembers text and language of every page, so that changes can be told after a refresh."""
        self._connection.execute("UPDATE probes SET before = digest || ' ' || language")

    def all(self) -> Iterator[tuple[int, Probe]]:
        for url, *values in self._connection.execute(f"SELECT url, {', '.join(_COLUMNS)} FROM probes"):  # noqa: S608
            yield url, stored_probe(values)


def stored_probe(values: Iterable[object]) -> Probe:
    return msgspec.convert(dict(zip(_COLUMNS, values, strict=True)), Probe, strict=False)


PROBE_COLUMNS: Final = _COLUMNS
