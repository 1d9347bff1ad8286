"""What a block looks like to the classifier: a few small numbers per block, and a few per container.

Each number is a row of a weight table (see `weights`), so that the score of a block is a sum of look-ups and no
vectors are built for a page of a hundred blocks. The strongest are the container's: the share of the page's prose
that stands directly in it, in its subtree, and in its parent's subtree. Prose means blocks of at least 12 words with
few links; it counts a quarter where a tag or a class name already says menu, comment or advertisement.

Plain tuples on purpose: a named one costs 0.3 µs more, a third of all that is done here for a block.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from . import hints, tags
from .tree import RawBlock, Tree

_SIZES: Final = (1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 45, 70, 110)
_MOST_WORDS: Final = _SIZES[-1]
_SIZE_OF: Final = bytes(max(0, bisect_right(_SIZES, n) - 1) for n in range(_MOST_WORDS + 1))
_LENGTH_OF: Final = bytes(
    bisect_right((5, 12, 30), n) for n in range(_MOST_WORDS + 1)
)  # a few words, line, sentence, paragraph
_SHARES: Final = (0.02, 0.08, 0.2, 0.4, 0.65, 0.9)
_TAG_CLASSES: Final = (
    "p", "h1", "h2 h3", "h4 h5 h6", "li", "td th", "div section article main", "blockquote", "pre listing xmp", "dd dt",
    "figcaption caption figure", "body center",
)  # fmt: skip
OTHER_TAG: Final = len(_TAG_CLASSES)
_TAG_ROW: Final = {tag: 4 * n for n, names in enumerate(_TAG_CLASSES) for tag in tags.ids(names)}
_SENTENCE_ENDS: Final = frozenset(".!?…。！？\"”»'’")
_PROSE_WORDS: Final = 12
_PROSE_LINKS: Final = 0.34
_MAIN_SHARE: Final = 0.55
_SUSPECT: Final = (
    tags.IN_NAV | tags.IN_FRAME | tags.IN_ASIDE | tags.IN_FORM
    | hints.CHROME | hints.SOCIAL | hints.RELATED | hints.COMMENT | hints.PROMO | hints.HIDDEN
)  # fmt: skip
_LINKS, _FEW_WORDS, _LINE, _PROSE, _LINKED_PROSE, _NO_NEIGHBOUR = range(6)  # a block as its neighbours see it

Folded = tuple[str, int, float]  # text with its whitespace folded, words, link density
Place = tuple[
    int, int, int, int
]  # prose in the container itself, in its subtree, in its parent's (eight steps each); 2 main, 1 inside, 0
Look = tuple[int, int, int, int, int, int, int, int]  # size, links, tag, end, position, before, after, long


def fold(block: RawBlock) -> Folded:
    split = block.raw.split()
    text = " ".join(split)
    words = len(split)
    if len(text) > 12 * words and not text.isascii():
        words = len(text) // 3  # a script without spaces
    return text, words, block.link_chars / len(block.raw) if block.link_chars else 0.0


def places(tree: Tree, folded: Sequence[Folded]) -> list[Place]:
    """One per container. Parents come before children, so one pass upwards sums the subtrees."""
    parents = tree.containers
    own = [0.0] * len(parents)
    for block, (_, words, density) in zip(tree.blocks, folded, strict=True):
        if words >= _PROSE_WORDS and density < _PROSE_LINKS:
            own[block.container] += words * 0.25 if block.flags & _SUSPECT else words
    subtree = own.copy()
    for child in range(len(parents) - 1, 0, -1):
        if subtree[child]:
            subtree[parents[child]] += subtree[child]
    total = subtree[0] or 1.0
    main = max(n for n, prose in enumerate(subtree) if prose >= _MAIN_SHARE * total or not n)
    steps = [_step(prose / total) if prose else 0 for prose in subtree]
    inside = [False] * len(parents)
    found = []
    for n, parent in enumerate(parents):
        inside[n] = n == main or (n > 0 and inside[parent])
        found.append(
            (_step(own[n] / total) if own[n] else 0, steps[n], steps[parent], 2 if n == main else int(inside[n]))
        )
    return found


def _step(share: float) -> int:
    return 1 + bisect_left(_SHARES, share)


def looks(tree: Tree, folded: Sequence[Folded]) -> list[Look]:
    shapes = [_shape(words, density) for _, words, density in folded]
    befores, afters = [_NO_NEIGHBOUR, *shapes], [*shapes[1:], _NO_NEIGHBOUR]
    tenth = sum(words for _, words, _ in folded) / 10 or 1.0
    seen = 0
    rows = []
    for block, (text, words, density), before, after in zip(tree.blocks, folded, befores, afters, strict=False):
        capped = min(_MOST_WORDS, words)
        length = _LENGTH_OF[capped]
        rows.append(
            (
                _SIZE_OF[capped],
                length * 4 + (_linked(density) if density else 0),
                _TAG_ROW.get(block.tag, 4 * OTHER_TAG) + length,
                4 + length if text[-1] in _SENTENCE_ENDS else length,
                int(seen / tenth),
                before,
                after,
                length >> 1,
            )
        )
        seen += words
    return rows


def _shape(words: int, density: float) -> int:
    if words >= 20:
        return _PROSE if density < _PROSE_LINKS else _LINKED_PROSE
    return _LINKS if density >= 0.5 else _LINE if words >= 8 else _FEW_WORDS


def _linked(density: float) -> int:
    return 1 if density <= 0.2 else 2 if density <= 0.5 else 3
