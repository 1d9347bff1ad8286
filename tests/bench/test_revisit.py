"""A small version of `bench revisit`, with the goals that hold for few pages too."""

import numpy as np
import pytest

from bench import run_benchmark
from bench.revisit import best_frequencies, simulate
from opilio.model.revisiting import freshness


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


def test_the_best_frequencies_spend_the_budget_and_gain_equally_everywhere() -> None:
    rates = np.array([0.01, 0.1, 0.5, 1.0, 2.0, 50.0])
    best = best_frequencies(rates, 1.5)
    assert best.sum() == pytest.approx(1.5)
    assert best[-1] == 0.0, "what changes too fast is given up"
    kept = best > 0
    changes = rates[kept] / best[kept]
    gains = (1 - np.exp(-changes) * (1 + changes)) / rates[kept]
    assert gains == pytest.approx(gains[0], rel=0.02)
    for other in np.random.default_rng(1).dirichlet(np.ones(6), 200) * 1.5:
        assert freshness(rates, other).sum() <= freshness(rates, best).sum() + 1e-9
