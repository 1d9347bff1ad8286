"""What a crawl was worth, by its trace alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.lab.measures import Download, Figures, Trace, Yardstick, measure


def _measure(
    fetched: str, relevant: str, *, samples: str = "", budget: int = 0, limit: int = 0, kept: str = ""
) -> Figures:
    """Pages are letters; each has 10 tokens and 100 bytes, and a host of its own in lower case."""
    trace = Trace([Download(url, url.lower(), 100) for url in fetched], dict.fromkeys(kept or fetched, 10), "")
    total = len(relevant)
    return measure(trace, Yardstick(frozenset(relevant), samples, budget or total, limit or 2 * total, 10 * total))


def test_harvest_at_r_is_the_share_of_relevant_pages_among_the_first_r_fetches() -> None:
    figures = _measure("axbyczdx", "abcd")
    assert figures.harvest_at_r == 2 / 4
    assert figures.harvest_at_2r == 4 / 4


def test_harvest_at_a_budget_is_divided_by_the_budget_or_r_whichever_is_less() -> None:
    figures = _measure("axbyczdxefgxxxxxxx", "abcdefgh", limit=32)
    assert figures.harvest_at_quarter_r == 1 / 2
    assert (figures.harvest_at_r, figures.harvest_at_2r, figures.harvest_at_4r) == (4 / 8, 7 / 8, 7 / 8)
    assert _measure("abc", "abc", limit=6).harvest_at_4r is None


def test_a_quarter_of_few_pages_is_rounded_up() -> None:
    assert _measure("ax", "ab").harvest_at_quarter_r == 1.0
    assert _measure("xaaaaa", "abcde").harvest_at_quarter_r == 1 / 2


def test_all_but_the_harvests_are_taken_at_the_budget() -> None:
    figures = _measure("axbyc", "abc", budget=2, limit=2)
    assert (figures.fetched, figures.relevant_fetched, figures.bytes, figures.hosts) == (2, 1, 200, 1)
    assert figures.harvest_at_2r is None


def test_the_area_of_a_crawl_without_a_miss_is_one_and_of_one_without_a_hit_zero() -> None:
    assert _measure("abc", "abc").auc == 1.0
    assert _measure("xyz", "abc").auc == 0.0


def test_a_relevant_page_is_worth_more_the_earlier_it_comes() -> None:
    assert _measure("axx", "abc").auc > _measure("xax", "abc").auc > _measure("xxa", "abc").auc


def test_a_crawl_that_ends_early_keeps_what_it_has() -> None:
    assert _measure("a", "abcd").auc == pytest.approx(4 / (1 + 2 + 3 + 4))


def test_only_relevant_documents_that_were_kept_have_weight() -> None:
    figures = _measure("abx", "abcd", kept="ax")
    assert figures.weighted_coverage == 10 / 40
    assert (figures.kept, figures.kept_relevant, figures.new_tokens) == (2, 1, 20)
    assert figures.new_tokens_per_1000 == pytest.approx(1000 * 20 / 3)
    assert figures.coverage_curve[-1] == (3, 10)


def test_samples_do_not_count_as_found() -> None:
    assert _measure("abcx", "abcd", samples="ab").held_out_recall == 1 / 2


def test_bytes_per_relevant_page_of_a_crawl_without_one_are_unknown() -> None:
    assert _measure("xyz", "abc").bytes_per_relevant is None
    assert _measure("axb", "abc").bytes_per_relevant == 150


@given(st.lists(st.booleans(), max_size=400), st.integers(1, 300))
def test_a_curve_rises_to_what_was_fetched_and_stays_short(hits: list[bool], relevant: int) -> None:
    wanted = [f"good {number}" for number in range(relevant)]
    left = iter(wanted)
    urls = [next(left, f"bad {number}") if hit else f"bad {number}" for number, hit in enumerate(hits)]
    trace = Trace([Download(url, "host", 1) for url in urls], {}, "")
    figures = measure(trace, Yardstick(frozenset(wanted), (), relevant, 2 * relevant, 0))
    assert figures.curve[0] == (0, 0)
    assert figures.curve[-1] == (figures.fetched, figures.relevant_fetched)
    assert list(figures.curve) == sorted(figures.curve)
    assert len(figures.curve) <= 101
    assert 0 <= figures.auc <= 1
    assert 0 <= figures.harvest_at_r <= (figures.harvest_at_2r or 0) <= 1


def test_what_is_kept_is_compared_with_all_that_was_fetched() -> None:
    downloads = [Download(url, url, 100) for url in "abxy"]
    trace = Trace(downloads, {"a": 10, "x": 10}, "", {"a": 0.9, "b": 0.8, "x": 0.7, "y": 0.1})
    figures = measure(trace, Yardstick(frozenset("abc"), "", 1, 4, 30))
    assert figures.fetched == 1  # at the budget, and the verdicts at the limit:
    assert (figures.kept_precision, figures.kept_recall, figures.kept_f1, figures.best_f1) == (0.5, 0.5, 0.5, 1.0)
    assert figures.calibration_error == pytest.approx(100 * (0.1 + 0.2 + 0.7 + 0.1) / 4)


def test_pages_that_no_judge_can_keep_do_not_count_among_the_verdicts() -> None:
    trace = Trace([Download(url, url, 100) for url in "ab"], {"a": 10}, "", {"a": 0.9, "b": 0.8})
    opted_out = trace._replace(barred={"b"})
    by = Yardstick(frozenset("ab"), "", 2, 2, 30)
    assert (measure(trace, by).kept_recall, measure(opted_out, by).kept_recall) == (0.5, 1.0)


def test_a_crawl_that_judges_nothing_has_no_verdicts() -> None:
    assert _measure("ab", "ab").kept_f1 is None
