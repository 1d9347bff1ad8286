"""`bench charset`: are the letters of a page right, whatever was declared about its bytes?

The cases are those of `charset_cases`. Beside them stand pages of one, five and twenty sentences in 60 languages, each
in the legacy encodings that its language is written in and with nothing declared, made of the odd sentences of
OPILIO_DATA/text/sentences.json.gz; whatever Opilio has learned from this file is from the even ones. Trafilatura and
charset-normalizer read the same bytes; they see neither header nor declaration, because they do not look at them.
"""

import gzip
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from time import process_time
from typing import Final, NamedTuple
from unicodedata import normalize

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.url import Url, parse
from opilio.glean import glean

from .charset_cases import Case, cases, encode, page
from .form import Cell, Goal, Report

_SENTENCES: Final = "text/sentences.json.gz"
_LENGTHS: Final = (1, 5, 20)  # sentences of a page
_PAGES: Final = 4  # of each language, encoding and length
_LEAST_RIGHT: Final = 0.92  # of the cases
_COLUMNS: Final = ("pages", "number", "reader", "right %", "dropped %", "garbled %", "ms a page")
CODECS: Final = {
    "cp1252": "de fr es it pt nl da sv nb nn fi is ca eu ga af sq tl id sw",
    "iso8859_15": "fr fi et",
    "mac_roman": "fr de",
    "cp1250": "pl cs sk hu ro hr sl bs",
    "iso8859_2": "pl cs sk hu hr sl bs",
    "cp1251": "ru uk be bg sr mk",
    "koi8_r": "ru",
    "koi8_u": "uk",
    "iso8859_5": "ru bg sr",
    "cp866": "ru",
    "mac_cyrillic": "ru",
    "cp1253": "el",
    "iso8859_7": "el",
    "cp1254": "tr az",
    "cp1255": "he",
    "iso8859_8": "he",
    "cp1256": "ar fa ur",
    "iso8859_6": "ar",
    "cp1257": "lt lv et",
    "iso8859_13": "lt lv",
    "cp1258": "vi",
    "cp874": "th",
    "gb18030": "zh",
    "cp932": "ja",
    "euc_jp": "ja",
    "iso2022_jp": "ja",
    "cp949": "ko",
    "iso8859_14": "cy",
}


class Read(NamedTuple):
    """What became of a page; None if it was dropped."""

    text: str | None


class Score(NamedTuple):
    right: int
    dropped: int
    garbled: tuple[str, ...]  # names of the cases
    seconds: float

    @property
    def all(self) -> int:
        return self.right + self.dropped + len(self.garbled)


Reader = Callable[[Case], Read]


def run(pages: int = _PAGES) -> Report:
    """`pages`: how many are made of each language, encoding and length."""
    sets: dict[str, Iterable[Case]] = {"cases": cases()}
    sets |= {f"{length} sentences": list(made(length, pages)) for length in _LENGTHS}
    scores = {(name, reader): measure(read, sets[name]) for name in sets for reader, read in _readers().items()}
    ours = scores["cases", "opilio"]
    rows = [_row(name, reader, score) for (name, reader), score in scores.items()]
    goal = Goal("Cases with the right letters", 100 * ours.right / ours.all, 100 * _LEAST_RIGHT, "%")
    garbled = Goal("Cases that are garbled and kept", len(ours.garbled), 0, "cases", at_least=False)
    return Report("charset", _COLUMNS, rows, (goal, garbled), tuple(f"garbled: {name}" for name in ours.garbled))


def measure(read: Reader, pages: Iterable[Case]) -> Score:
    right, dropped, garbled, spent_s = 0, 0, [], 0.0
    for case in pages:
        began_s = process_time()
        found = read(case).text
        spent_s += process_time() - began_s
        if is_right(case, found):
            right += 1
        elif found is None:
            dropped += 1
        else:
            garbled.append(case.name)
    return Score(right, dropped, tuple(garbled), spent_s)


def is_right(case: Case, found: str | None) -> bool:
    if case.text is None or found is None:
        return case.text is found
    return _plain(case.text) in _plain(found)


def read_opilio(case: Case) -> Read:
    url = parse("http://h.example/")
    assert isinstance(url, Url)
    headers = (("content-type", case.content_type),) if case.content_type else ()
    found = glean(url, 0, headers, case.body, Limits(), context=False)
    return Read(" ".join(block.text for block in found.blocks) if isinstance(found, Page) else None)


def made(sentences: int, pages: int) -> Iterator[Case]:
    """Makes undeclared pages of the odd sentences, as far as the encoding has their letters."""
    texts = odd_sentences()
    for codec, languages in CODECS.items():
        for language in languages.split():
            lines = [line for line in texts[language] if _fits(line, codec)]
            for number in range(min(pages, len(lines) // sentences)):
                text = " ".join(lines[number * sentences : (number + 1) * sentences])
                text = normalize("NFC", encode(text, codec).decode(codec))
                yield Case(f"{language} {codec} {number}", "text/html", page(text, codec), text)


def odd_sentences() -> Mapping[str, list[str]]:
    path = Path(os.environ.get("OPILIO_DATA") or "nowhere") / _SENTENCES
    if not path.exists():
        raise ConfigError(f"bench charset needs {_SENTENCES} in the folder that OPILIO_DATA names.")
    texts = msgspec.json.decode(gzip.decompress(path.read_bytes()), type=dict[str, list[str]])
    return {language: lines[1::2] for language, lines in texts.items()}


def _fits(line: str, codec: str) -> bool:
    """Tells whether a sentence has letters outside of ASCII, all of which the encoding has."""
    if line.isascii() or re.search("[<&\x80-\x9f]", line):
        return False
    try:
        encode(line, codec)
    except UnicodeEncodeError:
        return False
    return True


def _plain(text: str) -> str:
    """Returns the form in which texts are compared: spaces and soft hyphens do not matter."""
    return re.sub(r"[\s\xad\u200b-\u200f]+", "", normalize("NFC", text))


def _readers() -> dict[str, Reader]:
    return {"opilio": read_opilio, "charset-normalizer": _read_normalizer, "trafilatura": _read_trafilatura}


def _read_normalizer(case: Case) -> Read:
    from charset_normalizer import from_bytes

    best = from_bytes(case.body).best()
    return Read(None if best is None else str(best))


def _read_trafilatura(case: Case) -> Read:
    from trafilatura.utils import decode_file

    return Read(decode_file(case.body))


def _row(name: str, reader: str, score: Score) -> list[Cell]:
    shares = (100 * count / score.all for count in (score.right, score.dropped, len(score.garbled)))
    return [name, score.all, reader, *shares, 1_000 * score.seconds / score.all]
