"""Which page to ask the operator about next, chosen by scores alone, so that it serves any judge.

The next question is about the page whose score is nearest to the judge's line: the one that it is least sure of. The scores
are those that the judge gives after the answers before. Many pages are represented by a few, more of them the higher they
rank, because all of them are judged anew after each answer.
"""

from collections.abc import Collection, Sequence
from math import exp, log
from typing import Final

_POOL: Final = 150


def choose_pool(ranked: Sequence[int], most: int = _POOL) -> list[int]:
    """Chooses pages from a ranking, the best first: evenly by the logarithm of the rank, which leaves no gap where the ranking
    is short."""
    if len(ranked) <= most:
        return list(ranked)
    ranks: list[int] = []
    for place in range(most):
        last = ranks[-1] if ranks else 0
        if last < len(ranked):
            step = log(len(ranked) / max(1, last)) / (most - place)
            ranks.append(min(len(ranked), max(last + 1, round(max(1, last) * exp(step)))))
    return [ranked[rank - 1] for rank in ranks]


def least_sure(scores: Sequence[float], line: float, asked: Collection[int]) -> int | None:
    """Returns the place of the next page to ask about, or None if all were asked about. From `line` on, the judge thinks that
    pages belong."""
    open_places = (place for place in range(len(scores)) if place not in asked)
    return min(open_places, key=lambda place: abs(scores[place] - line), default=None)
