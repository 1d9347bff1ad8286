"""The rows of links, hosts and sightings, read from SQLite: what the store of a crawl and whoever only looks have in common."""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import msgspec

from opilio.core.errors import CrawlDirError
from opilio.core.items import Sighting
from opilio.core.outcome import Drop

from .store import State, StoredHost, StoredLink

LINK_COLUMNS: Final = ", ".join(f'"{name}"' for name in StoredLink._fields)
_HOST_COLUMNS: Final = ", ".join(StoredHost._fields)
LIST_CONDITION: Final = "IN (SELECT value FROM json_each(?))"  # constant, so that each statement is compiled once
_STATES: Final = tuple(State)  # by number; asking the enumerations would take as long as all the rest
_DROPS: Final[dict[str | None, Drop | None]] = {None: None, **{drop.value: drop for drop in Drop}}
decode_sightings: Final = msgspec.msgpack.Decoder(tuple[Sighting, ...]).decode


class Rows:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._execute = connection.execute

    def read(self, link: int) -> StoredLink:
        return next(self._links("id = ?", link))

    def judge_score(self, link: int) -> float | None:
        """Returns the score that the judge gave to the page of a link, or None if there is none."""
        found = self._execute("SELECT judge_score FROM links WHERE id = ?", (link,)).fetchone()
        return found[0] if found else None

    def read_all(self, links: Sequence[int]) -> list[StoredLink]:
        """Returns the rows of links in the order of their numbers in `links`, by one statement, however many there are."""
        found = {link.id: link for link in self._links(f"id {LIST_CONDITION}", listed(links))}
        return [found[link] for link in links]

    def sightings(self, links: Sequence[int]) -> list[tuple[Sighting, ...]]:
        """Returns the sightings of each link, in the order given, by one statement like `read_all`."""
        query = f"SELECT link, data FROM sightings WHERE link {LIST_CONDITION}"  # noqa: S608
        found = {link: decode_sightings(data) for link, data in self._execute(query, (listed(links),))}
        return [found.get(link, ()) for link in links]

    def fetch_times(self, links: Sequence[int]) -> list[tuple[int, float]]:
        """Returns the host of each link, and when its page was fetched, by one statement like `read_all`."""
        query = f"SELECT id, host, fetched_s FROM links WHERE id {LIST_CONDITION}"  # noqa: S608
        found = {link: (host, fetched_s) for link, host, fetched_s in self._execute(query, (listed(links),))}
        return [found[link] for link in links]

    def host(self, host: int) -> StoredHost:
        return next(self._hosts("WHERE id = ?", host))

    def hosts(self) -> list[StoredHost]:
        return list(self._hosts("ORDER BY id"))

    def _links(self, condition: str, *values: int | str) -> Iterator[StoredLink]:
        query = f"SELECT {LINK_COLUMNS} FROM links WHERE {condition}"  # noqa: S608
        return map(stored_link, self._execute(query, values))

    def _hosts(self, condition: str, *values: int) -> Iterator[StoredHost]:
        for row in self._execute(f"SELECT {_HOST_COLUMNS} FROM hosts {condition}", values):  # noqa: S608
            yield StoredHost._make((*row[:7], Drop(row[7]) if row[7] else None))


def key_bytes(key: int) -> bytes:
    """Returns a fingerprint as it is stored in a list of them."""
    return key.to_bytes(8, "little", signed=True)


def stored_link(row: tuple[Any, ...]) -> StoredLink:
    try:
        return StoredLink._make((*row[:4], _STATES[row[4]], *row[5:13], _DROPS[row[13]]))
    except (IndexError, KeyError, TypeError) as error:
        raise CrawlDirError(
            f"the row of link {row[0]} in the crawl's database is damaged: {error}. Restore the folder from a backup, or "
            "begin in a new one."
        ) from error


def listed(values: Collection[int] | Collection[str]) -> str:
    """Returns numbers or words as the value of a `LIST_CONDITION`."""
    return msgspec.json.encode(list(values)).decode()
