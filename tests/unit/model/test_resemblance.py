"""Texts that are about the same thing are found by the terms that they share."""

import pytest

from opilio.model.resemblance import resembling
from tests.builders import demo_texts

CATS, OTHERS = demo_texts("cats.en")[:3], demo_texts("tech.en")[:2]


def test_texts_on_two_subjects_fall_into_two_groups_the_larger_first() -> None:
    assert resembling([CATS[0], OTHERS[0], CATS[1], OTHERS[1], CATS[2]]) == [[0, 2, 4], [1, 3]]


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_texts_on_one_subject_are_one_group(count: int) -> None:
    assert resembling(CATS[:count]) == ([list(range(count))] if count else [])


def test_texts_without_a_word_or_of_an_unknown_language_stand_alone() -> None:
    assert sorted(resembling(["", "qwx zzyx vvk", "… !"])) == [[0], [1], [2]]
