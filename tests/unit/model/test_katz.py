"""Katz back-off against sums done by hand."""

import numpy as np
import pytest

from opilio.model import Training, train
from opilio.model.katz import ratios_of

KATZ = Training(smoothing="katz", order=2)


def counts(*often: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """often[0] n-grams counted once, often[1] twice, and so on."""
    return np.repeat(np.arange(1, len(often) + 1), often).astype(np.int64)


def test_ratios_follow_good_turing() -> None:
    """n1 … n6 = 120, 40, 20, 12, 8, 5. Beyond k: 6 * 5 / 120 = 1/4.
    ratio(1) = (2 * 40 / 120 - 1/4) / (3/4) = 5/9, ratio(2) = (3 * 20 / 80 - 1/4) / (3/4) = 2/3,
    ratio(3) = (4 * 12 / 60 - 1/4) / (3/4) = 11/15, ratio(4) = (5 * 8 / 48 - 1/4) / (3/4) = 7/9,
    ratio(5) = (6 * 5 / 40 - 1/4) / (3/4) = 2/3."""
    assert ratios_of(counts(120, 40, 20, 12, 8, 5))[1:] == pytest.approx([5 / 9, 2 / 3, 11 / 15, 7 / 9, 2 / 3])


def test_a_gap_in_the_counts_lowers_k() -> None:
    """n1, n2, n3 = 12, 5, 3 and no 4: k = 2. Beyond: 3 * 3 / 12 = 3/4; ratio(1) = (10 / 12 - 3/4) / (1/4) = 1/3,
    ratio(2) = (9 / 10 - 3/4) / (1/4) = 3/5."""
    assert ratios_of(counts(12, 5, 3))[1:] == pytest.approx([1 / 3, 3 / 5])


@pytest.mark.parametrize("often", [(), (3,), (1, 1, 2), (0, 0, 0, 4), (2, 9, 9, 9, 9, 9, 9)])
def test_where_good_turing_breaks_down_half_a_count_is_taken(often: tuple[int, ...]) -> None:
    assert ratios_of(counts(*often))[1:] == pytest.approx([0.5, 0.75, 2.5 / 3, 3.5 / 4, 0.9])


def test_single_words_leave_the_good_turing_mass_to_the_unknown_word() -> None:
    """11 words once and with them the one </s>, 5 twice, 3 three times: 31 in all. A word seen once keeps 1/3, twice
    2 * 3/5; three times is above k. Unknown: (31 - 12 * 1/3 - 5 * 6/5 - 9) / 31 = 12/31."""
    words = [f"one{i}" for i in range(11)] + [f"two{i}" for i in range(5)] * 2 + [f"three{i}" for i in range(3)] * 3
    model = train([" ".join(words)], Training(smoothing="katz", order=1))
    log10, _ = model.token_log10("one0 two0 three0 nosuch")
    assert 10**log10 == pytest.approx([1 / 93, 6 / 155, 3 / 31, 12 / 31, 1 / 93], rel=1e-6)


def test_a_tiny_model_has_the_probabilities_computed_by_hand() -> None:
    """Lines: a b, a b, a c. Half counts are taken, since counts of counts are 1, 1, 2 (words) and 2, 2, 1 (pairs).
    Words (9 in all): a 2.5/9, b 1.5/9, c 0.5/9, </s> 2.5/9, unknown 2/9.
    After a (3): b 1.5/3, c 0.5/3; 1/3 is left for words that have 1 - 1.5/9 - 0.5/9 = 7/9 alone: back-off 3/7.
    After <s> (3): a 2.5/3; 1/6 is left for 1 - 2.5/9 = 6.5/9: back-off 3/13.
    After b (2): </s> 1.5/2; 1/4 is left for 6.5/9: back-off 9/26."""
    log10, _ = train(["a b", "a b", "a c"], KATZ).token_log10("a b\na a\nb x\n")
    expected = [
        *(2.5 / 3, 1.5 / 3, 1.5 / 2),
        *(2.5 / 3, 3 / 7 * 2.5 / 9, 3 / 7 * 2.5 / 9),
        *(3 / 13 * 1.5 / 9, 9 / 26 * 2 / 9, 2.5 / 9),
    ]
    assert 10**log10 == pytest.approx(expected, rel=1e-6)


def test_a_context_too_frequent_to_be_discounted_still_leaves_something() -> None:
    """Each of 7 sentences is the same word: pairs are counted 7 times, above k; one count is added to each total."""
    log10, _ = train(["a"] * 7, KATZ).token_log10("a\nx")
    assert 10 ** log10[:2] == pytest.approx([7 / 8, 7 / 8], rel=1e-6)
    assert np.isfinite(log10).all()
