"""Does the page have these words? Decides by a list that a person has written: words, phrases and patterns with
weights.

Rules: a keyword counts once, however often it is on the page, so that repeating it gains nothing. Words and phrases
match whole words, in any case; patterns are for languages without spaces and for varying endings. A weight may be
negative. The weights of the keywords found are added up; from `needed` on the page belongs, and there the score is one
half.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict

from .seam import Judge

_NAME: Final = "keywords"
_READERS: Final[Mapping[str, Callable[[Page], str]]] = {
    "title": lambda page: page.title,
    "text": lambda page: page.text,
    "url": lambda page: page.url,
}
_WORD: Final = re.compile(r"\w+")
Weights = Mapping[str, float] | Sequence[str]


class Keywords(Judge):
    """`words` and `patterns` are lists, or tables with a weight for each; `where` names the parts of the page that are
    read."""

    def __init__(
        self,
        words: Weights = (),
        patterns: Weights = (),
        needed: float = 1.0,
        where: Sequence[str] = ("title", "text"),
    ) -> None:
        if unknown := set(where) - _READERS.keys():
            raise ConfigError(
                f"judge.where: {', '.join(sorted(unknown))} is not a part of a page. Parts: {', '.join(_READERS)}."
            )
        if not needed > 0:
            raise ConfigError(
                f"judge.needed is the weight from which a page belongs and must be above 0, not {needed}."
            )
        if not words and not patterns:
            raise ConfigError('the keywords judge has no keywords. Set judge.words, such as ["harvestman", "spider"].')
        self._words = [(word, f" {_plain(word)} ", weight) for word, weight in _weighed(words)]
        self._patterns = [(pattern, _compile(pattern), weight) for pattern, weight in _weighed(patterns)]
        self._needed = needed
        self._where = tuple(where)

    def judge(self, page: Page) -> Verdict:
        text = "\n".join(_READERS[part](page) for part in self._where)
        words = f" {_plain(text)} "
        found = [(word, weight) for word, plain, weight in self._words if plain in words]
        found += [(shown, weight) for shown, pattern, weight in self._patterns if pattern.search(text)]
        total = max(0.0, sum(weight for _, weight in found))
        score = total / (total + self._needed)
        shown = ", ".join(keyword for keyword, _ in found) or "no keyword"
        reason = f"{shown}: weight {total:g}, {self._needed:g} is needed"
        return Verdict(score, belongs=total >= self._needed, opinions=(Opinion(_NAME, score, reason, total),))


def _plain(text: str) -> str:
    """Joins the words with single spaces, so that a phrase is found by a string search: a microsecond for each
    keyword."""
    return " ".join(_WORD.findall(text.casefold()))


def _weighed(keywords: Weights) -> list[tuple[str, float]]:
    pairs = keywords.items() if isinstance(keywords, Mapping) else [(keyword, 1.0) for keyword in keywords]
    for keyword, weight in pairs:
        if not isinstance(keyword, str) or not isinstance(weight, int | float) or not keyword.strip():
            raise ConfigError(f"the keyword {keyword!r} with the weight {weight!r}: a string and a number are needed.")
    return [(keyword, float(weight)) for keyword, weight in pairs]


def _compile(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise ConfigError(
            f'the pattern "{pattern}" of the keywords judge is not a regular expression: {error}.'
        ) from error
