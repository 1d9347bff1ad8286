"""Lines become paragraphs: hyphens at line ends go, and what every page repeats at its top or bottom goes.

A paragraph ends where the next line stands further away than usual, is larger or smaller, is indented, begins an item, or
where a line ends early with a full stop. At the end of a column or a page it goes on if its last line does not end a sentence
and the next one begins with a small letter. A hyphen at the end of a line stays if the document has the word with a hyphen
within a line, too.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from statistics import median
from typing import Final

from .piece import Line

_EDGE_LINES: Final = 2  # at the top and at the bottom of a page that may be repeated
_EDGE_CHARS: Final = 300  # of a line that are compared
_REPEATED_SHARE: Final = 0.4  # of the pages
_PAGE_NUMBER: Final = re.compile(
    r"\W*(?:(?:page|p\.|seite|pagina|página|стр\.?|sida|side|strona)\s*)?(?:[#ivxlc]{1,4}|#+)(?:\s*(?:of|/|von|de|di|из)\s*#+)?\W*"
)
_DIGITS: Final = re.compile(r"\d+")
_HYPHEN: Final = ("-", "\xad", "‐")
_HYPHENATED: Final = re.compile(
    r"\b[^\W\d_]++[-‐][^\W\d_]++"
)  # possessive, so that a line of one long word costs no square
_WORD_CHARS: Final = 60
_LAST_WORD: Final = re.compile(r"[^\W\d_]+$")
_FIRST_WORD: Final = re.compile(r"^[^\W\d_]+")
_ITEM: Final = re.compile(r"(?:[•●○▪■–—*‣·-]|\(?\d{1,2}[.)]|\(?[a-z]\))\s")
_SENTENCE_END: Final = (".", "!", "?", ":", "。", "！", "？", "”", '"', "»", ")")
_WIDE_GAP: Final = 1.3  # in usual distances of lines
_OTHER_SIZE: Final = 0.15
_NEAR: Final = 2  # lines above and below that show how wide a column is
_INDENT: Final = 0.7  # in heights
_HAN: Final = re.compile("[\u2e80-\u312f\u3190-\ua4cf\uf900-\ufaff\uff00-\uff60]")


def body_lines(pages: Sequence[Sequence[Line]]) -> list[Line]:
    """Returns the lines of all pages without what is repeated on many of them, and without page numbers."""
    edges = [_edges(page) for page in pages]
    counts = Counter(normal for page in edges for normal in {_normal(line) for line in page})
    least = max(2, _REPEATED_SHARE * len(pages))
    return [
        line
        for page, edge in zip(pages, edges, strict=True)
        for line in page
        if not (line in edge and (counts[_normal(line)] >= least or _PAGE_NUMBER.fullmatch(_normal(line))))
    ]


def paragraphs_of(lines: Sequence[Line]) -> list[str]:
    hyphenated = {word.casefold() for line in lines for word in _HYPHENATED.findall(line.text)}
    found: list[str] = []
    for line, ends in zip(lines, chain([True], _ends(lines)), strict=False):
        if ends or not found:
            found.append(line.text)
        else:
            found[-1] = _joined(found[-1], line.text, hyphenated)
    return [text for one in found if (text := " ".join(one.replace("\xad", "").split()))]


def heading_of(lines: Sequence[Line]) -> str:
    """Returns the largest line near the beginning, with what follows it in the same size, if it is larger than the text."""
    if not lines:
        return ""
    usual = median(line.height for line in lines)
    first = lines[:15]
    size = max(line.height for line in first)
    if size < usual * (1 + _OTHER_SIZE):
        return ""
    large = [line.text for line in first if line.height > size * 0.97]
    return " ".join(" ".join(large[:3]).split())


def _edges(page: Sequence[Line]) -> list[Line]:
    """Returns the lines at the top and the bottom, by where they stand; those of the columns' middles are text."""
    by_height = sorted(page, key=lambda line: -line.top)
    return [*by_height[:_EDGE_LINES], *by_height[-_EDGE_LINES:]]


def _normal(line: Line) -> str:
    return _DIGITS.sub("#", " ".join(line.text[:_EDGE_CHARS].split()).casefold())


def _ends(lines: Sequence[Line]) -> Iterator[bool]:
    """Yields for each line but the first whether a paragraph has ended before it."""
    distances = [one.top - other.top for one, other in pairwise(lines) if one.column == other.column]
    usual = median(distances) if distances else 0.0
    for at, (one, other) in enumerate(pairwise(lines)):
        if one.column != other.column:
            yield one.text.rstrip().endswith(_SENTENCE_END) or not other.text[:1].islower()
        else:
            yield _breaks(one, other, usual, _bounds(lines, at))


def _bounds(lines: Sequence[Line], at: int) -> tuple[float, float]:
    """Returns from where to where the lines around one reach, in its column."""
    near = [line for line in lines[max(0, at - _NEAR) : at + _NEAR + 1] if line.column == lines[at].column]
    return min(line.left for line in near), max(line.right for line in near)


def _breaks(one: Line, other: Line, usual: float, bounds: tuple[float, float]) -> bool:
    left, right = bounds
    size = max(one.height, other.height)
    is_far = one.top - other.top > _WIDE_GAP * max(usual, one.height)
    is_other_size = abs(one.height - other.height) > _OTHER_SIZE * size
    is_indented = other.left - one.left > _INDENT * other.height and one.left - left < _INDENT * one.height
    first = other.text.partition(" ")[0]
    is_early = right - one.right > (len(first) + 2) * (one.right - one.left) / len(one.text)  # the next word had room
    ends_sentence = one.text.rstrip().endswith(_SENTENCE_END)
    return (
        is_far
        or is_other_size
        or (is_indented and ends_sentence)
        or (is_early and ends_sentence)
        or bool(_ITEM.match(other.text))
    )


def _joined(before: str, after: str, hyphenated: set[str]) -> str:
    first, last = _FIRST_WORD.match(after), _LAST_WORD.search(before[-_WORD_CHARS:-1])
    if before.endswith(_HYPHEN) and first and last:
        whole = f"{last[0]}-{first[0]}".casefold()
        if after[0].islower() and whole not in hyphenated:
            return before[:-1] + after
        return before[:-1] + "-" + after
    if before and after and _HAN.match(before[-1]) and _HAN.match(after[0]):
        return before + after
    return f"{before} {after}"
