"""A second opinion on each block: whether another extractor has it in its text, weighed against our own score.

Both are right where the other is wrong, mostly on short blocks, so a block's score and the share of its words that the other
text has are put into one logistic model, by the length of the block. The weights are fitted on the training halves of the
gold pages (`python -m bench.agreement_fit`, which prints them). Word 4-gram F on the other halves, articles and comment
pages: ours alone .954 and .917, the other (trafilatura) .957 and .908, both together .965 and .920.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from math import exp, log
from typing import Final

_WORD: Final = re.compile(r"\w+")
_SHINGLE: Final = 4  # words
_SHARES: Final = (0.1, 0.5, 0.9)  # of a block's words that the other text has
_LENGTHS: Final = (4, 12, 30)
_MOST_LOGIT: Final = 6.0
_OWN_WEIGHT: Final = 0.73
_BIAS: Final = 0.29
# One row for each step of the share, one number in it for each of the length.
_VOTES: Final = (
    (-2.08, -1.31, -1.91, -2.48),
    (0.05, -1.12, -0.97, -2.03),
    (-0.11, 2.75, 4.7, 2.89),
    (0.03, 0.07, 0.68, 1.16),
)


def agreed_scores(texts: Sequence[str], words: Sequence[int], scores: Sequence[float], other: str) -> list[float]:
    """Returns the scores, 1 for boilerplate, after the other extractor's text has been heard. What is hidden stays so."""
    agreed = []
    for count, score, share in zip(words, scores, shares(texts, other), strict=True):
        vote = _VOTES[share_step(share)][length_step(count)]
        agreed.append(score if score == 1.0 else 1.0 / (1.0 + exp(_OWN_WEIGHT * logit(score) + _BIAS + vote)))
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


def share_step(share: float) -> int:
    return bisect_right(_SHARES, share)


def length_step(words: int) -> int:
    return bisect_right(_LENGTHS, words)


def logit(score: float) -> float:
    """Returns what a score says for content, within bounds."""
    return min(max(log((1.0001 - score) / (score + 0.0001)), -_MOST_LOGIT), _MOST_LOGIT)
