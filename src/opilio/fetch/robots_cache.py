"""Robots rules by origin, for as long as they may be trusted: recent ones in memory, all of them in the crawl's
database.

Rules: a copy is trusted for `trust_s`; an origin that was unreachable is asked again after `retry_s`. The part of the
file that concerns us (`Rules.source`) is saved, so that a resumed crawl need not ask again.
"""

import sqlite3
from collections.abc import Callable
from typing import Final, NamedTuple

from opilio.core.bounded import BoundedMap

from .robots import Rules, disallow_all, parse_rules

ROBOTS_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS robots (
  origin TEXT PRIMARY KEY, fetched_s REAL NOT NULL, unreachable INTEGER NOT NULL, source BLOB NOT NULL
) WITHOUT ROWID;
"""


class _Copy(NamedTuple):
    fetched_s: float
    rules: Rules


def stored_rules(connection: sqlite3.Connection, origin: str, product: str) -> Rules | None:
    """Returns the rules that a crawl has stored for an origin, however old they are; None if there are none. It only reads."""
    copy = _load(connection.execute, origin, product)
    return copy.rules if copy else None


class RobotsCache:
    def __init__(
        self, connection: sqlite3.Connection, product: str, *, trust_s: float, retry_s: float, most: int = 10_000
    ) -> None:
        self._execute = connection.execute
        self._product = product
        self._trust_s = trust_s
        self._retry_s = retry_s
        self._copies: BoundedMap[str, _Copy] = BoundedMap(most)

    def get(self, origin: str, now_s: float) -> Rules | None:
        """Returns the rules, or None if they must be fetched."""
        copy = self._copies.get(origin)
        if copy is None:
            copy = _load(self._execute, origin, self._product)
            if copy is None:
                return None
            self._remember(origin, copy)
        limit_s = self._retry_s if copy.rules.unreachable else self._trust_s
        return copy.rules if 0 <= now_s - copy.fetched_s < limit_s else None

    def forget(self) -> None:
        """Forgets all rules, because they were read for another product, or by other settings."""
        self._copies.clear()
        self._execute("DELETE FROM robots")

    def put(self, origin: str, rules: Rules, now_s: float) -> None:
        """Remembers the rules and writes them into the open transaction."""
        self._remember(origin, _Copy(now_s, rules))
        row = (origin, now_s, rules.unreachable, rules.source)
        self._execute("INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?)", row)

    def _remember(self, origin: str, copy: _Copy) -> None:
        self._copies[origin] = copy
        self._copies.move_to_end(origin)


def _load(execute: Callable[..., sqlite3.Cursor], origin: str, product: str) -> _Copy | None:
    row = execute("SELECT fetched_s, unreachable, source FROM robots WHERE origin = ?", (origin,)).fetchone()
    if row is None:
        return None
    fetched_s, unreachable, source = row
    if unreachable:
        return _Copy(fetched_s, disallow_all(unreachable=True))
    return _Copy(fetched_s, parse_rules(source, product, len(source)))
