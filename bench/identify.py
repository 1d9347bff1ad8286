"""`bench identify`: is the language of a text told, and is a wrong one kept back?

Documents of about 200 words are made of the odd sentences of OPILIO_DATA/text/sentences.json.gz in 75 languages: as
one paragraph, with a paragraph for each sentence, and behind a beginning of 20 words in another language. Whatever
Opilio has learned from this file is from the even ones. The first model alone, asked about the whole text, stands for
what a plain call of fastText gives. Merged figures count Bosnian, Croatian and Serbian as one language, Malay and
Indonesian as one, and both forms of Norwegian as one.
"""

from collections.abc import Callable, Iterator, Mapping
from time import process_time
from typing import Final, NamedTuple

from opilio.model.identifier import glance, identify

from .charset import odd_sentences
from .form import Cell, Goal, Report

WORDS: Final = 200
CODES: Final = {"nb": "no"}  # code of the sentences → code of the identifier
_START_WORDS: Final = 20
_MERGED: Final = {"bs": "hbs", "hr": "hbs", "sr": "hbs", "sh": "hbs", "ms": "id", "nn": "no"}
_COLUMNS: Final = ("texts", "number", "told by", "right %", "right if merged %", "none %", "wrong %", "ms a text")
_LEAST_RIGHT: Final = 95.0
_LEAST_NONE: Final = 90.0
Document = tuple[str, str]  # language and text


class Answers(NamedTuple):
    told: list[tuple[str, str]]  # right language and answer
    seconds: float

    def share(self, right: Callable[[str, str], bool]) -> float:
        return 100 * sum(right(code, told) for code, told in self.told) / len(self.told)


def run() -> Report:
    texts = odd_sentences()
    sets = {
        "one paragraph": list(documents(texts, " ")),
        "many paragraphs": list(documents(texts, "\n")),
        "another beginning": list(with_beginnings(texts)),
    }
    ways = {"opilio": identify, "the first model": lambda text: glance(text)[:2]}
    found = {(name, way): measure(sets[name], ways[way]) for name in sets for way in ways}
    ours = found["many paragraphs", "opilio"]
    wrong = [told for code, told in ours.told if told != code]
    goals = (
        Goal("Documents whose language is told", ours.share(lambda code, told: told == code), _LEAST_RIGHT, "%"),
        Goal("None instead of a wrong one", 100 * wrong.count("") / max(1, len(wrong)), _LEAST_NONE, "%"),
    )
    return Report("identify", _COLUMNS, [_row(*key, answers) for key, answers in found.items()], goals)


def documents(texts: Mapping[str, list[str]], joint: str) -> Iterator[Document]:
    """Makes documents of about 200 words."""
    for language, lines in texts.items():
        held: list[str] = []
        for line in lines:
            held.append(line)
            if sum(map(_words, held)) >= WORDS:
                yield CODES.get(language, language), joint.join(held)
                held = []


def with_beginnings(texts: Mapping[str, list[str]]) -> Iterator[Document]:
    """Puts words of English, or of German, before each document."""
    beginnings = {language: " ".join(" ".join(texts[language][:4]).split()[:_START_WORDS]) for language in ("en", "de")}
    for language, text in documents(texts, "\n"):
        yield language, f"{beginnings['de' if language == 'en' else 'en']}\n{text}"


def measure(texts: list[Document], tell: Callable[[str], tuple[str, float]]) -> Answers:
    tell(texts[0][1])  # loads what it needs
    began_s = process_time()
    told = [(language, tell(text)[0]) for language, text in texts]
    return Answers(told, process_time() - began_s)


def _words(line: str) -> int:
    """Counts words; two characters are one where there are no spaces."""
    return len(line.split()) if " " in line else len(line) // 2


def _row(name: str, way: str, answers: Answers) -> list[Cell]:
    shares = (
        answers.share(lambda code, told: told == code),
        answers.share(lambda code, told: _MERGED.get(told, told) == _MERGED.get(code, code)),
        answers.share(lambda _code, told: not told),
        answers.share(lambda code, told: bool(told) and told != code),
    )
    return [name, len(answers.told), way, *shares, 1_000 * answers.seconds / len(answers.told)]
