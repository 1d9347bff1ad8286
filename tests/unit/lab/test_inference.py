"""How sure a mean is."""

from random import Random

import pytest

from opilio.lab.inference import flip_signs, half_width, student


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (10, 2.228), (11, 2.201), (20, 2.086), (81, 1.990), (1000, 1.962)]
)
def test_the_quantiles_are_those_of_the_printed_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=0.0006)


def test_a_single_value_has_no_interval() -> None:
    assert half_width([1.0]) is None


def test_p_counts_the_ways_of_choosing_signs_that_are_as_far_from_zero() -> None:
    assert flip_signs([1.0, 1.0, 1.0]) == 2 / 8
    assert flip_signs([1.0, 2.0, -3.0]) == 1.0
    assert flip_signs([3.0, 2.0, -1.0]) == 4 / 8  # ±(3 + 2 + 1) and ±(3 + 2 - 1)
    assert flip_signs([0.0, 0.0]) == 1.0


def test_many_differences_are_drawn_always_the_same_way_and_near_the_exact_share() -> None:
    random = Random(4)
    differences = [random.gauss(0.3, 1.0) for _ in range(14)]
    exact, drawn = flip_signs(differences), flip_signs([*differences, 0.0])  # a zero changes nothing but the way
    assert drawn == pytest.approx(exact, abs=0.02)
    assert drawn == flip_signs([*differences, 0.0])


def test_the_same_recipe_twice_is_rarely_told_apart() -> None:
    random = Random(5)
    p = [flip_signs([random.gauss(0.0, 1.0) for _ in range(10)]) for _ in range(300)]
    assert 0.02 < sum(each <= 0.05 for each in p) / len(p) < 0.09
