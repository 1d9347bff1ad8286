"""Pages that were fetched before are leased once more. Whatever happens to such a lease, the link stays as it had ended."""

from opilio.core.outcome import Drop
from opilio.enqueue import Policy, State, only_due
from tests.builders import memory_store
from tests.unit.enqueue.yard import POLITE, Yard


def fetched(yard: Yard, *links: int) -> None:
    for _ in links:
        yard.end(yard.must_lease())


def test_a_damaged_row_does_not_end_a_page_that_was_fetched_before() -> None:
    yard = Yard(memory_store())
    [link] = yard.put("a.test", 0.9)
    fetched(yard, link)
    yard.store._execute("UPDATE links SET url = 'http://a.test/other' WHERE id = ?", (link,))
    yard.frontier.visit_again([link], yard.now_s)
    yard.now_s += 10
    assert yard.lease() is None
    row = yard.frontier.links.read(link)
    assert (row.state, row.drop, row.bucket) == (State.DONE, None, 0)
    assert not yard.drops
    assert yard.frontier.leased == yard.frontier.queued == 0


def test_a_full_host_closes_only_after_its_last_visit_though_that_is_given_back_first() -> None:
    yard = Yard(memory_store(), politeness=POLITE._replace(pages_per_host=1))
    [link] = yard.put("a.test", 0.9)
    fetched(yard, link)
    assert yard.frontier.schedule.host("a.test").closed is Drop.HOST_FULL
    yard.frontier.visit_again([link], yard.now_s)
    first = yard.must_lease()
    yard.frontier.release(first, yard.now_s, page=False)  # robots.txt was asked for
    yard.frontier.give_back(first, yard.now_s)
    second = yard.must_lease()
    assert second.again
    assert yard.frontier.finish_as_before(second, yard.now_s)
    assert yard.frontier.schedule.host("a.test").closed is Drop.HOST_FULL


def test_a_full_host_stays_open_while_one_of_its_pages_is_being_visited() -> None:
    yard = Yard(memory_store(), politeness=POLITE._replace(pages_per_host=2))
    links = yard.put("a.test", 0.9, 0.8)
    fetched(yard, *links)
    yard.frontier.visit_again(links, yard.now_s)
    early = yard.must_lease()
    yard.frontier.release(early, yard.now_s, page=False)
    late = yard.must_lease()
    assert yard.frontier.finish_as_before(early, yard.now_s)
    yard.frontier.give_back(late, yard.now_s)
    assert yard.must_lease().id == late.id


def test_visits_are_over_though_a_host_without_any_still_cools() -> None:
    yard = Yard(memory_store(), only_due(Policy()))
    [link] = yard.put("a.test", 0.9)
    yard.put("b.test", 0.9)
    yard.frontier.schedule.rest("b.test", 3_600.0, yard.now_s)
    yard.frontier.visit_again([link], yard.now_s)
    assert yard.frontier.has_more
    assert yard.frontier.finish_as_before(yard.must_lease(), yard.now_s)
    assert not yard.frontier.has_more
