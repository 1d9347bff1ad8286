"""A second opinion on each block: whether another extractor has it in its text, weighed against our own score.

Both are right where the other is wrong, so a block's score, as a logit, and a vote by the share of its words that the other
text has are added up. The few numbers are round on purpose: votes by the length of a block, fitted on gold pages, were as
good there and worse on every other collection of pages (decision 38).

A vote counts as far as it tells something. Extractors lose short items, terms and headings, so a vote against a short block
counts half. One that gives up takes the whole page, menus and comments too, so a vote for links or for comments does not
count. What a page says twice, as in a summary or a highlighted quotation, is in the other text as often as the other extractor
has taken it: the blocks that look most like content to us come first.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from typing import Final

from .features import Folded
from .hints import COMMENT
from .tree import RawBlock

_WORD: Final = re.compile(r"\w+")
_SHINGLE: Final = 4  # words
_LINE_WORDS: Final = 8  # blocks with fewer are also looked for as lines, because few shingles lie inside of them
_SHARES: Final = (0.1, 0.5, 0.9)  # of a block's words that the other text has
_VOTES: Final = (-2.0, -1.0, 1.0, 2.0)  # one for each step of the share; positive speaks for content
_SHORT_WORDS: Final = 12
_MOST_LINK_DENSITY: Final = 0.65
_MOST_LOGIT: Final = 6.0
_OWN_WEIGHT: Final = 0.6
_BIAS: Final = 0.2
_Words = tuple[str, ...]


def agreed_scores(blocks: Sequence[RawBlock], folded: Folded, scores: Sequence[float], other: str) -> list[float]:
    """Returns the scores, 1 for boilerplate, after the other extractor's text has been heard. What is hidden stays so."""
    agreed = []
    for number, share in enumerate(shares(folded.texts, scores, other)):
        vote = _VOTES[bisect_right(_SHARES, share)]
        if vote < 0.0:
            vote *= 0.5 if folded.words[number] < _SHORT_WORDS else 1.0
        elif folded.densities[number] > _MOST_LINK_DENSITY or blocks[number].flags & COMMENT:
            vote = 0.0
        score = scores[number]
        agreed.append(score if score == 1.0 else 1.0 / (1.0 + exp(_OWN_WEIGHT * _logit(score) + _BIAS + vote)))
    return agreed


def shares(texts: Sequence[str], scores: Sequence[float], other: str) -> list[float]:
    """Returns of each block which share of its words is in runs of four that the other text has as well, each as often as it
    has it. A short block that is a line of the other text is whole in it."""
    heard = _WORD.findall(other)
    known = Counter(zip(*(heard[start:] for start in range(_SHINGLE)), strict=False))
    lines = Counter(tuple(_WORD.findall(cell)) for line in other.splitlines() for cell in line.split("|"))
    words: list[str] = []
    starts = [0]
    for text in texts:
        words += _WORD.findall(text)
        starts.append(len(words))
    bounds = list(pairwise(starts))
    ranked = sorted(range(len(texts)), key=lambda number: round(scores[number], 1))
    covered = _covered(words, [bounds[number] for number in ranked], known)
    found = [0.0] * len(texts)
    for number in ranked:
        start, end = bounds[number]
        if 0 < end - start < _LINE_WORDS and _take(lines, tuple(words[start:end])):
            found[number] = 1.0
        elif end > start:
            found[number] = covered.count(1, start, end) / (end - start)
    return found


def _covered(words: Sequence[str], ranges: Sequence[tuple[int, int]], known: Counter[_Words]) -> bytearray:
    """Returns for each word whether a known shingle covers it. The ranges come first that are to be covered first."""
    covered = bytearray(len(words))
    for first, end in ranges:
        for start in range(first, min(end, len(words) - _SHINGLE + 1)):
            if _take(known, tuple(words[start : start + _SHINGLE])):
                covered[start : start + _SHINGLE] = b"\1" * _SHINGLE
    return covered


def _take(known: Counter[_Words], words: _Words) -> bool:
    if has := known[words] > 0:
        known[words] -= 1
    return has


def _logit(score: float) -> float:
    """Returns what a score says for content, within bounds."""
    return min(max(log((1.0001 - score) / (score + 0.0001)), -_MOST_LOGIT), _MOST_LOGIT)
