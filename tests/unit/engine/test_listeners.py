"""Who hears of endings: counts go up and down, leases are logged, and the lead forgets just what brings no page."""

from collections.abc import Sequence

import pytest

from opilio.core.clock import SimulatedClock
from opilio.core.events import Event, Events
from opilio.core.items import Lease
from opilio.core.outcome import Drop
from opilio.engine.listeners import DropCounts, DropEvents, ForgottenLinks
from opilio.enqueue import Ended
from opilio.folder import Tally
from opilio.lead import PlainLead

LEASE = Lease(7, "http://a.test/7", "a.test", 0, 0, 0, 0, 0.0, 0.0)


class _Forgetful(PlainLead):
    def __init__(self) -> None:
        self.forgotten: list[int] = []

    def forget(self, links: Sequence[int]) -> None:
        self.forgotten += links


def test_drops_are_counted_and_what_comes_back_is_taken_off() -> None:
    tally = Tally()
    counts = DropCounts(tally)
    counts.ended(Ended([1, 2, 3], Drop.BELOW_CUT))
    counts.ended(Ended([4], None, page=True))
    counts.returned([2], Drop.BELOW_CUT)
    assert tally.drops == {Drop.BELOW_CUT: 2}


def test_only_leases_that_were_dropped_are_logged() -> None:
    heard: list[Event] = []
    log = DropEvents(Events(heard.append), SimulatedClock(5.0))
    log.ended(Ended([1, 2], Drop.HOST_DEAD))
    log.ended(Ended([7], None, page=True, lease=LEASE))
    log.ended(Ended([7], Drop.ROBOTS, lease=LEASE, detail="why"))
    assert heard == [Event(5.0, "drop", LEASE.url, Drop.ROBOTS, "why", "a.test")]


@pytest.mark.parametrize(
    ("ended", "forgotten"),
    [
        (Ended([7], Drop.FETCH_FAILED, lease=LEASE), [7]),
        (Ended([1, 2], Drop.HOST_DEAD), [1, 2]),
        (Ended([1], Drop.BELOW_CUT), []),  # it may rise
        (Ended([7], Drop.NOT_RELEVANT, page=True, lease=LEASE), []),  # the lead has learned from it
        (Ended([7], None, page=True, lease=LEASE), []),
    ],
)
def test_the_lead_forgets_what_brings_no_page_any_more(ended: Ended, forgotten: list[int]) -> None:
    lead = _Forgetful()
    ForgottenLinks(lead).ended(ended)
    assert lead.forgotten == forgotten
