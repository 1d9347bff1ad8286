"""The links that were met, as the store has them: their rows, their sightings, and the targets that a lead is shown.

Rule: nothing here changes how a link stands in the queue; that is the frontier's. What was read holds until the next lease,
score or ending.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, NamedTuple

from opilio.core.items import Sighting, Target
from opilio.core.outcome import Drop, Outcome

from .schedule import Schedule
from .sqlite import SqliteStore
from .store import StoredLink

_PAGE_LINKS: Final = 1_000  # read at a time


class OpenLink(NamedTuple):
    """A link that can still rise, or come back: its row, and the target that a lead is shown."""

    row: StoredLink
    target: Target


class Links:
    def __init__(self, store: SqliteStore, schedule: Schedule) -> None:
        self._store = store
        self._schedule = schedule

    # --- one link

    def url(self, link: int) -> str:
        return self._store.read(link).url

    def read(self, link: int) -> StoredLink:
        return self._store.read(link)

    def judge_score(self, link: int) -> float | None:
        """Returns the score that the judge gave to the page of a link, or None if there is none."""
        return self._store.judge_score(link)

    def sightings(self, link: int) -> tuple[Sighting, ...]:
        return self._store.sightings([link])[0]

    # --- many links

    def fetch_times(self, links: Sequence[int]) -> list[tuple[int, float]]:
        """Returns the host of each link, and when its page was fetched."""
        return self._store.fetch_times(links)

    def open(self, links: Sequence[int], held: Callable[[int], bool] = lambda _: False) -> list[OpenLink]:
        """Reads those of these links that can still rise, once each and in the order given, with two statements however
        many there are. `held` tells which links are wanted without their sightings."""
        rows = self._store.read_all(list(dict.fromkeys(links))) if links else []
        return self._sighted([row for row in rows if row.can_rise], held)

    def all_open(self) -> Iterator[list[OpenLink]]:
        """Reads every link that can rise, a page at a time."""
        yield from map(self._sighted, self.risers())

    def risers(self) -> Iterator[list[StoredLink]]:
        """Reads the row of every link that can rise, a page at a time."""
        after = 0
        while rows := self._store.risers(after, _PAGE_LINKS):
            after = rows[-1].id
            yield rows

    def ended(self, drops: Collection[Drop], outcomes: Collection[Outcome]) -> Iterator[list[OpenLink]]:
        """Reads every link that ended with one of these drops, or could not be fetched because of one of these outcomes, a
        page at a time."""
        after = 0
        while rows := self._store.ended(drops, outcomes, after, _PAGE_LINKS):
            after = rows[-1].id
            yield self._sighted(rows)

    # --- sightings

    def put_sightings(self, found: Sequence[tuple[int, tuple[Sighting, ...]]]) -> None:
        """Replaces the sightings of these links."""
        self._store.put_sightings(found)

    def add_sightings(self, found: Sequence[tuple[int, Sighting]], most: int) -> None:
        """Adds a sighting to each of these links that has fewer than `most`."""
        if found:
            self._store.add_sightings(found, most)

    def _sighted(self, rows: Sequence[StoredLink], held: Callable[[int], bool] = lambda _: False) -> list[OpenLink]:
        wanted = [row.id for row in rows if not held(row.id)]
        seen = dict(zip(wanted, self._store.sightings(wanted), strict=True)) if wanted else {}
        return [OpenLink(row, self._target(row, seen.get(row.id, ()))) for row in rows]

    def _target(self, row: StoredLink, sightings: tuple[Sighting, ...]) -> Target:
        return Target(row.id, row.url, self._schedule.name(row.host), row.depth, row.hops, sightings, row.score)
