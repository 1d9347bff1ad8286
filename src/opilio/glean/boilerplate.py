"""Scores every block between 0 (content) and 1 (boilerplate).

Two logistic models do it, whose weights were fitted on main texts that people marked and on made pages (see `weights`). The
first looks at a block and its place (`features`), the second at what the first says of its neighbours and of the containers
around it (`neighbours`). What attributes hide from readers is boilerplate.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final

from . import weights
from .features import LOOKS, NO_NEIGHBOUR, Folded, fold, places, positions, rows_of
from .neighbours import surroundings
from .tags import UNSEEN
from .tree import Tree
from .weights import LINKED, NAMED, NEXT_SHAPE, OWN, PAGE, POSITION, PREVIOUS_SHAPE, SIDES

_UNSEEN_LOGIT: Final = -6.0


def score_blocks(tree: Tree) -> tuple[Folded, list[float], list[float]]:
    """Returns the blocks, their scores, and for each the chance of being content at first look, without its neighbours."""
    folded = fold(tree)
    if not folded.texts:
        return folded, [], []
    logits = _first_look(tree, folded)
    chances = [1.0 / (1.0 + exp(-logit)) for logit in logits]  # weights are small, so this cannot overflow
    return folded, _second_look(tree, folded, logits, chances), chances


def _first_look(tree: Tree, folded: Folded) -> list[float]:
    shapes = folded.shapes
    place_weights = [
        weights.BIAS + weights.OWN_SHARE[own] + weights.SUBTREE[subtree] + weights.PARENT[parent] + weights.MAIN[main]
        for own, subtree, parent, main in places(tree.containers, folded.prose, tree.groups)
    ]
    logits = []
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
        logits.append(place_weights[block.container] + looks + _flag_weights(block.flags)[long])
    return [_UNSEEN_LOGIT if block.flags & UNSEEN else logit for block, logit in zip(tree.blocks, logits, strict=True)]


def _second_look(tree: Tree, folded: Folded, logits: list[float], chances: list[float]) -> list[float]:
    found = surroundings(tree, folded, logits, chances)
    place_weights = [_place_weight(codes) if codes else 0.0 for codes in found.containers]
    scores = []
    for block, own, sides, linked, named, page in zip(
        tree.blocks, found.own, found.sides, found.linked, found.named, found.page, strict=True
    ):
        around = SIDES[sides] + PAGE[page] + place_weights[block.container]
        content = OWN[own] + LINKED[linked] + NAMED[named] + around
        scores.append(1.0 if block.flags & UNSEEN else 1.0 / (1.0 + exp(content)))
    return scores


def _place_weight(codes: Sequence[int]) -> float:
    between, group, around, further, cover = codes
    return (
        weights.SECOND_BIAS
        + weights.BETWEEN[between]
        + weights.GROUP[group]
        + weights.AROUND[around]
        + weights.FURTHER[further]
        + weights.COVER[cover]
    )


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
