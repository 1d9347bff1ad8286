"""Robots rules by origin, for as long as they may be trusted: recent ones in memory, all of them in the crawl's
database.

Rules: a copy is trusted for `trust_s`; an origin that was unreachable is asked again after `retry_s`. The part of the
file that concerns us (`Rules.source`) is saved, so that a resumed crawl need not ask again. A comment at its end has a checksum
of the row: rules that a flipped bit has changed are fetched anew. Older versions of Opilio saved none.
"""

import re
import sqlite3
import zlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple

from .robots import Rules, disallow_all, parse_rules

ROBOTS_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS robots (
  origin TEXT PRIMARY KEY, fetched_s REAL NOT NULL, unreachable INTEGER NOT NULL, source BLOB NOT NULL
) WITHOUT ROWID;
"""


_COPY_BYTES: Final = 400  # of rules that say nothing
_CHECKSUM: Final = re.compile(rb"# ([0-9a-f]{8})\n")
_CHECKSUM_BYTES: Final = 11


class _Copy(NamedTuple):
    fetched_s: float
    rules: Rules


def stored_rules(connection: sqlite3.Connection, origin: str, product: str) -> Rules | None:
    """Returns the rules that a crawl has stored for an origin, however old they are; None if there are none. It only reads."""
    copy = _load(connection.execute, origin, product)
    return copy.rules if copy else None


class RobotsCache:
    """Holds rules in memory up to `most_bytes` of their sources: parsed, they take up to twenty times as much, and a host may
    send 500 kB of them."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        product: str,
        *,
        trust_s: float,
        retry_s: float,
        most_bytes: int = 4 * 2**20,
    ) -> None:
        self._execute = connection.execute
        self._product = product
        self._trust_s = trust_s
        self._retry_s = retry_s
        self._copies: OrderedDict[str, _Copy] = OrderedDict()
        self._most_bytes = most_bytes
        self._held_bytes = 0

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
        self._held_bytes = 0
        self._execute("DELETE FROM robots")

    def put(self, origin: str, rules: Rules, now_s: float) -> None:
        """Remembers the rules and writes them into the open transaction."""
        self._remember(origin, _Copy(now_s, rules))
        source = rules.source + b"# %08x\n" % _checksum(origin, now_s, rules.unreachable, rules.source)
        row = (origin, now_s, rules.unreachable, source)
        self._execute("INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?)", row)

    def _remember(self, origin: str, copy: _Copy) -> None:
        if (old := self._copies.pop(origin, None)) is not None:
            self._held_bytes -= _weight(old)
        self._copies[origin] = copy
        self._held_bytes += _weight(copy)
        while self._held_bytes > self._most_bytes and len(self._copies) > 1:
            self._held_bytes -= _weight(self._copies.popitem(last=False)[1])


def _weight(copy: _Copy) -> int:
    return len(copy.rules.source) + _COPY_BYTES


def _load(execute: Callable[..., sqlite3.Cursor], origin: str, product: str) -> _Copy | None:
    row = execute("SELECT fetched_s, unreachable, source FROM robots WHERE origin = ?", (origin,)).fetchone()
    if row is None:
        return None
    fetched_s, unreachable, source = row
    found = _CHECKSUM.fullmatch(source[-_CHECKSUM_BYTES:])
    if found and int(found[1], 16) != _checksum(origin, fetched_s, unreachable, source[:-_CHECKSUM_BYTES]):
        return None
    if unreachable:
        return _Copy(fetched_s, disallow_all(unreachable=True))
    return _Copy(fetched_s, parse_rules(source, product, len(source)))


def _checksum(origin: str, fetched_s: float, unreachable: bool, source: bytes) -> int:
    return zlib.crc32(f"{origin} {float(fetched_s)!r} {int(unreachable)} ".encode() + source)
