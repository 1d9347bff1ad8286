"""What another extractor says of a block counts beside our own score, as far as it tells something."""

from opilio.core.limits import Limits
from opilio.glean.agreement import agreed_scores, shares
from opilio.glean.features import fold
from opilio.glean.tree import parse
from opilio.glean.walk import walk

BLOCKS = ["the first block has seven words here", "short", "another block that nobody else has seen"]
SCORES = [0.55, 0.5, 0.45]
LONG = "this is a paragraph that is long enough so that a vote against it counts in full"


def _agreed(markup: str, scores: list[float], other: str) -> list[float]:
    tree = walk(parse(markup), Limits())
    return agreed_scores(tree.blocks, fold(tree), scores, other)


def test_a_share_counts_the_words_in_common_runs_of_four() -> None:
    assert shares(BLOCKS, SCORES, f"{BLOCKS[0]} short and more") == [1.0, 1.0, 0.0]
    assert shares(BLOCKS, SCORES, "") == [0.0, 0.0, 0.0]


def test_a_short_block_is_also_found_as_a_line_or_a_cell_of_the_other_text() -> None:
    assert shares(["Yes.", "No."], [0.5, 0.5], "something else\nYes.\n") == [1.0, 0.0]
    assert shares(["Height", "31 cm"], [0.5, 0.5], "| Height | 31 cm |") == [1.0, 1.0]


def test_what_a_page_says_twice_counts_for_the_block_that_looks_more_like_content() -> None:
    assert shares([LONG, LONG], [0.8, 0.1], LONG) == [0.0, 1.0]
    assert shares([LONG, LONG], [0.8, 0.1], f"{LONG}\n{LONG}") == [1.0, 1.0]


def test_two_that_agree_outvote_doubt() -> None:
    first, last = _agreed(f"<p>{BLOCKS[0]}</p><p>{LONG}</p>", [0.55, 0.45], BLOCKS[0])
    assert first < 0.5 < last


def test_a_vote_against_a_short_block_counts_half() -> None:
    item, paragraph = _agreed(f"<ul><li>rope</li></ul><p>{LONG}</p>", [0.2, 0.2], "nothing of it")
    assert item < 0.5 < paragraph


def test_a_vote_for_links_or_for_comments_does_not_count() -> None:
    menu = "<a href='/'>Home</a>"
    other = f"Home\n{LONG}"
    assert _agreed(f"<p>{menu}</p><p>{LONG}</p>", [0.7, 0.7], other)[0] > 0.5
    assert _agreed(f"<div class='comment'>{LONG}</div>", [0.7], other)[0] > 0.5
    assert _agreed(f"<div>{LONG}</div>", [0.7], other)[0] < 0.5


def test_what_is_hidden_stays_hidden() -> None:
    assert _agreed(f"<p>{BLOCKS[0]}</p>", [1.0], BLOCKS[0]) == [1.0]
