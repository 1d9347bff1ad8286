"""The language of a page, guessed from its URL."""

import msgspec

from opilio.model.url_language import UrlLanguage, language_of_domain


def test_a_countrys_domain_speaks_for_its_language_before_anything_is_met() -> None:
    learner = UrlLanguage()
    assert learner.guess("https://www.example.de/x") == "de"
    assert learner.guess("https://www.example.com/x") == ""
    assert language_of_domain("https://example.co.uk/") == "en"


def test_words_of_the_url_are_learned() -> None:
    learner = UrlLanguage()
    for number in range(5):
        learner.learn(f"https://example.org/index{number}.de.html", "de")
        learner.learn(f"https://example.org/index{number}.fr.html", "fr")
    assert learner.guess("https://example.org/other.fr.html") == "fr"
    chances = learner.probabilities("https://example.org/other.de.html")
    assert chances["de"] > 0.9
    assert abs(sum(chances.values()) - 1.0) < 1e-9


def test_pages_met_outweigh_the_domain() -> None:
    learner = UrlLanguage()
    for number in range(10):
        learner.learn(f"https://example.de/english/page-{number}", "en")
    assert learner.guess("https://example.de/english/another") == "en"


def test_what_is_known_is_bounded_and_recent_words_are_kept() -> None:
    learner = UrlLanguage()
    for number in range(30_000):
        learner.learn(f"https://example.org/{_word(number)}/de/{_word(number + 1)}", "de")
        if number % 10 == 0:
            learner.learn("https://example.org/nl/pagina", "nl")
    assert len(learner.parts) <= 20_010
    assert learner.guess("https://example.org/nl/andere") == "nl"


def test_a_saved_learner_guesses_alike() -> None:
    learner = UrlLanguage()
    learner.learn("https://example.org/de/", "de")
    learner.learn("https://example.org/fr/", "fr")
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(learner), type=UrlLanguage)
    assert again.probabilities("https://example.org/de/2") == learner.probabilities("https://example.org/de/2")


def _word(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))
