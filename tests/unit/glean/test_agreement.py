"""What another extractor says of a block counts beside our own score."""

from opilio.glean.agreement import agreed_scores, shares

BLOCKS = ["the first block has seven words here", "short", "another block that nobody else has seen"]


def test_a_share_counts_the_words_in_common_runs_of_four() -> None:
    assert shares(BLOCKS, f"{BLOCKS[0]} short and more") == [1.0, 1.0, 0.0]
    assert shares(BLOCKS, "") == [0.0, 0.0, 0.0]


def test_two_that_agree_outvote_doubt() -> None:
    first, _, last = agreed_scores(BLOCKS, [0.55, 0.5, 0.45], BLOCKS[0])
    assert first < 0.5 < last


def test_what_is_hidden_stays_hidden() -> None:
    assert agreed_scores(BLOCKS[:1], [1.0], BLOCKS[0]) == [1.0]
