import re

from hypothesis import given
from hypothesis import strategies as st

from opilio.model.terms import terms


def test_words_are_in_lower_case_and_cut_to_seven_characters() -> None:
    assert terms("Photosynthesis, photosynthetic; snake_case 2024!") == ["photosy", "photosy", "snake", "case", "2024"]


def test_punctuation_of_any_script_parts_words() -> None:
    assert terms("l’été – «Straße» №5") == ["l", "été", "straße", "5"]


def test_runs_without_spaces_become_pairs_of_characters() -> None:
    assert terms("Im 東京都 2x 京") == ["im", "東京", "京都", "2x", "京"]


@given(st.text(st.characters(max_codepoint=0xDFF)))
def test_spaced_scripts_read_as_by_the_expression(text: str) -> None:
    assert terms(text) == [word[:7] for word in re.findall(r"[^\W_]+", text.lower())]


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert all(0 < len(term) <= 7 for term in terms(text + "\ud800"))
