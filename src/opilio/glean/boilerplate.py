"""Scores every block between 0 (content) and 1 (boilerplate), and joins the content to the page's main text.

A logistic model over the look-ups of `features`; its weights were fitted on hand-made main texts (see `weights`).
Rule: a page that has prose never gives an empty text: where the model accepts next to nothing, the unlinked prose is
taken instead.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final

from . import weights
from .features import Folded, fold, looks, places
from .tree import Tree

_CONTENT_BELOW: Final = 0.5
_LEAST_WORDS: Final = 25
_FALLBACK_WORDS: Final = 5
_UNLINKED: Final = 0.5


def score_blocks(tree: Tree) -> tuple[list[Folded], list[float]]:
    folded = [fold(block) for block in tree.blocks]
    if not folded:
        return [], []
    place_weights = [_place_weight(*place) for place in places(tree, folded)]
    scores = []
    for block, look in zip(tree.blocks, looks(tree, folded), strict=True):
        content = place_weights[block.container] + _look_weight(*look) + _flag_weight(block.flags, look[-1])
        scores.append(1.0 / (1.0 + exp(content)))
    return folded, scores


def main_text(folded: Sequence[Folded], scores: Sequence[float]) -> str:
    """Paragraphs separated by newlines."""
    kept = [block for block, score in zip(folded, scores, strict=True) if score < _CONTENT_BELOW]
    if sum(words for _, words, _ in kept) < _LEAST_WORDS:
        pairs = list(zip(folded, scores, strict=True))
        kept = [block for block, score in pairs if score < _CONTENT_BELOW or _is_prose(block)]
        kept = kept or [block for block in folded if block[2] < _UNLINKED]
    return "\n".join(text for text, _, _ in kept)


def _is_prose(block: Folded) -> bool:
    return block[1] >= _FALLBACK_WORDS and block[2] < _UNLINKED


# Looks, places and flags repeat: a hundred thousand blocks share a few thousand combinations, so a sum is looked up
# more often than built.


@lru_cache(maxsize=65_536)
def _look_weight(
    size: int, links: int, tag: int, end: int, position: int, before: int, after: int, _long: int
) -> float:
    return (
        weights.SIZE[size]
        + weights.LINKS[links]
        + weights.TAG[tag]
        + weights.END[end]
        + weights.POSITION[position]
        + weights.BEFORE[before]
        + weights.AFTER[after]
    )


@lru_cache(maxsize=4_096)
def _place_weight(own: int, subtree: int, parent: int, main: int) -> float:
    return weights.BIAS + weights.OWN[own] + weights.SUBTREE[subtree] + weights.PARENT[parent] + weights.MAIN[main]


@lru_cache(maxsize=16_384)
def _flag_weight(flags: int, long: int) -> float:
    pairs = zip(weights.FLAG_BITS, weights.FLAGS, strict=True)
    return sum(pair[2 * bool(flags & bit) + long] for bit, pair in pairs)
