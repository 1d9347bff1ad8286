"""The links that were met, with their sightings and the targets that a lead is shown.

Rule: nothing here changes how a link stands in the queue; that is the frontier's. What was read holds until the next lease,
score or ending.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from opilio.core.items import Sighting, Target
from opilio.core.outcome import Drop, Outcome

from .rows import LIST_CONDITION, Rows, decode_sightings, listed
from .store import FAILED_DROPS, StoredLink

_PAGE_LINKS: Final = 1_000  # read at a time
_EMPTY: Final = 0x90  # the first byte of an empty array in msgpack; those of short ones follow
_LONG: Final = 15  # length from which on arrays are not taken apart here
_encode: Final = msgspec.msgpack.Encoder().encode


class OpenLink(NamedTuple):
    """A link that can still rise, or come back: its row, and the target that a lead is shown."""

    row: StoredLink
    target: Target


class Links(Rows):
    def __init__(self, connection: sqlite3.Connection, host_name: Callable[[int], str]) -> None:
        super().__init__(connection)
        self._host_name = host_name

    def url(self, link: int) -> str:
        return self.read(link).url

    def open(self, links: Sequence[int], held: Callable[[int], bool] = lambda _: False) -> list[OpenLink]:
        """Reads those of these links that can still rise, once each and in the order given, with two statements however
        many there are. `held` tells which links are wanted without their sightings."""
        rows = self.read_all(list(dict.fromkeys(links))) if links else []
        return self._sighted([row for row in rows if row.can_rise], held)

    def all_open(self) -> Iterator[list[OpenLink]]:
        """Reads every link that can rise, a page at a time."""
        yield from map(self._sighted, self.risers())

    def risers(self) -> Iterator[list[StoredLink]]:
        """Reads the row of every link that can rise (queued, waiting, under the cut), a page at a time. Scans the table: an index
        of links under the cut would make each of them more expensive, and the cut rarely moves."""
        return self._pages('state <= 1 OR "drop" = ?', Drop.BELOW_CUT)

    def ended(self, drops: Collection[Drop], outcomes: Collection[Outcome]) -> Iterator[list[OpenLink]]:
        """Reads every link that ended with one of these drops, or could not be fetched because of one of these outcomes, a
        page at a time. Scans the table, like `risers`."""
        failed = f'"drop" {LIST_CONDITION} AND outcome {LIST_CONDITION}'
        condition = f'state = 3 AND ("drop" {LIST_CONDITION} OR ({failed}))'
        yield from map(self._sighted, self._pages(condition, *map(listed, (drops, FAILED_DROPS, outcomes))))

    def put_sightings(self, found: Sequence[tuple[int, tuple[Sighting, ...]]]) -> None:
        """Replaces the sightings of these links."""
        rows = ((link, _encode(sightings)) for link, sightings in found)
        self.connection.executemany("INSERT OR REPLACE INTO sightings VALUES (?, ?)", rows)

    def add_sightings(self, found: Sequence[tuple[int, Sighting]], most: int) -> None:
        """Adds a sighting to each of these links that has fewer than `most`. It is appended to the bytes: an array of up to 15
        things has its length in its first byte, so nothing is decoded, and links that have enough are not even read."""
        if not found:
            return
        full = bytes((_EMPTY + most,)) if most < _LONG else b"\xff"
        query = (
            f"SELECT link, CASE WHEN substr(data, 1, 1) < ? THEN data END FROM sightings WHERE link {LIST_CONDITION}"  # noqa: S608
        )
        stored = dict(self._execute(query, (full, listed([link for link, _ in found]))))
        rows = [(link, _longer(stored.get(link, b""), seen, most)) for link, seen in found]
        self.connection.executemany(
            "INSERT OR REPLACE INTO sightings VALUES (?, ?)", ((link, data) for link, data in rows if data)
        )

    def _pages(self, condition: str, *values: str) -> Iterator[list[StoredLink]]:
        """Yields the links that fit, in the order of their numbers."""
        after = 0
        while rows := list(self._links(f"({condition}) AND id > ? ORDER BY id LIMIT ?", *values, after, _PAGE_LINKS)):
            after = rows[-1].id
            yield rows

    def _sighted(self, rows: Sequence[StoredLink], held: Callable[[int], bool] = lambda _: False) -> list[OpenLink]:
        wanted = [row.id for row in rows if not held(row.id)]
        seen = dict(zip(wanted, self.sightings(wanted), strict=True)) if wanted else {}
        return [OpenLink(row, self._target(row, seen.get(row.id, ()))) for row in rows]

    def _target(self, row: StoredLink, sightings: tuple[Sighting, ...]) -> Target:
        return Target(row.id, row.url, self._host_name(row.host), row.depth, row.hops, sightings, row.score)


def _longer(data: bytes | None, sighting: Sighting, most: int) -> bytes | None:
    """Returns stored sightings with one more, or None if there are enough, as there are if `data` is None."""
    if not data:
        return data if data is None else _encode((sighting,))
    if data[0] < _EMPTY + _LONG:
        return bytes((data[0] + 1,)) + data[1:] + _encode(sighting)
    sightings = decode_sightings(data)
    return _encode((*sightings, sighting)) if len(sightings) < most else None
