"""Buckets, choices and waves as small rules."""

from random import Random

import msgspec
import pytest

from opilio.core.config import load_config
from opilio.enqueue import Policy, bucket_of, build_policy, graded
from opilio.enqueue.policy import Patience, Wave, Weighted


def _build(**changes: object) -> Policy:
    return build_policy(msgspec.structs.replace(load_config().policy, **changes))


@pytest.mark.parametrize(
    ("score", "bucket"), [(1.0, 0), (0.8, 0), (0.79, 1), (0.5, 1), (0.49, 2), (-1e308, 2), (float("inf"), 0)]
)
def test_a_score_equal_to_a_bound_belongs_above_it(score: float, bucket: int) -> None:
    assert bucket_of(score, (0.8, 0.5)) == bucket
    assert bucket_of(score, ()) == 0


def test_strict_takes_the_best_bucket_there_is() -> None:
    assert Policy((0.5,)).choose(iter([1, 2]), Random(0)) == 1
    assert Policy((0.5,)).choose(iter([]), Random(0)) is Weighted((0.5,)).choose(iter([]), Random(0)) is None


@pytest.mark.parametrize(
    ("leeway", "hosts", "awaited"),
    [(0.0, 1000, 3), (1.0, 1000, 1), (1.0, 100, 1), (1.0, 50, 2), (1.0, 3, 3), (9.0, 1000, 0)],
)
def test_with_many_hosts_buckets_within_the_leeway_are_not_waited_for(leeway: float, hosts: int, awaited: int) -> None:
    policy = _build(bounds=(2.0, 1.0, 0.5), choice="patient", leeway=leeway)
    assert policy.awaited(3, hosts) == range(awaited)  # of links below 0.5, those above 2, 1 and 0.5
    assert policy.awaited(0, hosts) == range(0)


def test_an_impatient_policy_waits_for_nothing() -> None:
    assert _build(bounds=(0.5,)).awaited(1, 1000) == range(0)


def test_weighted_gives_every_bucket_its_chance_by_rank() -> None:
    random = Random(0)
    drawn = [Weighted((0.8, 0.5)).choose(iter([0, 1, 2]), random) for _ in range(11_000)]
    shares = [drawn.count(bucket) / 1000 for bucket in (0, 1, 2)]
    assert shares == pytest.approx([6, 3, 2], abs=0.3)  # 1 : 1/2 : 1/3


def test_the_same_seed_draws_the_same_buckets() -> None:
    draws = [[Weighted().choose(iter([0, 1, 5]), random) for _ in range(50)] for random in (Random(3), Random(3))]
    assert draws[0] == draws[1]


def test_settings_build_the_policy_that_they_name() -> None:
    plain = _build()
    assert type(plain) is Policy
    assert (plain.bounds, plain.wave) == ((), None)
    assert plain.cut < -1e307
    assert type(_build(choice="weighted")) is Weighted
    waits = [_build(choice=choice).patience for choice in ("strict", "patient", "best", "weighted")]
    assert waits == [Patience.NONE, Patience.BUCKET, Patience.LINK, Patience.NONE]
    assert _build(wave="layer", top=3, quotas=(1,), keep_rest=False).wave == Wave(3, (), keep_rest=False)
    assert _build(wave="batch", quotas=(1, 2, 10)).wave == Wave(0, (1, 2, 10))
    shares = msgspec.structs.replace(load_config().policy, wave="batch", quotas=(0.02, 0.004, 0.0001))
    assert build_policy(shares, pages=500).wave == Wave(0, (10, 2, 1))
    assert build_policy(shares).wave == Wave(0, (2_000, 400, 10))
    assert _build(bounds=(0.9, 0.1), cut=0.05).bounds == (0.9, 0.1)


def test_steps_divide_buckets_of_perplexities_without_moving_their_bounds() -> None:
    bounds = (-500.0, -5_000.0)
    steps = graded(bounds, 0.5)
    assert set(bounds) <= set(steps)
    assert list(steps) == sorted(steps, reverse=True)
    names = [bucket_of(-perplexity, bounds) for perplexity in (10.0, 499.0, 501.0, 4_999.0, 6_000.0, 1e12)]
    assert names == [0, 0, 1, 1, 2, 2]
    places = [bucket_of(-perplexity, steps) for perplexity in (10.0, 499.0, 501.0, 4_999.0, 6_000.0, 1e12)]
    assert places == sorted(set(places))


def test_without_a_step_buckets_stay_whole() -> None:
    assert graded((-500.0,), 0.0) == (-500.0,)
    assert graded((), 0.0) == ()
