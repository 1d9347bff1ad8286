"""What a block looks like to the classifier: a few small numbers per block, and a few per container.

Each number is a row of a weight table (see `weights`), so that the score of a block is a sum of look-ups: no vectors are built for a page of a
hundred blocks. The strongest ones are the container's: the share of the page's prose that stands directly in it, in its
subtree, and in its parent's subtree. Prose means blocks of at least 12 words with few links; it counts a quarter where a tag or a
class name already says menu, comment or advertisement.

Cost: about 2 µs a block, most of it the folding of whitespace, which the text needs anyway.
"""

from bisect import bisect_left, bisect_right
from typing import Final, NamedTuple

from . import hints, tags
from .tree import RawBlock, Tree

_SIZES: Final = (1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 45, 70, 110)
SIZE_OF: Final = bytes(max(0, bisect_right(_SIZES, n) - 1) for n in range(_SIZES[-1] + 1))
LENGTH_OF: Final = bytes(bisect_right((5, 12, 30), n) for n in range(_SIZES[-1] + 1))  # short, line, sentence, paragraph
_SHARES: Final = (0.02, 0.08, 0.2, 0.4, 0.65, 0.9)
_TAG_CLASSES: Final = (
    "p", "h1", "h2 h3", "h4 h5 h6", "li", "td th", "div section article main", "blockquote", "pre listing xmp", "dd dt",
    "figcaption caption figure", "body center",
)  # fmt: skip
TAG_CLASS: Final = {tag: n for n, names in enumerate(_TAG_CLASSES) for name in names.split() for tag in tags.ids(name)}
OTHER_TAG: Final = len(_TAG_CLASSES)
_SENTENCE_ENDS: Final = frozenset(".!?…。！？\"”»'’")
_PROSE_WORDS: Final = 12
_PROSE_LINKS: Final = 0.34
_MAIN_SHARE: Final = 0.55
_SUSPECT: Final = (
    tags.IN_NAV | tags.IN_FRAME | tags.IN_ASIDE | tags.IN_FORM
    | hints.CHROME | hints.SOCIAL | hints.RELATED | hints.COMMENT | hints.PROMO | hints.HIDDEN
)  # fmt: skip
NO_NEIGHBOUR: Final = 5


class Folded(NamedTuple):
    """A block with its whitespace folded. `shape` is the block as its neighbours see it."""

    text: str
    words: int
    link_density: float
    shape: int  # 0 links, 1 a few words, 2 a line, 3 prose, 4 prose full of links


def fold(block: RawBlock) -> Folded:
    split = block.raw.split()
    text = " ".join(split)
    words = len(split)
    if len(text) > 12 * words and not text.isascii():
        words = len(text) // 3  # a script without spaces
    density = block.link_chars / len(block.raw) if block.link_chars else 0.0
    if words >= 20:
        shape = 3 if density < _PROSE_LINKS else 4
    else:
        shape = 0 if density >= 0.5 else 2 if words >= 8 else 1
    return Folded(text, words, density, shape)


class Place(NamedTuple):
    """A container's part of the page's prose, in eight steps each; `main` is 2 for the smallest container that holds most of it, 1 inside."""

    own: int
    subtree: int
    parent: int
    main: int


def places(tree: Tree, folded: list[Folded]) -> list[Place]:
    """One per container; parents come before children, so one pass upwards sums the subtrees."""
    parents = tree.containers
    own = [0.0] * len(parents)
    for block, fold in zip(tree.blocks, folded, strict=True):
        if fold.words >= _PROSE_WORDS and fold.link_density < _PROSE_LINKS:
            own[block.container] += fold.words * 0.25 if block.flags & _SUSPECT else fold.words
    subtree = own.copy()
    last = list(range(len(parents)))  # number of the last container inside each
    for child in range(len(parents) - 1, 0, -1):
        parent = parents[child]
        subtree[parent] += subtree[child]
        last[parent] = max(last[parent], last[child])
    total = subtree[0] or 1.0
    main = max(n for n, prose in enumerate(subtree) if prose >= _MAIN_SHARE * total or n == 0)
    steps = [_step(prose / total) for prose in subtree]
    return [
        Place(_step(own[n] / total), steps[n], steps[parents[n]], 2 if n == main else int(main <= n <= last[main]))
        for n in range(len(parents))
    ]


def _step(share: float) -> int:
    return 0 if share <= 0 else 1 + bisect_left(_SHARES, share)


class Look(NamedTuple):
    """A block's row in each weight table."""

    size: int
    links: int  # length class × link density class
    tag: int  # tag class × length class
    end: int  # ends like a sentence × length class
    position: int
    before: int  # shape of the neighbours
    after: int
    long: int  # which of a flag's two weights


def looks(tree: Tree, folded: list[Folded]) -> list[Look]:
    shapes = [NO_NEIGHBOUR, *(fold.shape for fold in folded), NO_NEIGHBOUR]
    tenth = sum(fold.words for fold in folded) / 10 or 1.0
    seen = 0
    rows = []
    for number, (block, fold) in enumerate(zip(tree.blocks, folded, strict=True)):
        text, words, density, _ = fold
        capped = min(words, 110)
        length = LENGTH_OF[capped]
        links = 0 if not density else 1 if density <= 0.2 else 2 if density <= 0.5 else 3
        rows.append(
            Look(
                SIZE_OF[capped],
                length * 4 + links,
                TAG_CLASS.get(block.tag, OTHER_TAG) * 4 + length,
                4 + length if text[-1] in _SENTENCE_ENDS else length,
                min(9, int(seen / tenth)),
                shapes[number],
                shapes[number + 2],
                int(length >= 2),
            )
        )
        seen += words
    return rows
