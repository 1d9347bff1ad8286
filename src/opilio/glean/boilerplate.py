"""Scores every block between 0 (content) and 1 (boilerplate), and joins the content to the page's main text.

A logistic model over the look-ups of `features`; its weights were fitted on hand-made main texts (see `weights`).
Rule: a page that has prose never gives an empty text: where the model accepts next to nothing, the unlinked prose is taken instead.
"""

from functools import lru_cache
from math import exp
from typing import Final

from . import weights
from .features import Folded, fold, looks, places
from .tree import Tree

_CONTENT_BELOW: Final = 0.5
_LEAST_WORDS: Final = 25
_FALLBACK_WORDS: Final = 5


def score_blocks(tree: Tree) -> tuple[list[Folded], list[float]]:
    folded = [fold(block) for block in tree.blocks]
    if not folded:
        return [], []
    places_of = [
        weights.OWN[own] + weights.SUBTREE[subtree] + weights.PARENT[parent] + weights.MAIN[main] + weights.BIAS
        for own, subtree, parent, main in places(tree, folded)
    ]
    scores = []
    for block, (size, links, tag, end, position, before, after, long) in zip(tree.blocks, looks(tree, folded), strict=True):
        content = (
            places_of[block.container]
            + weights.SIZE[size]
            + weights.LINKS[links]
            + weights.TAG[tag]
            + weights.END[end]
            + weights.POSITION[position]
            + weights.BEFORE[before]
            + weights.AFTER[after]
            + _flag_weight(block.flags, long)
        )
        scores.append(1.0 / (1.0 + exp(min(content, 30.0))))
    return folded, scores


def main_text(folded: list[Folded], scores: list[float]) -> str:
    """Paragraphs separated by newlines."""
    kept = [block for block, score in zip(folded, scores, strict=True) if score < _CONTENT_BELOW]
    if sum(block.words for block in kept) < _LEAST_WORDS:
        kept = [
            block
            for block, score in zip(folded, scores, strict=True)
            if score < _CONTENT_BELOW or (block.words >= _FALLBACK_WORDS and block.link_density < 0.5)
        ]
    return "\n".join(block.text for block in kept)


@lru_cache(maxsize=16_384)
def _flag_weight(flags: int, long: int) -> float:
    """Flags repeat in thousands of blocks; there are few combinations."""
    pairs = zip(weights.FLAG_BITS, weights.FLAGS, strict=True)
    return sum(pair[2 * bool(flags & bit) + long] for bit, pair in pairs)
