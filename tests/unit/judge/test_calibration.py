"""From advantages to probabilities: the promises hold for whatever numbers come in."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from opilio.judge.advantage import LEAST, advantage
from opilio.judge.calibration import Calibration, Samples, calibrate, first_calibration

powers = st.lists(st.floats(0, 8), min_size=1, max_size=20)
gains = st.floats(LEAST, 3)
held_out = st.lists(gains, min_size=1, max_size=12)
met = st.lists(gains, min_size=0, max_size=60)
words = st.integers(0, 10**8)


def made(held: list[float], others: list[float], count: int = 15_000) -> Calibration:
    return calibrate(np.array(held), np.array(others, np.float64), Samples(count, 0), len(others))


def drawn(belonging: int, others: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Advantages as they come in an encyclopedia."""
    random = np.random.default_rng(7)
    return np.concatenate([random.normal(0.2, 0.07, belonging), random.gumbel(0.0, 0.035, others)])


@given(held_out, met, words, gains, gains)
def test_the_score_rises_with_the_advantage(
    held: list[float], pages: list[float], count: int, one: float, two: float
) -> None:
    calibration = made(held, pages, count)
    low, high = sorted((one, two))
    assert 0 < calibration.probability(low) <= calibration.probability(high) < 1
    assert 0 < calibration.share < 1


@given(powers, st.floats(0, 12), st.floats(0, 12))
def test_the_first_score_falls_with_the_perplexity(samples: list[float], one: float, two: float) -> None:
    calibration = first_calibration(samples)
    low, high = sorted((one, two))
    assert 0 < calibration.probability(-high) <= calibration.probability(-low) < 1


@given(st.integers(1, 12), gains, st.integers(0, 3_000), gains)
def test_identical_samples_and_pages_are_no_trouble(samples: int, held: float, pages: int, gain: float) -> None:
    calibration = made([held] * samples, [gain] * pages)
    numbers = (*astuple(calibration.belonging), *astuple(calibration.others))
    assert all(math.isfinite(number) for number in numbers)
    assert calibration.belonging.width > 0
    assert calibration.others.scale > 0
    assert calibration.others.mode < calibration.belonging.mean


@pytest.mark.parametrize(("belonging", "others"), [(0, 200), (4, 196), (60, 140), (100, 100), (140, 60), (180, 20)])
def test_the_share_of_pages_that_belong_is_found(belonging: int, others: int) -> None:
    """Doubt lowers it: where nearly all pages belong, some are taken for others."""
    share = made([0.1, 0.15, 0.2, 0.25, 0.3], list(drawn(belonging, others))).share
    true = belonging / (belonging + others)
    assert 0.7 * true - 0.02 < share < true + 0.05


def test_scores_are_the_shares_that_belong() -> None:
    calibration = made([0.1, 0.15, 0.2, 0.25, 0.3], list(drawn(60, 140)))
    scores = calibration.probabilities(drawn(3_000, 7_000))
    belongs = np.arange(10_000) < 3_000
    places = (scores * 5).astype(int)
    errors = [abs((scores[places == place] - belongs[places == place]).sum()) for place in range(5)]
    assert sum(errors) / len(scores) < 0.05


def test_one_ordinary_page_moves_next_to_nothing() -> None:
    before, after = made([0.1, 0.2, 0.3], []), made([0.1, 0.2, 0.3], [0.0])
    assert after.probability(0.15) == pytest.approx(before.probability(0.15), abs=0.05)


def test_larger_samples_are_expected_to_help_with_any_page() -> None:
    few, many = made([0.2] * 5, [], 1_000), made([0.2] * 5, [], 100_000)
    assert few.others.mode < 0 < many.others.mode


def test_pieces_of_one_text_do_not_ask_too_much_of_other_texts() -> None:
    pieces, met = np.array([0.3, 0.4, 0.5]), np.zeros(20)
    one, several = (calibrate(pieces, met, Samples(15_000, texts), 20) for texts in (1, 3))
    assert one.belonging.mean == pytest.approx(0.08)
    assert several.belonging.mean == pytest.approx(0.4 + 0.2 * np.log10(3 / 2))


@given(st.lists(st.floats(-7, -0.01), min_size=1), st.floats(-6, -0.01))
def test_no_advantage_is_below_the_least(log10s: list[float], common: float) -> None:
    own = np.array(log10s)
    assert advantage(own, np.full(len(own), common)) > LEAST
    assert advantage(np.full(len(own), -np.inf), own) == pytest.approx(LEAST)
    assert advantage(own, own) == pytest.approx(0)
