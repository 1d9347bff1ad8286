"""The running totals of a crawl: what is counted, what is taken back, and which limit is reached."""

import msgspec
import pytest

from opilio.core.config import load_config
from opilio.core.outcome import Drop, Outcome
from opilio.folder import Tally
from opilio.folder.tally import RECENT_PAGES


def _judged(good: int, bad: int) -> Tally:
    """Returns the tally of a crawl that finds the good pages first."""
    tally = Tally()
    for number in range(good + bad):
        tally.judged(float(number < good), belongs=number < good)
    return tally


def test_only_an_answer_with_a_body_is_a_page() -> None:
    tally = Tally()
    tally.answered(Outcome.OK, 100)
    tally.answered(Outcome.OK, 50)
    tally.answered(Outcome.HTTP_ERROR, 7)
    assert (tally.requests, tally.pages, tally.size_bytes) == (3, 2, 157)
    assert tally.outcomes == {Outcome.OK: 2, Outcome.HTTP_ERROR: 1}


def test_drops_can_be_taken_back_and_a_count_of_zero_is_not_shown() -> None:
    tally = Tally()
    tally.dropped(Drop.BELOW_CUT, 3)
    tally.dropped(Drop.DUPLICATE)
    tally.dropped(Drop.BELOW_CUT, -3)
    assert tally.drops == {Drop.DUPLICATE: 1}


def test_two_tallies_share_nothing() -> None:
    one, other = Tally(), Tally()
    one.dropped(Drop.DUPLICATE)
    assert other.drops == {}


def test_yields_are_shares_and_0_before_there_is_anything() -> None:
    assert (Tally().document_yield, Tally().byte_yield) == (0.0, 0.0)
    tally = Tally(pages=8, kept=2, kept_bytes=30, size_bytes=300)
    assert (tally.document_yield, tally.byte_yield) == (0.25, 0.1)


def test_the_marginal_yield_is_that_of_the_last_pages() -> None:
    assert Tally().recent_yield == 0.0
    assert _judged(3, 1).recent_yield == 0.75
    tally = _judged(1_000, RECENT_PAGES // 4)
    assert (tally.relevant, tally.recent_yield) == (1_000, 0.75)


def test_a_yield_of_verdicts_is_told_from_one_of_probabilities() -> None:
    tally = _judged(3, 1)
    assert not tally.by_probability
    tally.judged(0.3, belongs=False)
    assert tally.by_probability


def test_the_marginal_yield_is_saved_with_the_tally() -> None:
    tally = _judged(30, 10)
    loaded = msgspec.json.decode(msgspec.json.encode(tally), type=Tally)
    assert (loaded.relevant, loaded.recent_worths) == (30, tally.recent_worths)


def test_a_tally_from_before_the_yield_was_counted_is_read() -> None:
    assert msgspec.json.decode(b'{"pages":7,"kept":3}', type=Tally).recent_worths == []


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("pages=9", ""),
        ("pages=8", "pages reached"),
        ("documents=2", "documents reached"),
        ("size_bytes=300", "size_bytes reached"),
        ("tokens=40", "tokens reached"),
        ("seconds=66", ""),
        ("seconds=65", "time reached"),  # 60 in earlier runs, 5 in this one
    ],
)
def test_a_limit_counts_from_the_first_run_on(setting: str, reason: str) -> None:
    tally = Tally(pages=8, kept=2, size_bytes=300, tokens=40, seconds=60.0)
    assert tally.limit_reached(load_config(settings=[f"stop.{setting}"]).stop, elapsed_s=5.0) == reason


def test_a_crawl_without_limits_reaches_none() -> None:
    assert Tally(pages=10**9, seconds=1e9).limit_reached(load_config().stop, 0.0) == ""
