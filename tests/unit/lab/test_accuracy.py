"""Verdicts compared with the truth."""

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.lab.accuracy import calibration_error, compare

_PAGES = st.lists(st.tuples(st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0]), st.booleans(), st.booleans()), min_size=1)


def test_what_is_kept_has_precision_and_recall() -> None:
    found = compare([0.9, 0.8, 0.7, 0.1], [True, True, True, False], [True, False, True, True])
    assert (found.judged, found.relevant, found.kept, found.kept_relevant) == (4, 3, 3, 2)
    assert (found.precision, found.recall, found.f1) == (2 / 3, 2 / 3, 2 / 3)


def test_a_judge_that_keeps_nothing_is_not_precise() -> None:
    found = compare([0.4, 0.1], [False, False], [True, False])
    assert (found.precision, found.recall, found.f1) == (0.0, 0.0, 0.0)
    assert (found.best_f1, found.best_line, found.auc) == (1.0, 0.4, 1.0)


def test_pages_with_the_same_score_are_on_the_same_side_of_the_best_line() -> None:
    found = compare([0.5, 0.5, 0.5, 0.1], [True] * 4, [True, False, False, True])
    assert (found.best_f1, found.best_line) == (2 * 2 / (4 + 2), 0.1)


def test_no_page_to_compare_is_not_an_error() -> None:
    found = compare([], [], [])
    assert (found.judged, found.f1, found.best_f1, found.auc, found.calibration_error) == (0, 0.0, 0.0, None, 0.0)


def test_scores_that_are_true_probabilities_have_no_calibration_error() -> None:
    assert compare([0.25] * 4, [False] * 4, [True, False, False, False]).calibration_error == 0.0
    assert compare([1.0, 0.0], [True, False], [True, False]).calibration_error == 0.0


def test_the_calibration_error_is_in_points_and_weighted_by_pages() -> None:
    """Three pages at 0.9 of which none is relevant, one at 0 that is not either."""
    found = compare([0.9, 0.9, 0.9, 0.0], [True, True, True, False], [False] * 4)
    assert found.calibration_error == pytest.approx(100 * 0.9 * 3 / 4)


def test_pooled_errors_of_one_bin_cancel_out_between_runs_and_weights_count() -> None:
    """A page at 0.9 that is not relevant, and nine at 0.9 that are."""
    one, others = compare([0.9], [True], [False]), compare([0.9] * 9, [True] * 9, [True] * 9)
    assert (one.calibration_error, others.calibration_error) == pytest.approx((90.0, 10.0))
    assert calibration_error([one.bins, others.bins]) == pytest.approx(0.0)
    assert calibration_error([compare([0.9], [True], [False], 2.0).bins, others.bins]) == pytest.approx(100 * 0.9 / 11)


def test_errors_in_two_bins_do_not_cancel_out() -> None:
    found = compare([0.9, 0.1], [True, False], [False, True])
    assert found.calibration_error == pytest.approx(90.0)


@given(_PAGES)
def test_auc_is_the_probability_that_a_relevant_page_has_the_higher_score(
    pages: list[tuple[float, bool, bool]],
) -> None:
    good = [score for score, _, is_relevant in pages if is_relevant]
    others = [score for score, _, is_relevant in pages if not is_relevant]
    scores, belongs, relevant = zip(*pages, strict=True)
    auc = compare(scores, belongs, relevant).auc
    if not good or not others:
        assert auc is None
    else:
        assert auc == pytest.approx(fmean((one > other) + (one == other) / 2 for one in good for other in others))


@given(_PAGES)
def test_no_line_is_better_than_the_best(pages: list[tuple[float, bool, bool]]) -> None:
    scores, _, relevant = zip(*pages, strict=True)
    best = compare(scores, [False] * len(pages), relevant)
    tried = [compare(scores, [score >= line for score in scores], relevant).f1 for line in set(scores)]
    assert best.best_f1 == pytest.approx(max(tried))
    assert compare(scores, [score >= best.best_line for score in scores], relevant).f1 == pytest.approx(best.best_f1)


@given(_PAGES, st.integers(2, 4))
def test_a_page_that_stands_for_several_counts_as_if_they_were_there(
    pages: list[tuple[float, bool, bool]], copies: int
) -> None:
    scores, belongs, relevant = zip(*pages, strict=True)
    estimated = compare(scores, belongs, relevant, copies)
    repeated = [page for page in pages for _ in range(1 if page[2] else copies)]
    scores, belongs, relevant = zip(*repeated, strict=True)
    whole = compare(scores, belongs, relevant)
    assert estimated.kept == whole.kept
    for figure in ("precision", "recall", "f1", "best_f1", "calibration_error"):
        assert getattr(estimated, figure) == pytest.approx(getattr(whole, figure))
