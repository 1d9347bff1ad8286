"""The language of a text, or the honest answer that there is too little of it."""

import pytest

from opilio.model.identifier import identify


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The harvestman walks on eight thin legs and eats what it finds.", "en"),
        ("Der Weberknecht läuft auf acht dünnen Beinen\nund frisst, was er findet.", "de"),
        ("Le faucheux marche sur huit pattes fines et mange ce qu'il trouve.", "fr"),
        ("Сенокосец ходит на восьми тонких ногах и ест всё, что находит.", "ru"),
        ("THE HARVESTMAN WALKS ON EIGHT THIN LEGS AND EATS WHAT IT FINDS.", "en"),
    ],
)
def test_language_is_told(text: str, language: str) -> None:
    found, confidence = identify(text)
    assert found == language
    assert 0.5 < confidence <= 1.0


def test_a_doubtful_beginning_is_looked_at_longer() -> None:
    menu = "OK Info Start Login Online Portal Blog Forum Hotel Restaurant Service Software Hardware Museum Radio Video"
    article = "Der Weberknecht läuft auf acht dünnen Beinen durch das Gras und frisst, was er auf seinem Weg findet. "
    assert identify(menu)[0] != "de"
    assert identify(f"{menu} {article * 8}")[0] == "de"


@pytest.mark.parametrize("text", ["", "  \n ", "ok", "12345 67890 12345 67890", "!!! ??? ..."])
def test_too_little_text_has_no_language(text: str) -> None:
    assert identify(text) == ("", 0.0)
