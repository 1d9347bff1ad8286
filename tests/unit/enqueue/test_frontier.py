"""The frontier's promises about order, leases and memory."""

from pathlib import Path
from random import Random

import pytest

from opilio.core.items import Candidate, Link, Sighting
from opilio.core.outcome import Drop, Outcome
from opilio.enqueue import SCHEMA, Ended, Ending, Frontier, Policy, SqliteStore, State
from opilio.enqueue.hosts import HEAD, Status
from opilio.enqueue.policy import Best, Patient, Weighted
from opilio.folder.database import Database
from tests.builders import memory_store
from tests.unit.enqueue.yard import KEPT, POLITE, NewYard, Yard, layered

FAILED = Ending(Drop.FETCH_FAILED)


@pytest.fixture
def new_yard() -> NewYard:
    return lambda policy=None, politeness=POLITE: Yard(memory_store(), policy, politeness)


# --- meeting


def test_a_url_keeps_the_number_of_its_first_meeting(new_yard: NewYard) -> None:
    yard = new_yard()
    assert yard.frontier.meet(["http://a/1", "http://a/2", "http://a/1"]) == [1, 2, 1]
    assert yard.frontier.meet(["http://a/3", "http://a/2"]) == [3, 2]
    assert (yard.frontier.find("http://a/2"), yard.frontier.find("http://a/4"), len(yard.frontier)) == (2, 0, 3)


def test_a_refused_url_is_remembered_with_its_reason_and_never_leased(new_yard: NewYard) -> None:
    yard = new_yard()
    [link] = yard.frontier.meet(["http://a/x.pdf"])
    yard.frontier.refuse([(link, Candidate("http://a/x.pdf", "a", 1), Drop.MEDIA)], yard.now_s)
    assert (yard.state(link), yard.drop(link), yard.lease()) == (State.DONE, Drop.MEDIA, None)
    assert yard.frontier.links.url(link) == "http://a/x.pdf"
    yard.check()


def test_a_link_under_the_cut_ends_as_below_cut(new_yard: NewYard) -> None:
    yard = new_yard(Policy(cut=0.5))
    low, high = yard.put("a", 0.49, 0.5)
    assert (yard.drop(low), yard.state(high)) == (Drop.BELOW_CUT, State.QUEUED)
    assert yard.drain() == [high]
    yard.check()


# --- order


def test_best_first_over_all_hosts_that_may_be_asked(new_yard: NewYard) -> None:
    yard = new_yard()
    a_low, a_high = yard.put("a", 0.1, 0.9)
    b_mid, b_older, b_younger = yard.put("b", 0.5, 0.2, 0.2)
    assert [yard.must_lease().id, yard.must_lease().id] == [a_high, b_mid]
    assert yard.lease() is None
    yard = new_yard()
    yard.put("a", 0.1, 0.9)
    yard.put("b", 0.5, 0.2, 0.2)
    assert yard.drain() == [a_high, b_mid, b_older, a_low, b_younger]


def test_a_hosts_links_come_best_first_beyond_the_head_in_memory(new_yard: NewYard) -> None:
    yard = new_yard()
    scores = [(n * 37) % 61 / 61 for n in range(60)]
    numbers = yard.put("a", *scores)
    expected = sorted(numbers, key=lambda number: (-scores[number - 1], number))
    assert len(numbers) > 5 * HEAD
    assert yard.drain() == expected
    yard.check()


