"""Which messages pass, and what is not a word of theirs."""

import pytest

from opilio.core.errors import ConfigError
from opilio.discover.microblog import Message, MessageFilter
from opilio.discover.microblog.message_filter import strip_marks, unknown_share, without_names

ENGLISH = "We went to the market this morning and bought fresh bread"
INDONESIAN = "Pagi ini kami pergi ke pasar untuk membeli sayur dan ikan segar"
WAYS = ("dictionary", "identify")


def message(text: str, language: str = "") -> Message:
    return Message("1", "someone", text, language=language)


@pytest.mark.parametrize("way", WAYS)
def test_an_excluded_language_fails_and_others_pass(way: str) -> None:
    judge = MessageFilter(exclude=["en"], way=way).judge
    assert not judge(message(ENGLISH)).passes
    assert judge(message(INDONESIAN)).passes


def test_only_wanted_languages_pass() -> None:
    judge = MessageFilter(wanted=["id"]).judge
    assert judge(message(INDONESIAN)) == (True, "id")
    assert judge(message("Heute Morgen haben wir auf dem Markt frisches Brot gekauft")) == (False, "de")


def test_names_tags_links_and_emoji_are_not_words() -> None:
    text = "@anna@server.example see https://a.example/b?c=d #harvest r/spiders /u/bert www.c.example 🕷️ 42!"
    assert strip_marks(text) == "see 🕷️ 42!"
    assert not MessageFilter(exclude=["en"]).judge(message(text.replace("see", ""))).passes


@pytest.mark.parametrize("way", WAYS)
def test_marks_do_not_hide_the_language(way: str) -> None:
    judge = MessageFilter(exclude=["en"], way=way).judge
    assert not judge(message(f"@Wolfgang #Regenwetter {ENGLISH} 🍞🍎 https://markt.example/obst-und-gemuese")).passes


def test_broken_characters_say_that_a_message_is_not_english() -> None:
    assert MessageFilter(exclude=["en"], way="dictionary").judge(message(f"{ENGLISH} \N{REPLACEMENT CHARACTER}")).passes


def test_the_threshold_is_the_share_of_unknown_words() -> None:
    half = "market bread membeli sayur"
    assert unknown_share(half.split(), "en") == 0.5
    assert MessageFilter(exclude=["en"], way="dictionary", threshold=0.33).judge(message(half)).passes
    assert not MessageFilter(exclude=["en"], way="dictionary", threshold=0.9).judge(message(half)).passes


def test_what_the_service_says_counts_where_the_text_is_too_short() -> None:
    assert MessageFilter(wanted=["id"]).judge(message("Ok", "id-ID")) == (True, "id")
    assert MessageFilter(wanted=["id"]).judge(message("Ok", "en")) == (False, "en")


def test_without_languages_everything_passes() -> None:
    idle = MessageFilter()
    assert not idle.is_active
    assert idle.judge(message("", "en-US")) == (True, "en")


def test_a_language_without_a_dictionary_is_identified() -> None:
    assert not MessageFilter(exclude=["ja"]).judge(message("今朝、私たちは市場に行って新鮮なパンを買いました")).passes
    with pytest.raises(ConfigError, match="no dictionary of Japanese"):
        MessageFilter(exclude=["ja"], way="dictionary")
    with pytest.raises(ConfigError, match='"spelling" is not a way'):
        MessageFilter(exclude=["en"], way="spelling")


def test_names_are_taken_out_of_a_message_that_may_be_kept() -> None:
    assert without_names("Thanks @anna@server.example and u/bert!") == "Thanks @ and u/!"
    assert without_names("mail me@home.example") == "mail me@home.example"
