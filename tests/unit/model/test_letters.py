"""Letters cost what they cost in a language, and the file that says so is sound."""

import pytest

from bench.letters_fit import count_letters
from opilio.model.letters import JUNK, Letters, fold, letters


def best(text: str) -> str:
    return letters().languages[int(letters().costs(fold(text)).argmin())]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Der Weberknecht läuft auf acht dünnen Beinen", "de"),
        ("毎朝、おじいさんは犬を連れて川のそばを散歩します", "ja"),
        ("Његова кућа стоји на крају села, одмах поред старе цркве", "sr"),
        ("Njegova kuća stoji na kraju sela, odmah pored stare crkve, i svako jutro dolazi lepa mačka", "sr-latn"),
    ],
)
def test_a_text_costs_least_in_its_own_language(text: str, language: str) -> None:
    assert best(text) == language


def test_only_letters_and_odd_signs_are_counted() -> None:
    assert fold("Ein  Satz,\n 12 – “zwei”!") == " ein satz zwei "
    assert fold("ï¿½") == f" ï{JUNK}{JUNK} "
    assert fold("a\x00b\x9dc") == f" a{JUNK}b{JUNK}c "


def test_a_pair_that_was_counted_costs_less_than_others() -> None:
    model = Letters({"aa": count_letters(["abab abab"]), "bb": count_letters(["bcbc bcbc"])})
    costs = model.costs(" abab ")
    assert costs[0] < costs[1]
    assert model.costs(" жж ").min() > 25


def test_letters_of_another_script_cost_more_than_strange_ones_of_the_own() -> None:
    german = letters().languages.index("de")
    assert letters().costs(" aőa ")[german] < letters().costs(" aжa ")[german]


def test_common_chinese_characters_cost_less_than_rare_ones() -> None:
    chinese = letters().languages.index("zh")
    assert letters().costs("丐")[chinese] <= letters().costs("丒")[chinese]
    assert letters().costs(" 椅 ")[chinese] < letters().costs(" 㐂 ")[chinese]
