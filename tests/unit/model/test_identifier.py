"""The language of a text and of its paragraphs, or the honest answer that it cannot be told."""

import pytest

from opilio.model.identifier import identify, languages, tell

GERMAN = "Der Weberknecht läuft auf acht dünnen Beinen durch das Gras und frisst, was er auf seinem Weg findet."
ENGLISH = "The harvestman walks on eight thin legs through the grass and eats whatever it finds on its way home."
ZULU = "Ngiyabonga kakhulu ngosizo lwakho, ngizokubona kusasa ekuseni ngaphambi kokuba ngiye emsebenzini edolobheni. "
ZULU += "Izingane zidlala ngaphandle kwendlu ngoba izulu lihle namuhla, futhi akukho lutho olubakhathazayo."
MAORI = (
    "Kei te haere mātou ki te toa hoko kai ai, ā, ka hoki mai anō mātou ki te kāinga i te ahiahi nei kia kai tahi ai."
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The harvestman walks on eight thin legs and eats what it finds.", "en"),
        ("Der Weberknecht läuft auf acht dünnen Beinen\nund frisst, was er findet.", "de"),
        ("Le faucheux marche sur huit pattes fines et mange ce qu'il trouve.", "fr"),
        ("Сенокосец ходит на восьми тонких ногах и ест всё, что находит.", "ru"),
        ("THE HARVESTMAN WALKS ON EIGHT THIN LEGS AND EATS WHAT IT FINDS.", "en"),
        (ZULU, "zu"),
        (MAORI, "mi"),
    ],
)
def test_language_is_told(text: str, language: str) -> None:
    found, confidence = identify(text)
    assert found == language
    assert 0.5 < confidence <= 1.0


def test_a_text_is_told_by_its_body_and_not_by_its_beginning() -> None:
    menu = "Home About us Contact Privacy policy Terms of service Log in Subscribe to our newsletter today for free"
    assert tell(menu).language == "en"
    assert tell("\n".join([menu, *[GERMAN] * 6])).language == "de"
    assert tell("\n".join([ENGLISH, *[GERMAN] * 12])).language == "de"


def test_the_languages_of_paragraphs_have_their_shares() -> None:
    told = tell("\n".join([GERMAN, ENGLISH, GERMAN, GERMAN, ENGLISH]))
    assert told.language == "de"
    assert dict(told.shares) == pytest.approx({"de": 0.6, "en": 0.4}, abs=0.05)
    assert told.confidence < 0.7
    assert tell(GERMAN * 3).shares == (("de", 1.0),)


def test_letters_in_no_order_are_in_no_language() -> None:
    assert identify("Xqvz wklpt brzzk vvnmq trfgh plkjh qwrtp zxcvb nmlkj hgfds qazws xedcr fvtgb yhnuj mikol")[0] == ""


@pytest.mark.parametrize("text", ["", "  \n ", "ok", "12345 67890 12345 67890", "!!! ??? ..."])
def test_too_little_text_has_no_language(text: str) -> None:
    assert identify(text) == ("", 0.0)


def test_the_second_model_adds_eight_languages() -> None:
    assert {"lg", "mi", "sn", "st", "tn", "ts", "xh", "zu", "no", "de"} <= languages()
    assert "nb" not in languages()
