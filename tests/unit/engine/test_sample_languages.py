"""Samples in other languages than the pages that are wanted."""

import pytest

from opilio.core.errors import ConfigError
from opilio.core.plugin import Sample
from opilio.engine.sample_languages import check_languages, find_mismatch
from opilio.judge import Everything, Judge
from tests.builders import demo_texts

ENGLISH, GERMAN = Sample("en.txt", demo_texts("cats.en")[0]), Sample("de.txt", demo_texts("cats.de")[0])
SHORT = Sample("short.txt", "12 / 7")


class Comparing(Everything):
    compares_words = True


def test_samples_in_another_language_are_refused_with_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"^the samples are in English.*only pages in German.*Name samples in German"):
        check_languages(Comparing(), [ENGLISH], ["de"])


def test_some_samples_in_another_language_are_named() -> None:
    warning = check_languages(Comparing(), [ENGLISH, GERMAN], ["de"])
    assert warning is not None
    assert "en.txt" in warning
    assert "de.txt" not in warning


@pytest.mark.parametrize("only", [["de"], ["fr", "de"], []])
def test_samples_that_fit_are_not_talked_about(only: list[str]) -> None:
    assert check_languages(Comparing(), [GERMAN], only) is None


def test_a_sample_whose_language_cannot_be_told_is_given_the_benefit_of_the_doubt() -> None:
    assert find_mismatch([SHORT], ["de"]) is None
    mismatch = find_mismatch([SHORT, ENGLISH], ["de"])
    assert mismatch is not None
    assert not mismatch.is_total


@pytest.mark.parametrize("judge", [Everything()])
def test_a_judge_that_does_not_compare_words_may_have_samples_in_any_language(judge: Judge) -> None:
    assert check_languages(judge, [ENGLISH], ["de"]) is None
