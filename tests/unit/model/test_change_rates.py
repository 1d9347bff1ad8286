"""What visits tell about change rates, and which visits that makes worth most."""

import numpy as np
import pytest

from opilio.model.change_rates import ChangeRates
from opilio.model.revisiting import Revisiting
from opilio.model.visit_history import VisitHistory, due_pages


def rates_of(hosts: list[int], *seen: tuple[int, float, bool]) -> ChangeRates:
    rates = ChangeRates(np.array(hosts), 1.0)
    if seen:
        pages, intervals, changed = zip(*seen, strict=True)
        rates.learn(np.array(pages), np.array(intervals), np.array(changed))
    return rates


def test_the_belief_is_the_exact_posterior_of_censored_intervals() -> None:
    seen = [(0, 0.5, True), (0, 0.2, False), (0, 3.0, True), (0, 0.4, False)]
    rates = rates_of([0], *seen)
    grid = np.linspace(1e-5, 60.0, 400_000)
    density = np.exp(-grid)  # the first belief: a gamma distribution with shape and mean 1
    for _, interval, changed in seen:
        density *= 1 - np.exp(-grid * interval) if changed else np.exp(-grid * interval)
    exact = (grid * density).sum() / density.sum()
    assert rates.means[0] == pytest.approx(exact, rel=0.01)


def test_short_intervals_keep_their_weight_among_long_ones() -> None:
    """Ten long intervals with a change say little; one short one without a change says that the page is not fast."""
    long = [(0, 20.0, True)] * 10
    assert rates_of([0], *long, (0, 1.0, False)).means[0] < 0.7 * rates_of([0], *long).means[0]


def test_pages_that_were_not_visited_are_believed_to_be_like_their_host() -> None:
    fast, slow = range(20), range(20, 40)
    seen = [(page, 1.0, True) for page in list(fast)[1:]] + [(page, 1.0, False) for page in list(slow)[1:]]
    rates = rates_of([0] * 20 + [1] * 20, *seen * 3)
    rates.fit()
    assert rates.means[0] > 3 * rates.means[20]


def test_the_shape_of_the_rates_is_found() -> None:
    random = np.random.default_rng(5)
    true = random.gamma(0.5, 2.0, 1_500)
    rates = ChangeRates(np.zeros(1_500, np.int64), 1.0)
    for interval in (0.3, 1.0, 3.0, 0.1, 1.0, 10.0):
        pages = np.arange(1_500)
        rates.learn(pages, np.full(1_500, interval), random.random(1_500) < -np.expm1(-true * interval))
    for _ in range(5):
        rates.fit()
    assert rates.shape == pytest.approx(0.5, abs=0.1)


def test_a_page_that_is_too_fast_is_given_up_and_an_unknown_one_is_tried() -> None:
    seen = [(0, 0.02, True)] * 30 + [(1, 1.0, False), (1, 1.0, True)] * 4
    rates = rates_of([0, 0, 0], *seen)
    chooser = Revisiting(rates, 0.6)
    worths = chooser.worths(np.array([2.0, 2.0, 2.0]))
    assert worths[0] < worths[1]
    assert worths[2] > worths[0]


def test_a_page_that_is_always_found_changed_is_tried_after_a_short_time() -> None:
    known = [(1, 1.0, number % 3 > 0) for number in range(60)]
    chooser = Revisiting(rates_of([0, 0], *[(0, 10.0, True)] * 5, *known), 0.2)
    trial = np.array([1.0, 1.0])
    unknown, settled = chooser.worths(trial)
    assert unknown > settled
    assert chooser.worths(0.1 * trial)[0] < unknown, "nothing is learned from a visit right after another"
    assert chooser.worths(100 * trial)[0] > chooser.worths(3 * trial)[1], "its trial begins with one more visit"
    chooser.learned(np.zeros(1_000, np.int64))
    assert chooser.worths(trial)[0] < unknown, "after many visits, knowing more is of less use"


def test_worths_do_not_depend_on_how_many_pages_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [(page, 0.5 + page, page % 2 > 0) for page in range(7)]
    whole = Revisiting(rates_of([0] * 7, *seen), 0.7).worths(np.arange(7.0))
    monkeypatch.setattr("opilio.model.revisiting._CHUNK", 2)
    assert Revisiting(rates_of([0] * 7, *seen), 0.7).worths(np.arange(7.0)) == pytest.approx(whole, rel=1e-5)


def test_due_pages_keep_to_the_budget_and_leave_out_what_cannot_have_changed() -> None:
    none = np.zeros(0)
    history = VisitHistory(
        np.zeros(5, np.int64), np.array([9.0, 8.0, 0.0, 7.0, 0.0]), none.astype(int), none, none.astype(bool)
    )
    assert due_pages(history, 2).tolist() == [0, 1]
    assert sorted(due_pages(history, 5).tolist()) == [0, 1, 3]
    assert due_pages(history, 0).tolist() == []


def test_pages_that_never_changed_wait_for_those_that_do() -> None:
    pages = np.repeat(np.arange(20), 8)
    history = VisitHistory(
        np.zeros(20, np.int64),
        np.full(20, 100.0),
        pages,
        np.full(160, 100.0),
        np.tile([True, False], 80) & (pages < 10),
    )
    assert set(due_pages(history, 10).tolist()) == set(range(10))
