"""The features of the classifier: a few small numbers per block, and a few per container.

Each number is a row of a weight table (see `weights`), so that the score of a block is a sum of look-ups and no
vectors are built for a page of a hundred blocks. The strongest features are the container's: the share of the page's
prose that is directly in it, in its subtree, and in its parent's subtree. Prose means blocks of at least 12 words with
few links; it counts a quarter if a tag or a class name suggests a menu, a comment or an advertisement.

The features of a block alone (length, links, tag, ending) are packed into one number, its look. There are only `LOOKS`
different ones, so that the sum of their weights is computed in advance; `rows_of` unpacks a look.

The values are kept in parallel lists, from which one `map` makes the `Block`s, so that no tuple is built per block.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Container, Sequence
from itertools import accumulate
from typing import Final

import msgspec

from . import hints, tags
from .letters import visible
from .tree import Tree

_SIZES: Final = (1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 45, 70, 110)
_LENGTHS: Final = (5, 12, 30)  # a few words, line, sentence, paragraph
_STEPS: Final = tuple(sorted({*_SIZES, *_LENGTHS}))  # all word counts within a step have the same size and length
_SHARES: Final = (0.02, 0.08, 0.2, 0.4, 0.65, 0.9)
_TAG_CLASSES: Final = (
    "p", "h1", "h2 h3", "h4 h5 h6", "li", "td th", "div section article main", "blockquote", "pre listing xmp", "dd dt",
    "figcaption caption figure", "body center",
)  # fmt: skip
OTHER_TAG: Final = len(_TAG_CLASSES)
_CLASS_OF: Final = {tag: n for n, names in enumerate(_TAG_CLASSES) for tag in tags.ids(names)}
_SENTENCE_ENDS: Final = frozenset(".!?…。！？\"”»'’")
CONTENT_LIMIT: Final = 0.5  # blocks with lower scores are content
PROSE_WORDS: Final = 12
PROSE_LINKS: Final = 0.34
_MAIN_SHARE: Final = 0.55
SUSPECT_FLAGS: Final = (
    tags.IN_NAV | tags.IN_FRAME | tags.IN_ASIDE | tags.IN_FORM | tags.UNSEEN
    | hints.CHROME | hints.SOCIAL | hints.RELATED | hints.COMMENT | hints.PROMO | hints.HIDDEN
)  # fmt: skip
_LINKS, _FEW_WORDS, _LINE, _PROSE, _LINKED_PROSE, NO_NEIGHBOUR = range(6)  # the kinds of neighbours of a block

# A look is ((tag class · 2 + ends like a sentence) · 4 + links) · 16 + step.
_STEP_ROOM, _LINK_ROOM, _END_ROOM = 16, 16 * 4, 16 * 4 * 2
LOOKS: Final = _END_ROOM * (OTHER_TAG + 1)
_TAG_LOOK: Final = [_END_ROOM * _CLASS_OF.get(tag, OTHER_TAG) for tag in range(tags.KNOWN_TAGS)]

# How much prose is in the container, in its subtree and in its parent's (eight steps each), and where it stands: 2 is the main
# element, 1 inside of it, 0 neither.
Place = tuple[int, int, int, int]


class Folded(msgspec.Struct, gc=False):
    """The blocks of a page as parallel lists with one item per block; `prose` has one item per container."""

    texts: list[str]  # whitespace folded
    words: list[int]
    densities: list[float]  # share of the characters that are in links
    looks: list[int]
    shapes: list[int]
    prose: list[float]  # words directly in the container


def fold(tree: Tree) -> Folded:
    folded = Folded([], [], [], [], [], [0.0] * len(tree.containers))
    texts, sizes, densities, looks, shapes = folded.texts, folded.words, folded.densities, folded.looks, folded.shapes
    for block in tree.blocks:
        raw = block.raw
        ascii_only = raw.isascii()
        # This and the join take three quarters of the time; no chain of replace and count was faster.
        split = (raw if ascii_only else visible(raw)).split()
        text = " ".join(split)
        words = len(split) or 1
        if not ascii_only and len(text) > 12 * words:
            words = len(text) // 3  # a script without spaces
        look = _TAG_LOOK[block.tag] + bisect_right(_STEPS, words) - 1
        if text[-1:] in _SENTENCE_ENDS:
            look += _LINK_ROOM
        density = 0.0
        if block.link_chars:
            density = block.link_chars / len(raw)
            look += _STEP_ROOM if density <= 0.2 else 2 * _STEP_ROOM if density <= 0.5 else 3 * _STEP_ROOM
        if words >= PROSE_WORDS and density < PROSE_LINKS:
            folded.prose[block.container] += words * 0.25 if block.flags & SUSPECT_FLAGS else words
        texts.append(text)
        sizes.append(words)
        densities.append(density)
        looks.append(look)
        if words >= 20:
            shapes.append(_PROSE if density < PROSE_LINKS else _LINKED_PROSE)
        else:
            shapes.append(_LINKS if density >= 0.5 else _LINE if words >= 8 else _FEW_WORDS)
    return folded


def rows_of(look: int) -> tuple[int, int, int, int, int]:
    """Returns the rows in the tables of size, links, tag and ending, and whether the block is long."""
    tag, ends = divmod(look // _LINK_ROOM, 2)
    words, linked = least_words(look), linked_part(look)
    length = bisect_right(_LENGTHS, words)
    return bisect_right(_SIZES, words) - 1, 4 * length + linked, 4 * tag + length, 4 * ends + length, length >> 1


def least_words(look: int) -> int:
    """Returns the least number of words of a block that looks like this."""
    return _STEPS[min(look % _STEP_ROOM, len(_STEPS) - 1)]


def linked_part(look: int) -> int:
    """Returns how much of such a block is in links: 0 for nothing, 1 up to a fifth, 2 up to half, 3 for more."""
    return look // _STEP_ROOM % 4


def positions(words: Sequence[int]) -> list[int]:
    """Returns in which tenth of the page's words each block starts."""
    tenth = sum(words) / 10 or 1.0
    return [int(seen / tenth) for seen in accumulate(words[:-1], initial=0)]


def places(parents: Sequence[int], own: Sequence[float], groups: Container[int] = ()) -> list[Place]:
    """Returns one place per container, by the prose in it. Parents precede children, so one backward pass sums the
    subtrees. The prose of a list or a table counts as its parent's, and it has its parent's place."""
    direct, subtree = list(own), list(own)
    for child in range(len(parents) - 1, 0, -1):
        if subtree[child]:
            subtree[parents[child]] += subtree[child]
            if direct[child] and child in groups:
                direct[parents[child]] += direct[child]
    total = subtree[0] or 1.0
    main = len(parents) - 1
    while main and (subtree[main] < _MAIN_SHARE * total or main in groups):
        main -= 1
    steps = [_step(prose / total) if prose else 0 for prose in subtree]
    inside = [False] * len(parents)
    found: list[Place] = []
    for n, parent in enumerate(parents):
        inside[n] = n == main or (n > 0 and inside[parent])
        if n in groups:
            found.append(found[parent])
            steps[n] = steps[parent]
            continue
        prose = direct[n]
        found.append(
            (_step(prose / total) if prose else 0, steps[n], steps[parent], 2 if n == main else int(inside[n]))
        )
    return found


def _step(share: float) -> int:
    return 1 + bisect_left(_SHARES, share)
