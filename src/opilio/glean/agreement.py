"""A second opinion on each block: whether another extractor has it in its text, weighed against our own score.

Both are right where the other is wrong, so a block's score, as a logit, and a vote by the share of its words that the other
text has are added up. The few numbers are round on purpose: votes by the length of a block, fitted on gold pages, were as
good there and worse on every other collection of pages (decision 38).
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from math import exp, log
from typing import Final

_WORD: Final = re.compile(r"\w+")
_SHINGLE: Final = 4  # words
_SHARES: Final = (0.1, 0.5, 0.9)  # of a block's words that the other text has
_VOTES: Final = (-2.0, -1.0, 1.0, 2.0)  # one for each step of the share; positive speaks for content
_MOST_LOGIT: Final = 6.0
_OWN_WEIGHT: Final = 0.6
_BIAS: Final = 0.2


def agreed_scores(texts: Sequence[str], scores: Sequence[float], other: str) -> list[float]:
    """Returns the scores, 1 for boilerplate, after the other extractor's text has been heard. What is hidden stays so."""
    agreed = []
    for score, share in zip(scores, shares(texts, other), strict=True):
        vote = _VOTES[bisect_right(_SHARES, share)]
        agreed.append(score if score == 1.0 else 1.0 / (1.0 + exp(_OWN_WEIGHT * _logit(score) + _BIAS + vote)))
    return agreed


def shares(texts: Sequence[str], other: str) -> list[float]:
    """Returns of each block which share of its words is in runs of four that the other text has as well."""
    found = _WORD.findall(other)
    known = set(zip(*(found[start:] for start in range(_SHINGLE)), strict=False))
    words = [word for text in texts for word in _WORD.findall(text)]
    covered = bytearray(len(words))
    for start, shingle in enumerate(zip(*(words[start:] for start in range(_SHINGLE)), strict=False)):
        if shingle in known:
            covered[start : start + _SHINGLE] = b"\1" * _SHINGLE
    result, at = [], 0
    for text in texts:
        size = len(_WORD.findall(text))
        result.append(covered.count(1, at, at + size) / size if size else 0.0)
        at += size
    return result


def _logit(score: float) -> float:
    """Returns what a score says for content, within bounds."""
    return min(max(log((1.0001 - score) / (score + 0.0001)), -_MOST_LOGIT), _MOST_LOGIT)
