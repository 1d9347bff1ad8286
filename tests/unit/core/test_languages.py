"""Languages as people name them."""

import pytest

from opilio.core.errors import ConfigError
from opilio.core.languages import known_codes, language_codes, language_name, list_languages
from opilio.model.identifier import languages


@pytest.mark.parametrize(
    "name", ["de", "DE", "deu", "ger", "german", "German", "Deutsch", " deutsch ", "de-AT", "de_CH", "de-Latn-DE"]
)
def test_a_language_may_be_named_in_any_usual_way(name: str) -> None:
    assert language_codes([name]) == ("de",)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("español", "es"),
        ("espanol", "es"),
        ("Norwegian Bokmål", "no"),
        ("nb-NO", "no"),
        ("norwegian-nynorsk", "nn"),
        ("zh-Hant", "zh"),
        ("日本語", "ja"),
        ("हिन्दी", "hi"),
        ("Serbo-Croatian", "sh"),
        ("iw", "he"),
    ],
)
def test_accents_scripts_and_older_codes_are_understood(name: str, code: str) -> None:
    assert language_codes([name]) == (code,)


def test_several_may_stand_in_one_name_and_none_counts_twice() -> None:
    assert language_codes(["de, French", "german", ""]) == ("de", "fr")


@pytest.mark.parametrize("name", ["", " ", ","])
def test_a_name_without_a_letter_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=rf'^"{name}" is not a language\. Write a code such as de'):
        language_codes([name])
    assert language_codes([]) == ()


@pytest.mark.parametrize(("name", "meant"), [("germn", "german"), ("frensh", "french"), ("cz", "czech")])
def test_what_is_not_known_is_refused_with_what_was_probably_meant(name: str, meant: str) -> None:
    with pytest.raises(ConfigError, match=rf'"{name}" is not a language.*Did you mean "{meant}"\?'):
        language_codes([name])


@pytest.mark.parametrize("name", ["klingon", "dothraki"])
def test_nothing_is_suggested_for_a_name_that_is_like_no_other(name: str) -> None:
    with pytest.raises(ConfigError, match=rf'"{name}" is not a language that Opilio can identify\. Write'):
        language_codes([name])


@pytest.mark.parametrize("name", ["de en", "de;en", "German; English"])
def test_several_in_one_name_without_a_comma_are_answered_with_what_to_write(name: str) -> None:
    with pytest.raises(ConfigError, match=rf'"{name}" is more than one language\. Write --language de --language en\.'):
        language_codes([name])


def test_languages_that_nobody_could_tell_from_a_text_are_refused() -> None:
    with pytest.raises(
        ConfigError, match=r'"qqq" is not a language that Opilio can identify\. Write a code such as de'
    ):
        language_codes(["qqq"])
    assert known_codes(["qqq", "german"]) == ("de",)


def test_the_known_languages_are_those_that_the_identifier_can_tell() -> None:
    told = languages()
    assert len(told) == 176 + 8
    assert set(known_codes(told)) == told
    assert all(known_codes([code]) == (code,) for code in told)
    assert all(known_codes([language_name(code)]) == (code,) for code in told)


def test_languages_are_listed_in_words() -> None:
    assert list_languages(["de"]) == "German"
    assert list_languages(["de", "fr"]) == "German or French"
    assert list_languages(["de", "fr", "nl"]) == "German, French or Dutch"
