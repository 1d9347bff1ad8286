"""A small version of `bench revisit`, with the goals that hold for few pages too."""

from bench import run_benchmark
from bench.revisit import simulate


def test_unknown_rates_cost_little_freshness() -> None:
    found = simulate(0.4, 0.6, pages=300, seed=3)
    assert found.learned >= 0.95 * found.optimal
    assert found.learned > max(found.uniform, found.proportional)


def test_every_cell_has_its_goals() -> None:
    report = run_benchmark("revisit", {"pages": 100, "rounds": 1})
    assert len(report.rows) == 9
    assert len(report.goals) == 18
    assert all(
        goal.met for goal in report.goals if "visits by change" in goal.name and goal.name.endswith("proportional")
    )
