"""The goals of `bench signals`, by figures that are made up."""

from bench.ablation_variant import SINGLES
from bench.form import Goal, _goal_line
from bench.signals import _goals
from opilio.lab.protocol import Run


def run_with(harvest: float) -> Run:
    return Run(
        "web", "topic", "recipe", 1, "likeness", 10, 10, 10, 5, harvest, None, harvest, 0.1, 0.1, 1000, None, 1, 3, 2, 90,
        9000.0, "", (), (), ((0, 0),), ((0, 0),),
    )  # fmt: skip


def _judged(learned: float, single: float, published: float) -> list[Goal]:
    harvests = {"learned": learned, "breadth-first": 0.1, "preemptive": published, "perplexity": 0.0, "skyline": 0.0}
    harvests |= dict.fromkeys(SINGLES, 0.0) | {SINGLES[0]: single}
    return _goals("hosts", {("hosts", lead): [run_with(harvest)] for lead, harvest in harvests.items()})


def test_a_tie_with_a_published_recipe_is_not_above_it() -> None:
    assert [goal.met for goal in _judged(0.5, 0.5, 0.5)] == [True, False]
    assert [goal.met for goal in _judged(0.52, 0.5, 0.5)] == [True, False]
    assert [goal.met for goal in _judged(0.54, 0.5, 0.5)] == [True, True]


def test_breadth_first_is_the_peer_where_no_published_recipe_is_better() -> None:
    assert _judged(0.5, 0.5, 0.05)[1].unit.endswith("breadth-first")


def test_what_is_far_below_the_best_single_group_misses_the_goal() -> None:
    assert [goal.met for goal in _judged(0.46, 0.5, 0.1)] == [True, True]
    assert [goal.met for goal in _judged(0.44, 0.5, 0.1)] == [False, True]


def test_a_goal_is_said_with_a_figure_that_can_be_missed() -> None:
    below, above = (_goal_line(goal).plain for goal in _judged(0.5, 0.53, 0.5))
    assert f"3.00 % of R less than {SINGLES[0]} alone (goal: at most 5): met" in below
    assert "0.00 % of R more than preemptive (goal: at least 3): missed" in above
