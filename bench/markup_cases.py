"""Small pages with the text that they have, each about one form of markup, and whether a program's text of one is right.

The cases are in `markup/cases.txt`, and forms that the extractor was not written for in `markup/others.txt`: `@@ NAME`, the page,
`@@ HOW`, the text; `{word}` stands for a line of `markup/frame.txt`.
HOW says what is compared: the words in their order (`text`), the lines too (`lines`), the marks of headings and items as
well (`marks`), or the title alone (`title`). A line that begins with "? " may be there or not: whether a page's own heading
is part of its text is a matter of taste. Blank lines, bars between the cells of a table and the number of a heading's
marks do not count for anybody.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

_FOLDER: Final = Path(__file__).with_name("markup")
_CASE: Final = re.compile(
    r"^@@ (\S+-\d+)\n(.*?)^@@ (text|lines|marks|title)\n(.*?)(?=^@@ |\Z)", re.MULTILINE | re.DOTALL
)
_WORD: Final = re.compile(r"\{(\w+)\}")
_RULE_LINE: Final = re.compile(r"[|\s:-]*-{3}[|\s:-]*")
_ITEM_MARK: Final = re.compile(r"^(?:[-*•]|\d+\.)\s+")
_HEADING_MARK: Final = re.compile(r"^#+\s+")


class Case(NamedTuple):
    name: str
    page: str
    how: str
    expected: tuple[tuple[str, bool], ...]  # each line, and whether it may be missing

    @property
    def form(self) -> str:
        return self.name.rpartition("-")[0]

    def is_right(self, found: str) -> bool:
        lines = self._folded(found.splitlines())
        return any(lines == self._folded(accepted) for accepted in self._accepted())

    def _accepted(self) -> Iterator[list[str]]:
        """Yields the texts with and without each line that may be missing."""
        for choice in product(*((True, False) if optional else (True,) for _, optional in self.expected)):
            yield [line for (line, _), taken in zip(self.expected, choice, strict=True) if taken]

    def _folded(self, lines: Sequence[str]) -> list[str]:
        """Returns the lines as far as they are compared."""
        folded = [" ".join(line.replace("|", " ").split()) for line in lines if not _RULE_LINE.fullmatch(line)]
        kept = [_marked(line) if self.how == "marks" else _ITEM_MARK.sub("", line) for line in folded if line]
        return kept if self.how in ("lines", "marks") else [" ".join(kept)]


def read_cases(name: str = "cases") -> list[Case]:
    words = dict(line.split(": ", 1) for line in (_FOLDER / "frame.txt").read_text("utf-8").splitlines())
    cases = _filled((_FOLDER / f"{name}.txt").read_text("utf-8"), words)
    return [Case(name, page, how, _expected(text)) for name, page, how, text in _CASE.findall(cases)]


def _filled(text: str, words: dict[str, str]) -> str:
    while _WORD.search(text):
        text = _WORD.sub(lambda found: words[found[1]], text)
    return text


def _expected(text: str) -> tuple[tuple[str, bool], ...]:
    return tuple((line.removeprefix("? "), line.startswith("? ")) for line in text.splitlines() if line)


def _marked(line: str) -> str:
    return _HEADING_MARK.sub("# ", _ITEM_MARK.sub("- ", line))
