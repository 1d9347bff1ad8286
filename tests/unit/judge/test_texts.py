"""What judges by terms read of a page."""

from collections import Counter

from msgspec.structs import replace

from opilio.judge.texts import page_words
from tests.builders import page


def test_title_and_beginning_count_three_times() -> None:
    found = Counter(page_words(replace(page("whiskers " + "fur " * 400 + "tail"), title="Cats")).split())
    assert (found["Cats"], found["whiskers"], found["tail"]) == (3, 3, 1)


def test_no_word_is_cut_at_the_end_of_the_beginning() -> None:
    assert set(page_words(page("whiskers " * 400)).split()) == {"whiskers"}


def test_a_script_without_spaces_has_a_beginning_too() -> None:
    text = "\u732b" * 3_000
    assert page_words(page(text)).count("\u732b") == 3_000 + 2 * 1_200
