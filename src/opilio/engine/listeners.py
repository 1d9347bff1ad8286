"""Listeners for links that end: the tally counts drops, the event log records leases, the lead forgets links without a
page."""

from collections.abc import Sequence

from opilio.core.clock import Clock
from opilio.core.events import Events
from opilio.core.outcome import Drop
from opilio.enqueue import Ended, Listener
from opilio.folder.tally import Tally
from opilio.lead import Lead


class DropCounts(Listener):
    """Counts drops in the tally."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally

    def ended(self, ended: Ended) -> None:
        if ended.drop is not None and ended.links:
            self._tally.dropped(ended.drop, len(ended.links))

    def returned(self, links: Sequence[int], drop: Drop) -> None:
        self._tally.dropped(drop, -len(links))


class DropEvents(Listener):
    """Emits an event for each lease that was dropped. There are too many links that end without a lease to
    emit one for each."""

    def __init__(self, events: Events, clock: Clock) -> None:
        self._events = events
        self._clock = clock

    def ended(self, ended: Ended) -> None:
        lease, drop = ended.lease, ended.drop
        if lease is not None and drop is not None:
            fields = {"url": lease.url, "host": lease.host, "outcome": drop, "detail": ended.detail}
            self._events.emit(self._clock.now(), "drop", **fields)


class ForgottenLinks(Listener):
    """Lets the lead forget links that bring no page any more. It has already learned from those that brought one."""

    def __init__(self, lead: Lead) -> None:
        self._lead = lead

    def ended(self, ended: Ended) -> None:
        if not ended.page and not ended.can_rise:
            self._lead.forget(ended.links)
