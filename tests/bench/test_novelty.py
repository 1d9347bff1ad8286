"""A small version of `bench novelty`, on a made web alone."""

import pytest

from bench import run_benchmark


def test_both_rewards_are_compared_on_a_web_of_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPILIO_DATA", raising=False)
    report = run_benchmark("novelty", {"topics": 0, "pages": 400, "rounds": 1})
    assert {row[3] for row in report.rows} == {"pages", "novelty"}
    assert [goal.at_least for goal in report.goals] == [True, False]
    assert min(float(row[6] or 0) for row in report.rows) > 0
