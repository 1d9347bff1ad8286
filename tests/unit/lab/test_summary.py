"""Runs as means."""

import pytest

from opilio.lab.protocol import Cost, Run
from opilio.lab.summary import mean_of, summarise


def _run(recipe: str, topic: str, repetition: int, harvest: float, web: str = "web") -> Run:
    return Run(
        web, topic, recipe, repetition, "everything", 10, 10, 10, 5, harvest, None, harvest, 0.1, 0.1, 1000, None, 1, 3, 2, 90,
        9000.0, "", (), (), ((0, 0),), ((0, 0),),
    )  # fmt: skip


def test_a_topic_counts_once_however_often_it_was_repeated() -> None:
    mean = mean_of([("a", 0.0), ("b", 1.0), ("b", 1.0), ("b", 1.0)])
    assert mean is not None
    assert mean.mean == 0.5
    assert mean.error == pytest.approx(0.5)


def test_repetitions_of_a_single_topic_are_what_differs() -> None:
    mean = mean_of([("a", 0.0), ("a", 1.0)])
    assert mean is not None
    assert (mean.mean, mean.error) == (0.5, 0.5)


def test_a_single_value_has_no_error_and_none_no_mean() -> None:
    mean = mean_of([("a", 0.3)])
    assert mean is not None
    assert mean.error is None
    assert mean_of([("a", None)]) is None


def test_the_gain_is_paired() -> None:
    """Topics differ much more than recipes do: the error of the gain knows that."""
    runs = [_run("breadth-first", f"t{n}", 1, n / 10) for n in range(5)]
    runs += [_run("mine", f"t{n}", 1, n / 10 + 0.05) for n in range(5)]
    plain, mine = summarise(runs)
    assert plain.gain is None
    assert mine.gain is not None
    assert mine.gain.mean == pytest.approx(0.05)
    assert mine.gain.error == pytest.approx(0.0, abs=1e-12)


def test_webs_have_lines_of_their_own() -> None:
    lines = summarise([_run("mine", "t", 1, 0.1, "one"), _run("mine", "t", 1, 0.3, "two")])
    assert [(line.web, line.figures["harvest_at_r"].mean) for line in lines] == [("one", 0.1), ("two", 0.3)]
    assert "harvest_at_2r" not in lines[0].figures


def test_an_interval_is_that_of_students_t() -> None:
    mean = mean_of([("a", 0.0), ("b", 1.0), ("c", 2.0)])
    assert mean is not None
    assert mean.low is not None
    assert mean.high is not None
    half = 4.3027 / 3**0.5  # two degrees of freedom, and a standard deviation of 1
    assert mean.low == pytest.approx(1 - half)
    assert mean.high == pytest.approx(1 + half)


def test_recipes_are_compared_in_pairs_with_the_one_that_is_named() -> None:
    runs = [_run("old", f"t{n}", repetition, n / 10) for n in range(8) for repetition in (1, 2)]
    runs += [_run("new", f"t{n}", repetition, n / 10 + 0.05) for n in range(8) for repetition in (1, 2)]
    old, new = summarise(runs, "old")
    assert old.differences == {}
    difference = new.differences["harvest_at_r"]
    assert difference.mean == pytest.approx(0.05)
    assert difference.pairs == 8  # repetitions of a topic are one pair
    assert difference.p == 2 / 2**8
    assert "harvest_at_2r" not in new.differences


def test_processor_time_is_the_median_of_the_runs() -> None:
    costs = [Cost("web", "mine", cpu_ms) for cpu_ms in (900.0, 2.0, 3.0)]
    [line] = summarise([_run("mine", "t", 1, 0.1)], "", costs)
    assert line.figures["cpu_ms"].mean == 3.0
    assert "cpu_ms" not in summarise([_run("mine", "t", 1, 0.1)])[0].figures