def test_links_that_arrive_while_others_are_fetched_take_their_place(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", *(n / 100 for n in range(50)))
    order = []
    for n in range(50):
        lease = yard.must_lease()
        order.append(lease.score)
        yard.put("a", 0.485 - n / 100)
        yard.end(lease)
        yard.check()
    rest = [yard.frontier.schedule.queued, len(yard.drain())]
    assert rest == [50, 50]
    assert order == sorted(order, reverse=True)


def test_strict_serves_the_best_bucket_that_has_a_polite_host(new_yard: NewYard) -> None:
    yard = new_yard(Policy(bounds=(0.8, 0.5)))
    yard.put("a", 0.1, 0.9, 0.85)
    yard.put("b", 0.6)
    yard.put("c", 0.3)
    assert [yard.must_lease().score for _ in range(3)] == [0.9, 0.6, 0.3]


def test_a_patient_policy_waits_for_the_hosts_of_a_better_bucket_and_for_no_others(new_yard: NewYard) -> None:
    yard = new_yard(Patient(bounds=(0.8, 0.5)))
    yard.put("a", 0.1, 0.9, 0.85)
    yard.put("b", 0.95, 0.6)
    first, second = yard.must_lease(), yard.must_lease()
    assert [first.score, second.score] == [0.95, 0.9]
    assert yard.lease() is None  # a host that is asked is waited for
    yard.end(first)
    yard.end(second)
    yard.now_s += 0.9
    assert yard.lease() is None  # one that cools too
    assert [yard.store.read(link).score for link in yard.drain()] == [0.85, 0.6, 0.1]
    yard.check()


@pytest.mark.parametrize(("hosts", "waits"), [(9, True), (10, False)])
def test_from_ten_hosts_on_hosts_with_hardly_worse_links_are_asked_meanwhile(
    new_yard: NewYard, hosts: int, waits: bool
) -> None:
    yard = new_yard(Patient(bounds=(0.8, 0.5), leeway=1.0))
    yard.put("best", 0.9, 0.85)
    for number in range(hosts - 1):
        yard.put(f"h{number}", 0.7)
    yard.must_lease()
    assert (yard.lease() is None) is waits


def test_the_best_link_is_waited_for_also_within_its_bucket(new_yard: NewYard) -> None:
    yard = new_yard(Best())
    yard.put("a", *(1 - n / 100 for n in range(2 * HEAD)))
    yard.put("b", 0.905, 0.5)
    scores = [yard.store.read(link).score for link in yard.drain()]
    assert scores == sorted(scores, reverse=True)
    yard.check()


@pytest.mark.parametrize("kind", [Patient, Best])
def test_a_host_that_rests_for_long_is_not_waited_for_until_it_is_back(new_yard: NewYard, kind: type[Policy]) -> None:
    yard = new_yard(kind(bounds=(0.5,)), POLITE._replace(patience_s=3.0))
    yard.put("a", 0.9, 0.8, 0.7)
    yard.put("b", 0.4, 0.3, 0.2, 0.1)
    lease = yard.must_lease()
    yard.frontier.release(lease, yard.now_s, pause_s=4.0)
    yard.frontier.finish(lease, KEPT, yard.now_s)
    yard.put("a", 0.6)
    assert [yard.store.read(link).score for link in yard.drain()] == [0.4, 0.3, 0.2, 0.1, 0.8, 0.7, 0.6]
    yard.check()


def test_a_reopened_frontier_is_as_patient_as_before(new_yard: NewYard) -> None:
    yard = new_yard(Patient(bounds=(0.5,)))
    yard.put("a", 0.9, 0.8)
    yard.put("b", 0.4)
    yard.end(yard.must_lease())
    yard.frontier.schedule.save()
    yard.reopen()
    assert yard.must_lease().score == 0.8


def test_a_patient_policy_forgets_the_links_of_a_closed_host(new_yard: NewYard) -> None:
    yard = new_yard(Patient(bounds=(0.5,)))
    yard.put("a", 0.9, 0.8)
    yard.put("b", 0.4)
    yard.end(yard.must_lease())
    yard.frontier.close_host("a", Drop.HOST_DEAD)
    assert yard.must_lease().score == 0.4


def test_weighted_draws_buckets_by_the_inverse_of_their_rank(new_yard: NewYard) -> None:
    yard = new_yard(Weighted(bounds=(0.5,)))
    for n in range(300):
        yard.put(f"good{n}", 0.9)
        yard.put(f"bad{n}", 0.1)
    good = sum(yard.must_lease().score > 0.5 for _ in range(300))
    assert 170 <= good <= 230  # two thirds of 300, give or take four standard deviations
    yard.check()


# --- waves


def test_layers_are_fetched_one_after_the_other(new_yard: NewYard) -> None:
    yard = new_yard(layered())
    [seed] = yard.put("a", 0.0)
    later = yard.put("b", 0.9, 0.8, depth=1)
    assert (yard.frontier.waiting, yard.frontier.at_boundary) == (2, False)
    assert (yard.drain(), yard.frontier.at_boundary) == ([seed], True)
    yard.check()
    assert (yard.frontier.cross(yard.now_s), yard.frontier.at_boundary) == (2, False)
    assert yard.drain() == later
    yard.check()


def test_no_boundary_while_a_lease_is_out(new_yard: NewYard) -> None:
    yard = new_yard(layered())
    yard.put("a", 0.0)
    yard.put("b", 0.9, depth=1)
    lease = yard.must_lease()
    during = yard.frontier.at_boundary
    yard.end(lease)
    assert (during, yard.frontier.at_boundary) == (False, True)


def test_the_target_of_a_redirect_does_not_wait_for_a_boundary(new_yard: NewYard) -> None:
    yard = new_yard(layered())
    [link] = yard.put("a", 0.0, depth=3, hops=1)
    assert yard.state(link) is State.QUEUED


@pytest.mark.parametrize("keep_rest", [True, False])
def test_a_layer_lets_its_best_through_and_the_rest_waits_or_ends(new_yard: NewYard, keep_rest: bool) -> None:
    yard = new_yard(layered(top=2, keep_rest=keep_rest))
    low, high, mid = yard.put("a", 0.1, 0.9, 0.5, depth=1)
    assert yard.frontier.at_boundary
    assert yard.frontier.cross(yard.now_s) == 2
    assert yard.drain() == [high, mid]
    yard.check()
    assert yard.state(low) is (State.WAITING if keep_rest else State.DONE)
    assert yard.drop(low) is (None if keep_rest else Drop.LAYER_CUT)
    assert yard.frontier.at_boundary is keep_rest
    if keep_rest:
        assert yard.frontier.cross(yard.now_s) == 1
        assert yard.drain() == [low]


def test_a_layer_does_not_mix_buckets(new_yard: NewYard) -> None:
    yard = new_yard(layered(top=3, bounds=(0.5,)))
    out, inside, better = yard.put("a", 0.4, 0.6, 0.8, depth=1)
    assert yard.frontier.cross(yard.now_s) == 2
    assert yard.drain() == [better, inside]
    assert yard.frontier.cross(yard.now_s) == 1
    assert yard.drain() == [out]


@pytest.mark.parametrize("keep_rest", [True, False])
def test_a_batch_takes_its_quota_of_each_bucket(new_yard: NewYard, keep_rest: bool) -> None:
    yard = new_yard(layered(quotas=(1, 2), bounds=(0.5,), keep_rest=keep_rest))
    numbers = yard.put("a", 0.9, 0.8, 0.3, 0.2, 0.1, depth=1)
    assert yard.frontier.cross(yard.now_s) == 3
    assert yard.drain() == [numbers[0], numbers[2], numbers[3]]
    yard.check()
    rest = [numbers[1], numbers[4]]
    if keep_rest:
        assert yard.frontier.cross(yard.now_s) == 2
        assert yard.drain() == rest
    else:
        assert [yard.drop(link) for link in rest] == [Drop.LAYER_CUT] * 2
        assert yard.frontier.cross(yard.now_s) == 0


def test_a_link_of_a_batch_that_falls_into_a_worse_bucket_waits_for_its_turn_there(new_yard: NewYard) -> None:
    yard = new_yard(layered(quotas=(2, 1), bounds=(0.5,)))
    falling, staying, waiting = yard.put("a", 0.9, 0.8, 0.3, depth=1)
    assert yard.frontier.cross(yard.now_s) == 3
    yard.frontier.rescore([(falling, 0.2), (staying, 0.6), (waiting, 0.35)], yard.now_s)
    assert yard.state(falling) is State.WAITING
    assert yard.drain() == [staying, waiting]
    yard.check()
    assert yard.frontier.cross(yard.now_s) == 1
    assert yard.drain() == [falling]


def test_places_that_a_bucket_cannot_fill_go_to_the_best_of_the_others(new_yard: NewYard) -> None:
    yard = new_yard(layered(quotas=(3, 1, 1), bounds=(0.6, 0.3)))
    high, *medium = yard.put("a", 0.9, 0.5, 0.45, 0.4, 0.35, depth=1)
    low, rest = yard.put("a", 0.2, 0.1, depth=1)
    assert yard.frontier.cross(yard.now_s) == 5
    assert yard.drain() == [high, *medium[:3], low]
    assert yard.frontier.cross(yard.now_s) == 2
    assert yard.drain() == [medium[3], rest]


def test_quotas_that_fit_nothing_do_not_stop_the_crawl(new_yard: NewYard) -> None:
    yard = new_yard(layered(quotas=(5,), bounds=(0.5,)))
    [low] = yard.put("a", 0.1, depth=1)
    assert yard.frontier.cross(yard.now_s) == 1
    assert yard.drain() == [low]


def test_waiting_links_of_a_closed_host_do_not_hold_up_the_next_wave(new_yard: NewYard) -> None:
    yard = new_yard(layered(top=1))
    [dead] = yard.put("dead", 0.9, depth=1)
    [alive] = yard.put("alive", 0.5, depth=1)
    yard.frontier.close_host("dead", Drop.HOST_DEAD)
    fetched = []
    while yard.frontier.at_boundary:
        yard.frontier.cross(yard.now_s)
        fetched += yard.drain()
    assert fetched == [alive]
    assert (yard.state(dead), yard.drop(dead)) == (State.DONE, Drop.HOST_DEAD)
    yard.check()


# --- scores that change


def test_rescoring_moves_links_across_buckets_also_beyond_the_head(new_yard: NewYard) -> None:
    yard = new_yard(Policy(bounds=(0.5,)))
    numbers = yard.put("a", *(0.4 - n / 1000 for n in range(60)))
    last, middle = numbers[-1], numbers[30]
    yard.frontier.rescore([(last, 0.9), (middle, 0.8)], yard.now_s)
    yard.check()
    order = yard.drain()
    assert order[:3] == [last, middle, numbers[0]]
    assert sorted(order) == numbers
    yard.check()


def test_rescoring_down_lets_the_others_pass(new_yard: NewYard) -> None:
    yard = new_yard(Policy(bounds=(0.5,)))
    numbers = yard.put("a", *(0.9 - n / 1000 for n in range(60)))
    yard.frontier.rescore([(numbers[0], 0.1), (numbers[59], 0.05)], yard.now_s)
    order = yard.drain()
    assert order == [*numbers[1:59], numbers[0], numbers[59]]


def test_a_link_may_be_named_twice_when_scores_change(new_yard: NewYard) -> None:
    yard = new_yard(Policy(bounds=(0.5,)))
    one, other = yard.put("a", 0.1, 0.2)
    yard.frontier.rescore([(one, 0.9), (one, 0.8)], yard.now_s)
    yard.check()
    assert yard.store.read(one).score == 0.8
    assert yard.drain() == [one, other]


def test_leased_and_ended_links_keep_their_scores(new_yard: NewYard) -> None:
    yard = new_yard()
    done, leased = yard.put("a", 0.9, 0.8)
    yard.end(yard.must_lease())
    yard.must_lease()
    yard.frontier.rescore([(done, 0.1), (leased, 0.1)], yard.now_s)
    assert [yard.store.read(link).score for link in (done, leased)] == [0.9, 0.8]
    yard.check()


def test_other_bounds_sort_every_open_link_anew(new_yard: NewYard) -> None:
    yard = new_yard(layered())
    queued = yard.put("a", *(n / 60 for n in range(60)))
    waiting = yard.put("a", 0.3, 0.9, depth=1)
    yard.frontier.redraw((0.7, 0.2), yard.policy.cut, yard.now_s)
    yard.check()
    assert {yard.store.read(link).bucket for link in (*queued, *waiting)} == {0, 1, 2}
    assert yard.drain() == queued[::-1]


def test_a_link_that_was_leased_when_the_bounds_moved_comes_back_to_its_new_bucket(new_yard: NewYard) -> None:
    yard = new_yard(Policy(bounds=(0.5,)))
    [link] = yard.put("a", 0.2)
    lease = yard.must_lease()
    yard.frontier.redraw((), yard.policy.cut, yard.now_s)
    yard.frontier.give_back(lease, yard.now_s)
    assert yard.store.read(link).bucket == 0
    yard.check()


# --- a cut that links cross


def test_a_better_score_brings_a_cut_link_back_to_its_place(new_yard: NewYard) -> None:
    yard = new_yard(Policy(bounds=(0.8,), cut=0.5))
    low, high, lower = yard.put("a", 0.4, 0.6, 0.1)
    yard.frontier.rescore([(low, 0.9), (lower, 0.45)], yard.now_s)
    yard.check()
    assert (yard.state(low), yard.drop(low), yard.drop(lower)) == (State.QUEUED, None, Drop.BELOW_CUT)
    assert yard.store.read(lower).score == 0.45
    assert yard.drain() == [low, high]


def test_a_cut_link_comes_back_to_a_host_that_had_nothing_else(new_yard: NewYard) -> None:
    yard = new_yard(Policy(cut=0.5))
    [link] = yard.put("a", 0.4)
    yard.frontier.rescore([(link, 0.5)], yard.now_s)
    assert yard.drain() == [link]
    yard.check()


def test_a_cut_link_that_rises_waits_for_its_wave(new_yard: NewYard) -> None:
    yard = new_yard(layered(cut=0.5))
    [link] = yard.put("a", 0.4, depth=1)
    [target] = yard.put("a", 0.4, depth=1, hops=1)
    yard.frontier.rescore([(link, 0.9), (target, 0.9)], yard.now_s)
    yard.check()
    assert (yard.state(link), yard.state(target), yard.frontier.waiting) == (State.WAITING, State.QUEUED, 1)
    yard.drain()
    assert yard.frontier.cross(yard.now_s) == 1
    assert yard.drain() == [link]


def test_an_open_link_that_falls_under_the_cut_ends(new_yard: NewYard) -> None:
    yard = new_yard(layered(cut=0.5))
    best, *others = yard.put("a", *(0.9 - n / 100 for n in range(30)))
    [waiting] = yard.put("a", 0.7, depth=1)
    yard.frontier.rescore([(best, 0.1), (others[-1], 0.2), (waiting, 0.3)], yard.now_s)
    yard.check()
    assert [yard.drop(link) for link in (best, others[-1], waiting)] == [Drop.BELOW_CUT] * 3
    assert yard.drain() == others[:-1]
    assert not yard.frontier.at_boundary


def test_a_host_whose_links_were_all_cut_is_not_waited_for(new_yard: NewYard) -> None:
    yard = new_yard(Policy(cut=0.5))
    _, second = yard.put("a", 0.9, 0.8)
    yard.end(yard.must_lease())
    assert yard.frontier.schedule.next_ready_s(yard.now_s) is not None
    yard.frontier.rescore([(second, 0.1)], yard.now_s)
    assert yard.frontier.schedule.next_ready_s(yard.now_s) is None
    yard.frontier.rescore([(second, 0.7)], yard.now_s)
    assert yard.lease() is None  # the host still cools
    assert yard.drain() == [second]
    yard.check()


def test_a_cut_link_of_a_closed_host_ends_like_the_hosts_others_when_it_rises(new_yard: NewYard) -> None:
    yard = new_yard(Policy(cut=0.5))
    [link] = yard.put("dead", 0.4)
    yard.frontier.close_host("dead", Drop.HOST_DEAD)
    yard.frontier.rescore([(link, 0.9)], yard.now_s)
    assert (yard.state(link), yard.drop(link), yard.drops[Drop.HOST_DEAD]) == (State.DONE, Drop.HOST_DEAD, 1)
    assert (yard.frontier.queued, yard.frontier.links.open([link])) == (0, [])
    yard.check()


def test_what_can_rise_is_queued_waiting_or_under_the_cut(new_yard: NewYard) -> None:
    yard = new_yard(layered(cut=0.5))
    done, leased, queued, cut = yard.put("a", 0.9, 0.8, 0.7, 0.1)
    [waiting] = yard.put("b", 0.9, depth=1)
    yard.end(yard.must_lease())
    yard.must_lease()
    links = [done, leased, queued, cut, waiting]
    assert [row.id for row, _ in yard.frontier.links.open([*links[::-1], queued])] == [waiting, cut, queued]
    assert [row.id for page in yard.frontier.links.all_open() for row, _ in page] == [queued, cut, waiting]


def test_another_cut_ends_some_links_and_brings_others_back(new_yard: NewYard) -> None:
    yard = new_yard(Policy(cut=0.5))
    scores = [n / 2000 for n in range(2000)]  # more than are looked at in one go
    numbers = yard.put("a", *scores)
    assert yard.frontier.queued == 1000
    yard.frontier.redraw((0.9,), 0.75, yard.now_s)
    yard.check()
    assert yard.frontier.queued == 500
    assert [yard.store.read(link).bucket for link in (numbers[1500], numbers[-1])] == [1, 0]
    yard.frontier.redraw((), 0.99, yard.now_s)
    yard.frontier.redraw((), 0.985, yard.now_s)
    yard.check()
    assert yard.drain() == numbers[:1969:-1]


def test_a_link_that_was_leased_when_the_cut_moved_over_it_ends_when_it_comes_back(new_yard: NewYard) -> None:
    yard = new_yard()
    [link] = yard.put("a", 0.2)
    lease = yard.must_lease()
    yard.frontier.redraw((), 0.5, yard.now_s)
    assert yard.state(link) is State.LEASED
    yard.frontier.give_back(lease, yard.now_s)
    assert (yard.state(link), yard.drop(link), yard.lease()) == (State.DONE, Drop.BELOW_CUT, None)
    yard.check()


def test_a_link_keeps_its_tries_while_it_is_under_the_cut(new_yard: NewYard) -> None:
    yard = new_yard(Policy(cut=0.5))
    [link] = yard.put("a", 0.9)
    lease = yard.must_lease()
    yard.frontier.release(lease, yard.now_s)
    yard.frontier.retry(lease, FAILED, yard.now_s)
    for score in (0.1, 0.8):
        yard.frontier.rescore([(link, score)], yard.now_s)
    assert (yard.must_lease().tries, yard.store.read(link).tries) == (1, 1)


def test_open_links_come_with_their_sightings(new_yard: NewYard) -> None:
    yard = new_yard(layered())
    first, second = yard.put("a", 0.9, 0.1)
    [third] = yard.put("b", 0.5, depth=1)
    yard.must_lease()
    seen = Sighting(first, "http://a/0", 1.0, True, Link("http://a/1", "a", "here"))
    yard.frontier.links.put_sightings([(second, (seen,))])
    [links] = yard.frontier.links.all_open()
    assert [(target.id, target.host, target.sightings) for _, target in links] == [
        (second, "a", (seen,)),
        (third, "b", ()),
    ]
    assert yard.frontier.links.open([first, second, third]) == links


def test_sightings_of_a_link_are_replaced_as_a_whole(new_yard: NewYard) -> None:
    yard = new_yard()
    [link] = yard.put("a", 0.0)
    seen = [Sighting(n, f"http://p/{n}", None, False, Link("http://a/0", "a", str(n))) for n in range(3)]
    for many in (1, 2, 3):
        yard.frontier.links.put_sightings([(link, tuple(seen[:many]))])
    assert yard.frontier.links.sightings([link]) == [tuple(seen)]


def test_a_bucket_that_is_never_served_keeps_no_stale_entries(new_yard: NewYard) -> None:
    yard = new_yard(Policy((0.5,)))
    yard.put("a", 0.9)
    low = yard.put("b", 0.1, 0.2)
    for number in range(500):
        yard.frontier.rescore([(low[number % 2], 0.2 + number / 2_000)], yard.now_s)
    assert len(yard.frontier.schedule._ready._heaps[False][1]) <= 50
    assert [yard.must_lease().host, yard.must_lease().id] == ["a", low[1]]


@pytest.mark.parametrize("most", [1, 4, 14, 15, 16, 20])
def test_sightings_are_added_until_there_are_enough(new_yard: NewYard, most: int) -> None:
    yard = new_yard()
    link, other = yard.put("a", 0.0, 0.0)
    seen = [Sighting(n, f"http://p/{n}", None, False, Link("http://a/0", "a", str(n))) for n in range(22)]
    for sighting in seen:
        yard.frontier.links.add_sightings([(link, sighting), (other, seen[0])], most)
    assert yard.frontier.links.sightings([link, other]) == [tuple(seen[:most]), (seen[0],) * min(most, 22)]
    [(_, target)] = yard.frontier.links.open([link], held=lambda number: number == link)
    assert target.sightings == ()


def test_a_host_offers_its_best_link_however_its_scores_move(new_yard: NewYard) -> None:
    yard = new_yard(Policy((0.5,)))
    numbers = yard.put("a", *(n / 100 for n in range(100)))  # more than a host keeps in memory
    rng = Random(3)
    for _ in range(60):
        moved = rng.sample(numbers, 9)
        yard.frontier.rescore([(link, rng.random()) for link in moved], yard.now_s)
        best = max(numbers, key=lambda link: (yard.store.read(link).score, -link))
        lease = yard.must_lease()
        assert lease.id == best
        yard.end(lease)
        numbers.remove(best)
    yard.check()


# --- the example at the head of the schedule


@pytest.mark.parametrize("patient", [False, True])
def test_the_schedule_s_example_goes_as_it_is_told(new_yard: NewYard, patient: bool) -> None:
    yard = new_yard((Patient if patient else Policy)((0.5,)))
    schedule, start_s = yard.frontier.schedule, yard.now_s
    good, poor = yard.put("a", 0.9, 0.3)
    [shared] = yard.put("b", 0.8)
    [far] = yard.put("c", 0.2)
    first, second = yard.must_lease(), yard.must_lease()
    assert (first.id, second.id) == (good, shared)
    assert yard.frontier.place(first, "10.0.0.1", yard.now_s)
    assert not yard.frontier.place(second, "10.0.0.1", yard.now_s)
    third = yard.lease()
    assert (third and third.id) == (None if patient else far)
    assert schedule.host("b").status is Status.PARKED
    yard.now_s = start_s + 0.4
    yard.end(first)
    assert schedule.host("a").status is schedule.host("b").status is Status.COOLING
    assert schedule.next_ready_s(yard.now_s) == start_s + 1.4
    yard.now_s = start_s + 1.4
    again = yard.must_lease()
    assert again.id == shared
    assert yard.frontier.place(again, "10.0.0.1", yard.now_s)
    if not patient:
        assert yard.lease() is None
        assert schedule.host("a").status is Status.PARKED
        yard.now_s = start_s + 1.6
        yard.end(again)
        assert (yard.must_lease().id, yard.now_s) == (poor, start_s + 2.6)
    yard.check()


# --- endings


def test_every_ending_is_told_with_what_is_known_of_it(new_yard: NewYard) -> None:
    yard = new_yard(Policy(cut=0.5), POLITE._replace(tries=1))
    first, second, cut, last = yard.put("a", 0.9, 0.8, 0.1, 0.6)
    lease = yard.must_lease()
    yard.end(lease, Ending(Drop.NOT_RELEVANT, judge_score=0.2, detail="off topic"))
    failing = yard.must_lease()
    assert not yard.frontier.retry(failing, FAILED, yard.now_s)
    yard.frontier.close_host("a", Drop.HOST_DEAD)
    told = {link: ended for ended in yard.heard for link in ended.links}
    assert told[first] == Ended([first], Drop.NOT_RELEVANT, page=True, lease=lease, detail="off topic")
    assert (told[second].lease, told[second].page) == (failing, False)
    assert (told[cut].can_rise, told[last].can_rise, told[last].drop) == (True, False, Drop.HOST_DEAD)
    yard.check()


def test_links_that_end_together_are_told_together(new_yard: NewYard) -> None:
    yard = new_yard()
    numbers = yard.put("a", 0.9, 0.8, 0.7)
    yard.frontier.close_host("a", Drop.HOST_DEAD)
    [ended] = yard.heard
    assert (sorted(ended.links), ended.drop, ended.lease) == (numbers, Drop.HOST_DEAD, None)
    refused = [(number, Candidate(f"http://r/{number}", "r", 0), Drop.MEDIA) for number in yard.frontier.meet("xyz")]
    yard.frontier.refuse(refused, yard.now_s)
    assert yard.heard[1:] == [Ended([4, 5, 6], Drop.MEDIA)]
    yard.check()


def test_a_link_that_comes_back_to_a_closed_host_ends_with_its_lease(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", 0.9)
    lease = yard.must_lease()
    yard.frontier.close_host("a", Drop.HOST_DEAD)
    yard.frontier.give_back(lease, yard.now_s)
    assert yard.heard == [Ended([lease.id], Drop.HOST_DEAD, lease=lease)]


def test_the_operator_s_word_ends_a_link_again_and_takes_that_back(new_yard: NewYard) -> None:
    yard = new_yard()
    [link] = yard.put("a", 0.9)
    yard.end(yard.must_lease())
    yard.told.clear()
    yard.frontier.overrule(link, Drop.MARKED_NO, "by the operator")
    assert (yard.drop(link), yard.drops[Drop.MARKED_NO], yard.heard[-1].page) == (Drop.MARKED_NO, 1, True)
    yard.frontier.overrule(link, None, "")
    assert (yard.drop(link), yard.drops[Drop.MARKED_NO]) == (None, 0)
    yard.check()


# --- leases


def test_a_lease_ends_once_and_for_good(new_yard: NewYard) -> None:
    yard = new_yard()
    [link] = yard.put("a", 0.0)
    lease = yard.must_lease()
    assert yard.state(link) is State.LEASED
    assert yard.frontier.finish(lease, Ending(Drop.ROBOTS), yard.now_s)
    assert (yard.state(link), yard.drop(link)) == (State.DONE, Drop.ROBOTS)
    assert not yard.frontier.finish(lease, KEPT, yard.now_s)
    assert not yard.frontier.retry(lease, FAILED, yard.now_s)
    yard.frontier.give_back(lease, yard.now_s)
    assert yard.drop(link) is Drop.ROBOTS
    yard.check()


def test_a_lease_returns_after_its_deadline_and_late_endings_are_refused(new_yard: NewYard) -> None:
    yard = new_yard()
    [link] = yard.put("a", 0.0)
    old = yard.must_lease()
    yard.now_s += 299.9
    assert yard.lease() is None
    yard.now_s += 0.1
    assert yard.lease() is None  # the request may have been made: the host cools first
    yard.check()
    new = yard.must_lease()
    assert (new.id, new.tries) == (link, 0)
    assert not yard.frontier.finish(old, KEPT, yard.now_s)
    assert not yard.frontier.retry(old, FAILED, yard.now_s)
    yard.frontier.release(old, yard.now_s)
    assert yard.frontier.leases.on_wire == 1
    assert yard.frontier.finish(new, KEPT, yard.now_s)
    yard.check()


def test_an_expired_lease_cannot_be_placed(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", 0.0)
    old = yard.must_lease()
    yard.now_s += 300
    yard.lease()
    assert not yard.frontier.place(old, "10.0.0.1", yard.now_s)
    yard.check()


def test_a_retry_counts_and_the_last_one_ends_the_link(new_yard: NewYard) -> None:
    yard = new_yard(politeness=POLITE._replace(tries=3))
    [link] = yard.put("a", 0.0)
    for tries in range(2):
        lease = yard.must_lease()
        assert lease.tries == tries
        assert yard.frontier.retry(lease, FAILED, yard.now_s)
        assert yard.state(link) is State.QUEUED
    lease = yard.must_lease()
    assert lease.tries == 2
    assert not yard.frontier.retry(lease, FAILED, yard.now_s)
    assert (yard.state(link), yard.drop(link)) == (State.DONE, Drop.FETCH_FAILED)
    yard.check()


def test_what_is_given_back_costs_no_try_and_no_delay(new_yard: NewYard) -> None:
    yard = new_yard()
    [link] = yard.put("a", 0.0)
    yard.frontier.give_back(yard.must_lease(), yard.now_s)
    lease = yard.lease()
    assert lease is not None
    assert (lease.id, lease.tries) == (link, 0)


# --- closing hosts


def test_a_closed_host_drops_what_is_queued_and_refuses_what_comes(new_yard: NewYard) -> None:
    yard = new_yard()
    numbers = yard.put("a", *(n / 60 for n in range(60)))
    [other] = yard.put("b", 0.0)
    assert yard.frontier.close_host("a", Drop.HOST_DEAD) == 60
    [later] = yard.put("a", 0.9)
    assert {yard.drop(link) for link in (*numbers, later)} == {Drop.HOST_DEAD}
    assert yard.drain() == [other]
    yard.check()


def test_a_lease_of_a_host_that_was_closed_meanwhile_does_not_come_back(new_yard: NewYard) -> None:
    yard = new_yard()
    [link] = yard.put("a", 0.0)
    lease = yard.must_lease()
    yard.frontier.close_host("a", Drop.HOST_DEAD)
    yard.frontier.retry(lease, FAILED, yard.now_s)
    assert (yard.state(link), yard.drop(link), yard.frontier.queued) == (State.DONE, Drop.HOST_DEAD, 0)
    yard.check()


def test_a_host_is_full_after_its_number_of_pages(new_yard: NewYard) -> None:
    yard = new_yard(politeness=POLITE._replace(pages_per_host=2))
    numbers = yard.put("a", 0.9, 0.8, 0.7)
    assert yard.drain() == numbers[:2]
    assert yard.drop(numbers[2]) is Drop.HOST_FULL
    yard.check()


# --- politeness


def test_a_host_is_asked_one_link_at_a_time(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", 0.9, 0.8)
    lease = yard.must_lease()
    yard.now_s += 100
    assert yard.lease() is None
    yard.frontier.release(lease, yard.now_s)
    assert yard.frontier.leases.on_wire == 0
    yard.now_s += 1
    assert yard.lease() is not None  # although the first page is still being read
    yard.check()


def test_the_delay_counts_from_the_end_of_a_request(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", 0.9, 0.8)
    lease = yard.must_lease()
    yard.now_s += 50
    yard.end(lease)
    assert yard.frontier.schedule.next_ready_s(yard.now_s) == yard.now_s + 1
    yard.now_s += 0.999
    assert yard.lease() is None
    yard.now_s += 0.001
    assert yard.lease() is not None


@pytest.mark.parametrize(("wish_s", "delay_s"), [(0.5, 1), (7, 7), (1000, 60)])
def test_a_hosts_own_delay_holds_between_the_configured_and_the_longest(
    new_yard: NewYard, wish_s: float, delay_s: float
) -> None:
    yard = new_yard()
    yard.put("a", 0.9, 0.8)
    lease = yard.must_lease()
    yard.frontier.schedule.raise_crawl_delay("a", wish_s)
    yard.end(lease)
    ended_s = yard.now_s
    assert yard.must_lease().score == 0.8
    assert yard.now_s - ended_s == pytest.approx(delay_s)


def test_a_pause_keeps_the_host_longer_than_its_delay(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", 0.9)
    lease = yard.must_lease()
    yard.frontier.release(lease, yard.now_s, pause_s=30)
    assert yard.frontier.retry(lease, FAILED, yard.now_s)
    ended_s = yard.now_s
    yard.must_lease()
    assert yard.now_s - ended_s == pytest.approx(30)


def test_back_off_doubles_up_to_its_cap_and_starts_again_after_an_answer(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", 0.0)
    schedule = yard.frontier.schedule
    for expected_s in (4, 8, 16, 16):
        assert 0.75 * expected_s <= schedule.failed("a") <= 1.25 * expected_s
    schedule.answered("a")
    assert schedule.failed("a") <= 5


def test_a_host_fails_after_its_number_of_failures_in_a_row(new_yard: NewYard) -> None:
    yard = new_yard(politeness=POLITE._replace(host_failures=3))
    yard.put("a", 0.0)
    schedule = yard.frontier.schedule
    for failed in (False, False, True):
        schedule.failed("a")
        assert schedule.is_failing("a") is failed
    schedule.answered("a")
    assert not schedule.is_failing("a")


def test_two_hosts_of_one_address_are_never_asked_at_once(new_yard: NewYard) -> None:
    yard = new_yard()
    [of_a] = yard.put("a", 0.9)
    [of_b] = yard.put("b", 0.8)
    first, second = yard.must_lease(), yard.must_lease()
    assert yard.frontier.place(first, "10.0.0.1", yard.now_s)
    assert not yard.frontier.place(second, "10.0.0.1", yard.now_s)
    assert (yard.state(of_a), yard.state(of_b)) == (State.LEASED, State.QUEUED)
    yard.now_s += 20
    assert yard.lease() is None
    assert not yard.frontier.finish(second, KEPT, yard.now_s)
    yard.end(first)
    ended_s = yard.now_s
    lease = yard.must_lease()
    assert (lease.id, lease.tries, yard.now_s) == (of_b, 0, ended_s + 1)
    assert yard.frontier.place(lease, "10.0.0.1", yard.now_s)
    yard.check()


def test_whoever_waits_for_an_address_goes_on_when_its_user_moves_away(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", 0.9, 0.7)
    yard.put("b", 0.8, 0.6)
    for _ in range(2):
        lease = yard.must_lease()
        assert yard.frontier.place(lease, "10.0.0.1", yard.now_s)
        yard.end(lease)
        yard.now_s += 5
    lease = yard.must_lease()
    assert yard.lease() is None  # the other host is parked behind it
    assert yard.frontier.place(lease, "10.0.0.2", yard.now_s)
    assert yard.must_lease().score == 0.6


def test_an_address_can_be_held_and_let_go_outside_of_any_lease(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", 0.9)
    schedule = yard.frontier.schedule
    assert schedule.hold("10.0.0.1", "b", yard.now_s)
    assert not schedule.hold("10.0.0.1", "b", yard.now_s)
    lease = yard.must_lease()
    assert not yard.frontier.place(lease, "10.0.0.1", yard.now_s)
    assert yard.lease() is None
    schedule.let_go("10.0.0.1", "b", yard.now_s)
    assert not schedule.hold("10.0.0.1", "b", yard.now_s)
    let_go_s = yard.now_s
    yard.must_lease()
    assert yard.now_s == let_go_s + 1
    yard.check()


# --- opening again


def test_all_comes_back_when_it_was_saved(new_yard: NewYard) -> None:
    yard = new_yard(layered(bounds=(0.5,)))
    numbers = yard.put("a", *(n / 60 for n in range(60)))
    yard.put("b", 0.9, depth=1)
    yard.end(yard.must_lease())
    leased = yard.must_lease().id
    yard.frontier.close_host("gone", Drop.HOST_DEAD)
    yard.frontier.schedule.save()
    yard.reopen()
    assert (yard.released, yard.frontier.waiting, len(yard.frontier)) == (1, 1, 61)
    assert max(yard.frontier.meet([f"http://a/{n}" for n in range(60)])) <= 61
    [late] = yard.put("gone", 0.9)
    assert yard.drop(late) is Drop.HOST_DEAD
    yard.check()
    assert yard.drain() == [leased, *numbers[-3::-1]]


def test_a_reopened_frontier_still_keeps_the_delays_of_before(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", 0.9, 0.8)
    lease = yard.must_lease()
    yard.frontier.release(lease, yard.now_s, pause_s=40)
    yard.frontier.finish(lease, KEPT, yard.now_s)
    yard.frontier.schedule.save()
    ended_s = yard.now_s
    yard.reopen()
    yard.must_lease()
    assert yard.now_s == ended_s + 40


def test_a_reopened_frontier_still_keeps_the_delay_of_an_address(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", 0.9, 0.7)
    yard.put("b", 0.8)
    for _ in range(2):
        yard.now_s += 5
        lease = yard.must_lease()
        assert yard.frontier.place(lease, "10.0.0.1", yard.now_s)
        yard.end(lease)
    yard.frontier.schedule.save()
    ended_s = yard.now_s
    yard.reopen()
    assert yard.must_lease().host == "a"
    assert yard.now_s == ended_s + 1


def test_after_a_kill_every_host_cools_once(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", 0.9)
    yard.put("b", 0.8)
    yard.frontier.schedule.raise_crawl_delay("b", 9)
    yard.frontier.schedule.save()
    yard.now_s += 100
    killed_s = yard.now_s
    yard.reopen(after_kill=True)
    assert yard.lease() is None
    assert (yard.must_lease().host, yard.now_s) == ("a", killed_s + 1)
    assert (yard.must_lease().host, yard.now_s) == ("b", killed_s + 9)


def test_the_cooling_after_a_kill_outlives_a_stop(new_yard: NewYard) -> None:
    yard = new_yard()
    yard.put("a", 0.9)
    yard.frontier.schedule.save()
    killed_s = yard.now_s
    yard.reopen(after_kill=True)
    yard.frontier.schedule.save()
    yard.reopen()
    yard.must_lease()
    assert yard.now_s == killed_s + 1


def test_what_a_kill_leaves_leased_ends_where_its_host_was_closed(new_yard: NewYard) -> None:
    yard = new_yard()
    leased, queued = yard.put("a", 0.9, 0.8)
    assert yard.must_lease().id == leased
    yard.frontier.close_host("a", Drop.HOST_DEAD)
    yard.frontier.schedule.save()
    yard.reopen(after_kill=True)
    assert [yard.state(link) for link in (leased, queued)] == [State.DONE, State.DONE]
    assert yard.frontier.queued == 0


def _on_disk(path: Path) -> tuple[Database, SqliteStore]:
    database = Database(path, [SCHEMA])
    return database, SqliteStore(database.connection)


def test_a_kill_loses_nothing_but_what_was_not_committed(tmp_path: Path) -> None:
    database, store = _on_disk(tmp_path / "crawl.db")
    yard = Yard(store)
    committed = yard.put("a", 0.9, 0.8, 0.7)
    yard.end(yard.must_lease())
    leased = yard.must_lease()
    yard.frontier.schedule.save()
    database.commit()
    yard.put("b", 0.5)
    yard.end(leased)
    database.close()
    database, store = _on_disk(tmp_path / "crawl.db")
    yard.reopen(store, highest=store.highest(), after_kill=True)
    assert (yard.released, len(yard.frontier), yard.frontier.find("http://b/3")) == (1, 3, 0)
    assert [yard.state(link) for link in committed] == [State.DONE, State.QUEUED, State.QUEUED]
    yard.check()
    assert yard.drain() == committed[1:]
    assert max(yard.frontier.meet([f"http://a/{n}" for n in range(3)])) <= 3
    database.close()


def test_links_cross_the_cut_also_after_a_resume(tmp_path: Path) -> None:
    database, store = _on_disk(tmp_path / "crawl.db")
    yard = Yard(store, Policy(cut=0.5))
    cut, lifted, kept = yard.put("a", 0.1, 0.2, 0.9)
    yard.frontier.rescore([(lifted, 0.7)], yard.now_s)
    yard.frontier.schedule.save()
    database.commit()
    database.close()
    database, store = _on_disk(tmp_path / "crawl.db")
    yard.reopen(store)
    yard.check()
    assert [yard.state(link) for link in (cut, lifted, kept)] == [State.DONE, State.QUEUED, State.QUEUED]
    yard.frontier.redraw((), 0.8, yard.now_s)
    yard.frontier.rescore([(cut, 0.95)], yard.now_s)
    yard.check()
    assert yard.drain() == [cut, kept]
    database.close()


def test_the_seen_cache_is_used_as_far_as_it_reaches_and_no_further(tmp_path: Path) -> None:
    database, store = _on_disk(tmp_path / "crawl.db")
    cache = tmp_path / "seen.cache"
    frontier = Frontier(store, Policy(), POLITE, Random(0), cache)
    frontier.open(0.0, 0, after_kill=False)
    for batch in ("early", "late"):
        urls = [f"http://{batch}/{n}" for n in range(20)]
        links = [Candidate(url, batch, 0) for url in urls]
        frontier.put([(number, link, 0.0) for number, link in zip(frontier.meet(urls), links, strict=True)], 0.0)
        frontier.schedule.save()
        database.commit()
        if batch == "early":
            frontier.save_seen()
    again = Frontier(store, Policy(), POLITE, Random(0), cache)
    again.open(0.0, store.highest(), after_kill=False)
    assert [again.find(f"http://{batch}/{n}") for batch in ("early", "late") for n in range(20)] == list(range(1, 41))
    database.close()


# --- coming back


def _refuse(yard: Yard, host: str, drop: Drop, count: int = 1) -> list[int]:
    start = len(yard.frontier)
    links = [Candidate(f"http://{host}/{start + n}", host, 1) for n in range(count)]
    numbers = yard.frontier.meet([link.url for link in links])
    yard.frontier.refuse([(number, link, drop) for number, link in zip(numbers, links, strict=True)], yard.now_s)
    return numbers


def test_refused_links_are_read_by_their_drop_or_their_outcome_a_page_at_a_time(new_yard: NewYard) -> None:
    yard = new_yard()
    media, deep = _refuse(yard, "a", Drop.MEDIA, 1_500), _refuse(yard, "a", Drop.TOO_DEEP)
    failed = yard.put("b", 0.9, 0.8)
    for outcome in (Outcome.PORT_REFUSED, Outcome.RESET):
        yard.end(yard.must_lease(), Ending(Drop.FETCH_FAILED, outcome))
    pages = list(yard.frontier.links.ended([Drop.MEDIA], [Outcome.PORT_REFUSED]))
    assert [len(page) for page in pages] == [1_000, 501]
    assert [link.row.id for page in pages for link in page] == [*media, failed[0]]
    assert [link.row.id for page in yard.frontier.links.ended([Drop.TOO_DEEP], []) for link in page] == deep


def test_a_refused_link_comes_back_with_its_score_and_all_its_tries(new_yard: NewYard) -> None:
    yard = new_yard(Policy((0.5,), cut=0.1))
    back, under = _refuse(yard, "a", Drop.MEDIA, 2)
    [failed] = yard.put("b", 0.9)
    for _ in range(POLITE.tries):
        yard.frontier.retry(yard.must_lease(), Ending(Drop.FETCH_FAILED, Outcome.RESET), yard.now_s)
    rows = [yard.store.read(link) for link in (back, under, failed)]
    assert yard.frontier.readmit(list(zip(rows, (0.7, 0.0, 0.9), strict=True)), yard.now_s) == 2
    assert (yard.drop(back), yard.drop(under), yard.drop(failed)) == (None, Drop.BELOW_CUT, None)
    assert yard.store.read(failed).tries == 0
    yard.check()
    assert sorted(yard.drain()) == [back, failed]


def test_a_link_that_is_refused_by_another_rule_has_that_drop_from_then_on(new_yard: NewYard) -> None:
    yard = new_yard()
    [link] = _refuse(yard, "a", Drop.MEDIA)
    yard.frontier.refuse_again([(yard.store.read(link), Drop.TOO_DEEP)], yard.now_s)
    assert (yard.drop(link), +yard.drops) == (Drop.TOO_DEEP, {Drop.TOO_DEEP: 1})
    yard.check()


def test_a_host_that_was_given_up_is_opened_again_for_the_outcome_that_closed_it(new_yard: NewYard) -> None:
    yard = new_yard()
    for host in ("a", "b"):
        yard.put(host, 0.9)
    yard.frontier.close_host("a", Drop.HOST_DEAD, Outcome.ADDRESS_REFUSED)
    yard.frontier.close_host("b", Drop.HOST_DEAD, Outcome.CONNECT_REFUSED)
    for host in ("a", "b"):
        for _ in range(POLITE.host_failures):
            yard.frontier.schedule.failed(host)
    yard.frontier.reopen_hosts([Outcome.ADDRESS_REFUSED])
    assert [yard.frontier.schedule.host(host).closed for host in ("a", "b")] == [None, Drop.HOST_DEAD]
    [link] = yard.put("a", 0.5)
    assert yard.drain() == [link]
    yard.frontier.schedule.politeness = POLITE._replace(host_failures=POLITE.host_failures + 1)
    yard.frontier.reopen_hosts([])
    assert yard.frontier.schedule.host("b").closed is None


def test_a_full_host_is_opened_again_when_it_may_give_more_pages(new_yard: NewYard) -> None:
    yard = new_yard(politeness=POLITE._replace(pages_per_host=1))
    yard.put("a", 0.9, 0.8)
    yard.drain()
    yard.frontier.reopen_hosts([])
    assert yard.frontier.schedule.host("a").closed is Drop.HOST_FULL
    yard.frontier.schedule.politeness = POLITE._replace(pages_per_host=2)
    yard.frontier.reopen_hosts([])
    assert yard.frontier.schedule.host("a").closed is None
