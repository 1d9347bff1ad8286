"""What listeners of the frontier are told of links that end.

Rules:

1. Every ending is told exactly once, whatever brought it about: a finished lease, used-up tries, a refusal, the cut, a
   layer's cut, a closed host (even one that is found closed when the frontier is opened, or when a link comes back to
   it), or the operator's mark.
2. A drop that no longer holds is told once too: when a link rises over the cut, is revived, or is kept after all.
3. Listeners are told after the store knows, in the order in which they were given. Links that end together for one
   reason are told together.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from opilio.core.items import Lease
from opilio.core.outcome import Drop

from .store import StoredLink


class Ended(NamedTuple):
    links: Sequence[int]
    drop: Drop | None  # None: kept
    page: bool = False  # whether a page was brought
    lease: Lease | None = None  # the lease that was finished, if there was one
    detail: str = ""

    @property
    def can_rise(self) -> bool:
        """Returns whether another score, or another cut, could bring the links back."""
        return self.drop is Drop.BELOW_CUT


class Listener:
    """A base class: derive from it, and override what you want to be told."""

    def ended(self, ended: Ended) -> None: ...

    def returned(self, links: Sequence[int], drop: Drop) -> None:
        """Is told of links that had ended with this drop, which no longer holds."""


class Announcer:
    """Tells all listeners."""

    def __init__(self, listeners: Iterable[Listener]) -> None:
        self._listeners = tuple(listeners)

    def ended(self, ended: Ended) -> None:
        if ended.links:
            for listener in self._listeners:
                listener.ended(ended)

    def dropped(self, rows: Iterable[StoredLink]) -> None:
        """Tells of those links that have a drop now."""
        for drop, links in _by_drop(rows).items():
            self.ended(Ended(links, drop))

    def returned(self, rows: Iterable[StoredLink]) -> None:
        """Tells that drops no longer hold. The rows come as they were before."""
        for drop, links in _by_drop(rows).items():
            for listener in self._listeners:
                listener.returned(links, drop)


def _by_drop(rows: Iterable[StoredLink]) -> dict[Drop, list[int]]:
    """Returns the numbers of the rows that have a drop, by drop."""
    found: dict[Drop, list[int]] = {}
    for row in rows:
        if row.drop is not None:
            found.setdefault(row.drop, []).append(row.id)
    return found
