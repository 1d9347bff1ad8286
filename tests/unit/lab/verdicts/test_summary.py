"""Runs of judges as means, and ways of giving samples compared with each other."""

import pytest

from opilio.lab.accuracy import compare, fields_of
from opilio.lab.verdicts.job import JudgeRun, Way
from opilio.lab.verdicts.summary import differences, falls, summarise

_FILES = Way("texts", 5, "files")


def _run(way: Way, topic: str, kept: str, relevant: str = "abcd", first: int = 0) -> JudgeRun:
    """Pages are the letters from a to j."""
    pages = "abcdefghij"
    found = compare(
        [0.9 if page in kept else 0.2 for page in pages],
        [page in kept for page in pages],
        [page in relevant for page in pages],
    )
    return JudgeRun(
        **fields_of(found), web="web", topic=topic, recipe="learned", repetition=1, way=way, first=first, judge="sum",
        meeting=found, strangers=None, fellows=None, samples=(), kept_pages={pages.index(page): 1.0 for page in kept},
    )  # fmt: skip


def test_every_topic_counts_the_same() -> None:
    runs = [_run(_FILES, "one", "abcd"), *(_run(_FILES, "two", "ij", first=first) for first in range(3))]
    (line,) = summarise(runs)
    assert (line.runs, line.topics, line.figures["f1"].mean) == (4, 2, 0.5)
    assert line.least_precision == ("two", 0.0)
    assert "strangers" not in line.figures


def test_the_pooled_calibration_error_is_that_of_all_pages_together() -> None:
    """With a score of 0.9, one page in two is relevant in all; with a score of 0.2, one in four."""
    (line,) = summarise([_run(_FILES, "one", "ab", "ac"), _run(_FILES, "two", "ab", "ac")])
    assert line.figures["pooled_calibration_error"].mean == pytest.approx(100 * (2 * 0.4 + 8 * 0.075) / 10)
    (line,) = summarise([_run(_FILES, "one", "ab", "abcd"), _run(_FILES, "two", "ab", "ef")])
    assert line.figures["calibration_error"].mean > line.figures["pooled_calibration_error"].mean


def test_forms_differ_by_what_only_one_of_them_keeps() -> None:
    other = Way("texts", 5, "one-file")
    runs = [_run(_FILES, "one", "abc"), _run(_FILES, "two", "ab"), _run(other, "one", "bcd"), _run(other, "two", "ab")]
    (found,) = differences(runs)
    assert (found.one, found.other, found.mean.mean, found.most) == (_FILES, other, 0.25, ("one", 0.5))


def test_only_runs_of_the_same_samples_are_compared() -> None:
    runs = [
        _run(_FILES, "one", "a"),
        _run(Way("texts", 5, "html"), "one", "b", first=1),
        _run(Way("texts", 1, "html"), "one", "c"),
    ]
    assert list(differences(runs)) == []


def test_two_forms_that_keep_nothing_do_not_differ() -> None:
    (found,) = differences([_run(_FILES, "one", ""), _run(Way("texts", 5, "html"), "one", "")])
    assert found.mean.mean == 0.0


def test_a_fall_is_what_one_more_sample_costs() -> None:
    ways = [Way("texts", number, "one-file") for number in (3, 1, 2)]  # in any order
    kept = {1: "ab", 2: "abcd", 3: "abcdefgh"}
    first, second = falls([_run(way, "one", kept[way.samples]) for way in ways])
    assert (first.one.samples, first.other.samples, second.other.samples) == (1, 2, 3)
    assert first.mean.mean == pytest.approx(2 / 3 - 1)
    assert second.most[0] == "one"
    assert second.most[1] == pytest.approx(1 - 2 / 3)


def test_a_way_is_named_by_what_it_gives() -> None:
    assert Way("texts", 1, "files").name == "1 text, files"
    assert Way("pages", 5, "html", 100).name == "5 pages of 100 words, html"
