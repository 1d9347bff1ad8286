"""One file, several texts: how it is divided where people put separators between texts.

Rules: these separate texts, and the first kind that fits is taken: a form feed or front matter; lines of `===`, `***`,
`---`, `___`, `~~~`, `###` or `+++`; Markdown headings of the first level; two or more blank lines. A kind fits if every
part has 50 words. Otherwise it separates the sections of one text, which stays whole. A line of `===` or `---` right below
a title is its underline.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Final

from opilio.glean.markdown import NEW_TEXT
from opilio.model.terms import terms

LEAST_WORDS: Final = 50
_TITLE_CHARS: Final = 80
_SENTENCE_ENDS: Final = tuple(".!?…。！？।")
_RULES: Final = tuple("=*-_~#+")
_BLANK_LINES: Final = re.compile(r"\n(?:[ \t]*\n){2,}")


def divide(text: str) -> list[str]:
    """Returns the texts of a file, at least one. Line breaks must be plain ones."""
    rules = [partial(_at_rules, mark=mark) for mark in _RULES]
    kinds: list[Callable[[str], list[str]]] = [_at_new_texts, *rules, _at_headings, _BLANK_LINES.split]
    for kind in kinds:
        parts = [part for part in kind(text) if part.strip()]
        if len(parts) > 1 and all(map(_is_text, parts)):
            return parts
    return [text]


def _is_text(part: str) -> bool:
    return len(terms(part)) >= LEAST_WORDS


def _at_new_texts(text: str) -> list[str]:
    return text.split(NEW_TEXT)


def _at_rules(text: str, mark: str) -> list[str]:
    rule = re.compile(rf"[ \t]*(?:{re.escape(mark)}[ \t]*){{3,}}")
    lines = text.split("\n")
    return _cut(lines, (at for at, line in enumerate(lines) if rule.fullmatch(line) and not _is_underline(lines, at)))


def _is_underline(lines: list[str], at: int) -> bool:
    title, before = (lines[each].strip() if each >= 0 else "" for each in (at - 1, at - 2))
    is_title = 0 < len(title) <= _TITLE_CHARS and not title.endswith(_SENTENCE_ENDS)
    return is_title and not before and lines[at].strip()[0] in "=-"


def _at_headings(text: str) -> list[str]:
    lines = text.split("\n")
    return _cut(lines, (at for at, line in enumerate(lines) if line.startswith("# ")))


def _cut(lines: list[str], places: Iterator[int]) -> list[str]:
    """Returns what is between these lines. Each of them begins the part after it, where its marks are removed later."""
    cuts = [0, *places, len(lines)]
    return ["\n".join(lines[start:end]) for start, end in pairwise(cuts)]
