"""Hosts in doubt have room of their own, of which no registered domain takes all."""

from opilio.core.items import Lease
from opilio.enqueue import Politeness
from tests.builders import memory_store

from .yard import Yard

SHARE = 4


def _leased(yard: Yard, most: int = 50) -> list[Lease]:
    """What is handed out at this moment."""
    found = (yard.frontier.lease(yard.now_s, of_domain=SHARE) for _ in range(most))
    return [lease for lease in found if lease is not None]


def _yard() -> Yard:
    yard = Yard(memory_store(), politeness=Politeness(delay_s=0.0))
    for number in range(20):
        yard.put(f"h{number}.crowd.example", 0.9, 0.9)
    for name in ("one.example", "www.two.example"):
        yard.put(name, 0.1)
    return yard


def test_a_domain_has_its_share_of_the_requests_and_others_keep_going() -> None:
    yard = _yard()
    leases = _leased(yard)
    assert len([lease for lease in leases if lease.host.endswith("crowd.example")]) == SHARE
    assert {lease.host for lease in leases} >= {"one.example", "www.two.example"}
    yard.end(leases[0])
    yard.now_s += 1.0
    assert [lease.host.endswith("crowd.example") for lease in _leased(yard)] == [True]
    yard.check()


def test_hosts_that_are_proven_do_not_count() -> None:
    yard = _yard()
    for number in range(20):
        yard.frontier.schedule.answered(f"h{number}.crowd.example", promptly=True)
    assert len(_leased(yard)) == 22


def test_a_request_that_takes_long_is_not_young() -> None:
    yard = _yard()
    leases = _leased(yard)
    assert yard.frontier.leases.young(yard.now_s) == len(leases)
    yard.frontier.release(leases[0], yard.now_s)
    assert yard.frontier.leases.young(yard.now_s + 2.0) == 1  # it has its answer
    yard.now_s += 2.0
    assert yard.frontier.leases.doubtful == len(leases)
