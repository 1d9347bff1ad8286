"""The goals of `bench caps`, by figures that are made up."""

import pytest

from bench.caps import _goal
from tests.bench.test_signals import run_with


@pytest.mark.parametrize(("own", "met"), [(0.5, False), (0.52, False), (0.54, True)])
def test_a_tie_with_the_best_other_recipe_misses_the_goal(own: float, met: bool) -> None:
    found = {("learned", 5): [run_with(own)], ("skyline", 5): [run_with(0.5)], ("random", 5): [run_with(0.1)]}
    assert _goal(["learned", "skyline", "random"], 5, found).met is met
