"""Whether a short message is in a language that is looked for.

Two ways to tell, which docs/microblogs.md compares in figures:

* *dictionary*: the share of words that a dictionary of the excluded language does not have. From the threshold on, the
  message is in another language. This is the way of the paper, which excludes English; it needs no model of the others.
* *identify*: the language identifier that pages are read with.

Rules: names, tags, links, punctuation, digits and emoji are not words. A message without words fails, because nothing
says that it is worth a request. Characters that are not Unicode count as another language. A message passes if it is in
no excluded language and, where languages are wanted, in one of these.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from opilio.core.errors import ConfigError
from opilio.core.languages import find_code, language_name
from opilio.model.identifier import likeliest

from .listing import Message

DICTIONARY: Final = "dictionary"
IDENTIFY: Final = "identify"
_NAME: Final = re.compile(r"(?<![\w/])(@|/?u/)[\w.@-]+")
_NOT_WORDS: Final = re.compile(rf"https?://\S+|www\.\S+|{_NAME.pattern}|(?<!\w)#\w+|(?<!\w)/?r/[\w-]+")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LEAST_CONFIDENCE: Final = 0.3  # below it, the service knows better; see the table in docs/microblogs.md
_BROKEN: Final = "\N{REPLACEMENT CHARACTER}"
_REMEMBERED_WORDS: Final = 100_000
_DICTIONARY_NAMES: Final = {
    "hr": "hbs",
    "sr": "hbs",
    "bs": "hbs",
    "sh": "hbs",
    "no": "nb",
}  # where they are not our codes


class Judged(NamedTuple):
    passes: bool
    language: str = ""  # what is known of it, for the find


class MessageFilter:
    THRESHOLD: Final = 0.33

    def __init__(
        self, *, exclude: Sequence[str] = (), wanted: Sequence[str] = (), way: str = "", threshold: float = THRESHOLD
    ) -> None:
        self._exclude, self._wanted, self._threshold = frozenset(exclude), frozenset(wanted), threshold
        lacking = [language for language in exclude if _DICTIONARY_NAMES.get(language, language) not in _dictionaries()]
        self._way = way or (IDENTIFY if lacking else DICTIONARY)
        if self._way not in (DICTIONARY, IDENTIFY):
            raise ConfigError(f'"{way}" is not a way to filter messages. Write "{DICTIONARY}" or "{IDENTIFY}".')
        if self._way == DICTIONARY and lacking:
            raise ConfigError(f'there is no dictionary of {language_name(lacking[0])}. Set filter to "{IDENTIFY}".')

    @property
    def terms(self) -> str:
        """Returns what two filters have in common if the same messages pass."""
        return f"{self._way} {self._threshold} -{','.join(sorted(self._exclude))} +{','.join(sorted(self._wanted))}"

    @property
    def is_active(self) -> bool:
        return bool(self._exclude or self._wanted)

    def judge(self, message: Message) -> Judged:
        declared = find_code(message.language) or ""
        if not self.is_active:
            return Judged(passes=True, language=declared)
        plain = strip_marks(message.text)
        words = _WORD.findall(plain)
        if not words:
            return Judged(passes=False, language=declared)
        language, sure = declared, False
        if self._wanted or self._way == IDENTIFY:
            language, sure = _tell(plain, declared)
        spelt = self._way == DICTIONARY and _BROKEN not in plain and self._is_spelt_as_excluded(words)
        told = self._way == IDENTIFY and sure and language in self._exclude
        wanted = not self._wanted or language in self._wanted
        return Judged(wanted and not spelt and not told, language)

    def _is_spelt_as_excluded(self, words: Sequence[str]) -> bool:
        return any(unknown_share(words, language) < self._threshold for language in self._exclude)


def _tell(plain: str, declared: str) -> tuple[str, bool]:
    """Returns the language, and whether it is more than a guess."""
    found, confidence = likeliest(plain)
    if confidence >= _LEAST_CONFIDENCE or not declared:
        return found, confidence >= _LEAST_CONFIDENCE
    return declared, True


def without_names(text: str) -> str:
    """Returns the text as it may be kept: with the sign of a name, and without the name."""
    return _NAME.sub(r"\1", text)


def strip_marks(text: str) -> str:
    """Returns the text without links, names of users, and tags."""
    return " ".join(_NOT_WORDS.sub(" ", text).split())


def unknown_share(words: Sequence[str], language: str) -> float:
    """Returns the share of the words that a dictionary of the language does not have."""
    return sum(not _is_known(word, language) for word in words) / len(words)


@lru_cache(maxsize=_REMEMBERED_WORDS)
def _is_known(word: str, language: str) -> bool:
    name, look_up = _DICTIONARY_NAMES.get(language, language), _look_up()
    return look_up(word, name) or look_up(word.lower(), name)


@lru_cache(maxsize=1)
def _look_up() -> Callable[[str, str], bool]:
    from simplemma import is_known  # noqa: PLC0415  (a dictionary takes a tenth of a second: not for `--help`)

    return is_known


@lru_cache(maxsize=1)
def _dictionaries() -> frozenset[str]:
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES  # noqa: PLC0415

    return frozenset(SUPPORTED_LANGUAGES)
