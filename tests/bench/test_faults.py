"""The benchmark of hostile markup: enough cases of each class, honest costs, and a search that moves."""

from random import Random

import pytest

from bench.faults_cost import CODINGS, MOST_BOMB_MB, MOST_CPU_S, MOST_MEMORY_MB, Cost, measure, measure_bomb, warm_up
from bench.faults_grammar import Shape, cases
from bench.faults_search import Found, _child, _fittest


def test_each_class_has_at_least_ten_different_cases() -> None:
    assert len(cases()) == 13
    assert all(len(set(shapes)) >= 10 for shapes in cases().values())


@pytest.mark.parametrize("fault", cases())
def test_a_page_of_each_class_stays_within_its_bounds(fault: str) -> None:
    warm_up()
    for shape in cases()[fault][::4]:
        html = shape.html(200_000)
        assert 10_000 < len(html) <= 200_000
        cost = measure(html)
        assert cost.memory_mb <= MOST_MEMORY_MB
        assert cost.cpu_s <= MOST_CPU_S


@pytest.mark.parametrize("role", ["page", "robots"])
@pytest.mark.parametrize("coding", CODINGS)
def test_a_bomb_takes_three_times_the_bound_at_most(coding: str, role: str) -> None:
    assert measure_bomb(coding, role).memory_mb <= MOST_BOMB_MB


def test_numbers_in_a_shape_differ() -> None:
    assert Shape((("<a#>", 2),), ("b#",)).html(16) == "<a0><a1>b0b1b2b3"


def test_children_differ_from_their_parents_and_the_fittest_of_both_kinds_stay() -> None:
    random = Random(3)
    parents = [Found(shape, 20_000, Cost(0.1, 1.0)) for shape in cases()["tables"]]
    assert any(_child(random, parents)[0] not in cases()["tables"] for _ in range(10))
    worst, densest = Found(parents[0].shape, 2_000_000, Cost(9.0, 1.0)), Found(parents[1].shape, 60_000, Cost(1.0, 1.0))
    many = [Found(Shape((), (f"<p{n}>",)), 600_000, Cost(0.5, 1.0)) for n in range(60)]
    assert {worst, densest} <= set(_fittest([*many, worst, densest]))
