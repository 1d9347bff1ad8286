"""Badness: the arithmetic by hand, profiles from texts, and those that come with the program."""

from math import log10
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.core.errors import ModelError
from opilio.model.badness import (
    LIMIT,
    MOST_TOTAL,
    Profile,
    badness,
    join,
    profile_of,
    read_profile_file,
    read_profiles,
    train_profile,
    write_profiles,
)
from opilio.webs.demo import articles

PROFILE = Profile({"the": (log10(0.1), 0.1), "of": (log10(0.05), 0.2)})


def prose(host: str) -> list[str]:
    """Documents as long as the median page of a real web."""
    texts = [each.text for each in articles(host)]
    return ["\n".join(texts[start : start + 5]) for start in range(0, len(texts) - 4, 5)]


def test_a_word_costs_its_distance_below_the_mean_in_standard_deviations() -> None:
    text = " ".join(["the"] * 8 + ["of"] * 5 + ["word"] * 87)
    assert badness(text, PROFILE).total == pytest.approx((log10(0.1) - log10(0.08)) / 0.1)


def test_a_word_costs_the_limit_where_it_is_missing_or_far_too_rare() -> None:
    rare = badness(" ".join(["the", *["word"] * 999]), PROFILE)
    assert rare.total == 2 * LIMIT
    assert rare.missing == ("of",)
    assert badness("", PROFILE).total == 2 * LIMIT


def test_more_of_a_word_than_usual_costs_nothing() -> None:
    assert badness("the of the of", PROFILE).total == 0.0


@given(st.text())
def test_badness_lies_between_nothing_and_the_worst(text: str) -> None:
    for profile in (PROFILE, read_profiles()["en"]):
        assert 0.0 <= badness(text, profile).total <= MOST_TOTAL


def test_a_profile_has_the_ten_most_frequent_words() -> None:
    # "b" stands in every other text, three times of ten words; "a" twice in each.
    even, odd = "a a b b b x1 x2 x3 x4 x5", "a a c d e f g h i j"
    profile = train_profile([text for _ in range(200) for text in (even + " " * 990, odd + " " * 990)])
    assert list(profile.words)[:2] == ["a", "b"]
    assert len(profile.words) == 10
    assert profile.words["a"][0] == pytest.approx(log10(0.2))
    assert profile.words["b"][0] == pytest.approx(log10(0.3))  # of the texts that have it
    assert profile.words["b"][1] > 0  # a word as steady as that would punish every text that is not


def test_short_texts_are_joined_to_documents_and_long_ones_stay() -> None:
    short, long = [f"Sentence {number:03}. " * 5 for number in range(60)], "A long text. " * 100
    documents = join([*short, long])
    assert documents[0] == long
    assert all(len(document) >= 1_000 for document in documents)
    assert len(documents) > 10


def test_too_little_text_makes_no_profile() -> None:
    with pytest.raises(ModelError, match="Give more text"):
        train_profile(["A sentence."] * 10)


def test_profiles_of_many_languages_come_with_the_program() -> None:
    profiles = read_profiles()
    assert len(profiles) >= 30
    assert {len(profile.words) for profile in profiles.values()} == {10}
    assert all(10.0 <= profile.threshold < 40.0 for profile in profiles.values())


def test_running_text_is_told_from_another_language_and_from_a_list_of_words() -> None:
    profiles = read_profiles()
    for code, other in (("de", "en"), ("en", "de")):
        own = [badness(text, profiles[code]).total for text in prose(f"cats.{code}")]
        foreign = [badness(text, profiles[code]).total for text in prose(f"cats.{other}")]
        listed = [
            badness(" ".join(word for word in text.split() if len(word) > 4), profiles[code]).total
            for text in prose(f"cats.{code}")
        ]
        assert sum(value <= 10.0 for value in own) >= 0.9 * len(own)
        assert min(foreign) > 30.0
        assert min(listed) > 30.0


def test_the_identifiers_code_for_norwegian_finds_its_profile() -> None:
    assert profile_of("no", read_profiles()) == read_profiles()["nb"]
    assert profile_of("tlh", read_profiles()) is None


def test_profiles_of_ones_own_lie_over_those_that_come_with_the_program(tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    write_profiles({"tlh": PROFILE, "de": PROFILE}, file)
    profiles = read_profiles(file)
    assert set(profiles["tlh"].words) == set(profiles["de"].words) == {"the", "of"}
    assert "en" in profiles
    assert "en" not in read_profile_file(file)


@pytest.mark.parametrize("content", ["", "[]", '{"de": 3}', '{"de": {"words": {"der": [-1, 0]}}}'])
def test_a_broken_file_of_profiles_is_refused_by_name(tmp_path: Path, content: str) -> None:
    file = tmp_path / "broken.json"
    file.write_text(content)
    with pytest.raises(ModelError, match="broken"):
        read_profiles(file)


def test_a_missing_file_of_profiles_names_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="judge train badness"):
        read_profiles(tmp_path / "none.json")
