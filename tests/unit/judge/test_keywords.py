"""Pages by words that a person has listed."""

from typing import Any

import pytest

from opilio.core.errors import ConfigError
from opilio.judge import Keywords
from tests.builders import page


def test_words_are_whole_and_in_any_case() -> None:
    judge = Keywords(["Straße", "black widow"])
    for text, belongs in (
        ("die STRASSE ist lang", True),
        ("die Straßenbahn", False),
        ("a Black,\nwidow!", True),
        ("black widows", False),
        ("", False),
    ):
        assert judge.judge(page(text)).belongs is belongs, text


def test_a_word_inside_a_longer_keyword_counts_too() -> None:
    assert Keywords(["black widow", "widow"], needed=2).judge(page("A black widow.")).belongs


def test_repeating_a_word_gains_nothing() -> None:
    assert Keywords(["cat"]).judge(page("cat " * 100)) == Keywords(["cat"]).judge(page("cat"))


def test_weights_add_up_and_negative_ones_take_away() -> None:
    judge = Keywords({"cat": 2.0, "dog": 1.0, "casino": -5.0}, {r"\bfeline\w*": 0.5}, needed=3)
    verdict = judge.judge(page("cat, felines and a DOG"))
    assert (verdict.belongs, verdict.opinions[0].measure) == (True, 3.5)
    assert verdict.score > 0.5
    assert verdict.opinions[0].reason == r"cat, dog, \bfeline\w*: weight 3.5, 3 is needed"
    assert judge.judge(page("cat dog casino")).score == 0.0


def test_what_is_just_enough_has_the_score_one_half() -> None:
    verdict = Keywords(["cat", "dog"], needed=2).judge(page("cat dog"))
    assert (verdict.score, verdict.belongs) == (0.5, True)


def test_the_parts_that_are_read_can_be_chosen() -> None:
    where = page("nothing", title="A cat", url="http://a.test/cat/")
    assert Keywords(["cat"]).judge(where).belongs
    assert not Keywords(["cat"], where=["text"]).judge(where).belongs
    assert Keywords(["cat"], where=["url"]).judge(where).belongs


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "no keywords"),
        ({"words": ["a"], "where": ["body"]}, "body is not a part"),
        ({"words": ["a"], "needed": 0}, "above 0"),
        ({"patterns": ["("]}, "not a regular expression"),
        ({"words": {"a": "much"}}, "a number"),
        ({"words": [" "]}, "a string and a number"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Keywords(**options)
