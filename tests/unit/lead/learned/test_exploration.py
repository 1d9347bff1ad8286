"""Links that are fetched to learn what is being missed, and the estimate that comes of them."""

from statistics import mean

import pytest

from opilio.lead import Learned
from tests.unit.lead.lead_field import EXPLORED, Field, Seen, explored, judged


def test_the_share_of_picks_that_explore_is_kept() -> None:
    field = Field(Learned(explore=0.1))
    field.lead.score([field.target(Seen()) for _ in range(100)])
    picks = [bool(explored(field.lead)) for _ in range(1_000)]
    assert 0.07 < mean(picks) < 0.13


def test_without_exploration_nothing_is_known_of_what_is_missed() -> None:
    field = Field(Learned(explore=0.0))
    field.meet(Seen(), Seen())
    assert field.lead.remaining() is None


def test_what_remains_is_estimated_without_bias() -> None:
    """A queue of 300 links, 75 of them good. The good ones stand where the learner is unsure, and so are drawn more often."""
    field = Field(Learned(explore=0.99))
    places = [Seen(position=2_000, boilerplate=1.0, parent_score=0.9) if n % 4 == 0 else Seen() for n in range(300)]
    waiting = {target.id: (target, n % 4 == 0) for n, target in enumerate(map(field.target, places))}
    field.lead.score([target for target, _ in waiting.values()])
    estimates = []
    for _ in range(800):
        for link in explored(field.lead):
            target, good = waiting[link]
            field.learn(target, float(good))
            field.lead.score([target])  # comes back: the queue stays as it is
            estimates.append(field.lead.remaining() or 0.0)
    assert len(estimates) > 700
    assert 60 < mean(estimates[100:]) < 90


def test_explored_links_that_bring_no_page_count_as_none() -> None:
    field = Field(Learned(explore=0.99))
    for _ in range(40):
        field.lead.score([field.target(Seen()) for _ in range(5)])
        field.lead.forget(explored(field.lead))
    assert field.lead.remaining() == 0.0


def test_a_link_that_is_drawn_twice_counts_twice() -> None:
    field = Field(Learned(explore=0.99))
    [target] = [field.target(Seen())]
    field.lead.score([target])
    drawn = sum(link == target.id for _ in range(40) for link, score in field.lead.fresh()[-1:] if score == EXPLORED)
    assert drawn > 30
    field.learn(target, 1.0)
    assert field.lead.remaining() == pytest.approx(1.0, rel=0.5)


def test_explored_links_that_wait_are_told_again_for_some_may_have_been_leased() -> None:
    field = Field(Learned(explore=0.99))
    field.lead.score([field.target(Seen()) for _ in range(50)])
    told = [{link for link, score in field.lead.fresh() if score == EXPLORED} for _ in range(10)]
    assert len(told[-1]) > 5
    assert told[-2] <= told[-1]


def test_a_link_that_is_explored_stays_first_when_it_is_seen_again_and_others_do_not() -> None:
    field = Field(Learned(explore=0.99))
    targets = [field.target(Seen()) for _ in range(20)]
    field.lead.score(targets)
    under_way = explored(field.lead)
    assert 0 < len(under_way) < 20
    again = dict(zip([target.id for target in targets], field.lead.score(targets), strict=True))
    assert sorted(link for link, score in again.items() if score == EXPLORED) == sorted(under_way)


def test_a_link_that_has_waited_behind_64_others_is_worth_what_its_signals_say() -> None:
    field = Field(Learned(explore=0.99))
    targets = {target.id: target for target in (field.target(Seen()) for _ in range(300))}
    field.lead.score(list(targets.values()))
    [first] = explored(field.lead)
    while first in (under_way := explored(field.lead)) or not under_way:
        pass
    assert len(under_way) == 64
    assert field.lead.score([targets[first]])[0] < 0.0


def test_people_are_told_that_a_link_is_explored() -> None:
    field = Field(Learned(explore=0.99))
    targets = {target.id: target for target in (field.target(Seen()) for _ in range(20))}
    field.lead.score(list(targets.values()))
    [link] = explored(field.lead)
    for number, target in targets.items():
        assert ("drawn by chance" in field.lead.explain(target)[0]) == (number == link)


def test_links_that_are_explored_come_first_in_a_resumed_crawl_and_count_there() -> None:
    field = Field(Learned(explore=0.99))
    targets = {target.id: target for target in (field.target(Seen()) for _ in range(100))}
    field.lead.score(list(targets.values()))
    for _ in range(20):
        explored(field.lead)
    field.learn(field.target(Seen()), 0.5)
    resumed = Learned(explore=0.99)
    resumed.load(field.lead.save() or b"")
    scores = dict(zip(targets, resumed.score(list(targets.values())), strict=True))
    first = [link for link, score in scores.items() if score == EXPLORED]
    assert len(first) > 10
    for lead in (field.lead, resumed):
        lead.forget(first[1:])
        lead.learn(judged(targets[first[0]], 0.9))
    assert resumed.remaining() == field.lead.remaining()
    assert resumed.remaining()
