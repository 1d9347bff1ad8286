"""Scores every block between 0 (content) and 1 (boilerplate), and joins the content to the page's main text.

The score is a logistic model over the numbers from `features`; its weights were fitted on main texts that people marked
(see `weights`). Rule: a page that has prose never gives an empty text: if the model accepts next to nothing, the prose
outside of links is taken instead.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final

from . import weights
from .features import LOOKS, NO_NEIGHBOUR, Folded, fold, places, positions, rows_of
from .tree import Tree
from .weights import NEXT_SHAPE, POSITION, PREVIOUS_SHAPE

_CONTENT_LIMIT: Final = 0.5
_LEAST_WORDS: Final = 25
_FALLBACK_WORDS: Final = 5
_MOST_LINK_DENSITY: Final = 0.5


def score_blocks(tree: Tree) -> tuple[Folded, list[float]]:
    folded = fold(tree)
    if not folded.texts:
        return folded, []
    shapes = folded.shapes
    place_weights = [
        weights.BIAS + weights.OWN_SHARE[own] + weights.SUBTREE[subtree] + weights.PARENT[parent] + weights.MAIN[main]
        for own, subtree, parent, main in places(tree.containers, folded.prose)
    ]
    scores = []
    for block, look, position, before, after in zip(
        tree.blocks,
        folded.looks,
        positions(folded.words),
        [NO_NEIGHBOUR, *shapes[:-1]],
        [*shapes[1:], NO_NEIGHBOUR],
        strict=True,
    ):
        alone, long = _LOOK_WEIGHTS[look]
        looks = alone + POSITION[position] + PREVIOUS_SHAPE[before] + NEXT_SHAPE[after]
        content = place_weights[block.container] + looks + _flag_weights(block.flags)[long]
        scores.append(1.0 / (1.0 + exp(content)))  # weights are small, so this cannot overflow
    return folded, scores


def main_text(folded: Folded, scores: Sequence[float]) -> tuple[str, int]:
    """Returns the paragraphs separated by newlines, and the number of their words."""
    kept = [n for n, score in enumerate(scores) if score < _CONTENT_LIMIT]
    words, densities = folded.words, folded.densities
    if sum([words[n] for n in kept]) < _LEAST_WORDS:
        everything = range(len(scores))
        accepted = set(kept)
        kept = [
            n
            for n in everything
            if n in accepted or (words[n] >= _FALLBACK_WORDS and densities[n] < _MOST_LINK_DENSITY)
        ]
        kept = kept or [n for n in everything if densities[n] < _MOST_LINK_DENSITY]
    return "\n".join([folded.texts[n] for n in kept]), sum([words[n] for n in kept])


def _look_weight(look: int) -> tuple[float, int]:
    size, links, tag, end, long = rows_of(look)
    return weights.SIZE[size] + weights.LINKS[links] + weights.TAG[tag] + weights.END[end], long


_LOOK_WEIGHTS: Final = [_look_weight(look) for look in range(LOOKS)]


@lru_cache(maxsize=16_384)
def _flag_weights(flags: int) -> tuple[float, float]:
    """Returns the weights for a short block and for a long one. They are cached: a hundred thousand blocks share a few
    hundred combinations of flags."""
    pairs = [(weight, bool(flags & bit)) for bit, weight in zip(weights.FLAG_BITS, weights.FLAGS, strict=True)]
    return sum(weight[2 * present] for weight, present in pairs), sum(
        weight[2 * present + 1] for weight, present in pairs
    )
