"""Letters that were lost before a page was sent come back where that is certain; other pages are left alone or dropped."""

import pytest

from opilio.glean.mojibake import is_garbled, repair

RUSSIAN = "Вечером мы долго сидели у реки и слушали, как шумит старая мельница. "
GERMAN = "Grüße aus Köln: schöne, süße Äpfel für müde Gäste. "


@pytest.mark.parametrize("text", [RUSSIAN * 2, GERMAN, "Il a dit « déjà » à l’été. Ça va être très fâché, hélas !"])
@pytest.mark.parametrize("codec", ["latin-1", "cp1252"])
def test_utf8_that_was_read_as_another_encoding_is_read_again(text: str, codec: str) -> None:
    twice = "".join(bytes((byte,)).decode(codec, "ignore") or chr(byte) for byte in text.encode())
    assert repair(twice, twice.encode()) == text


@pytest.mark.parametrize("codec", ["cp1251", "koi8_r"])
def test_cyrillic_that_was_read_as_latin_is_read_again(codec: str) -> None:
    stored = RUSSIAN.encode(codec).decode("latin-1") + "<b>→</b>"
    assert repair(stored, stored.encode()).replace("&#8594;", "→") == RUSSIAN + "<b>→</b>"


@pytest.mark.parametrize(
    "text", [RUSSIAN, GERMAN, "é à È", "Ça fait 3 € « à » L'été Ã¤ c'est ainsi qu'on écrit", "plain"]
)
def test_sound_text_is_left_alone(text: str) -> None:
    assert repair(text, text.encode()) == text


@pytest.mark.parametrize(
    "text", ["Gr\ufffd\ufffde aus K\ufffdln", "????? ?? ???? ?????? ? ????", "Ð¿ÑÐ¸Ð²ÐµÑ â¬ Ð¼Ð¸Ñ¬±¤"]
)
def test_lost_letters_are_told(text: str) -> None:
    assert is_garbled(text, unsure=True)


@pytest.mark.parametrize("text", ["", RUSSIAN, GERMAN, "Why? Who? When? Nobody knows, and nobody asks any more."])
def test_sound_text_is_not_garbled(text: str) -> None:
    assert not is_garbled(text, unsure=True)
