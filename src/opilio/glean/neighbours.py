"""The second look of the classifier: what stands around a block, so that neighbours are decided together.

The first look (`features`) gives each block a chance of being content. From these chances follow, for each block, how
likely what comes before and after it is content; for each container, which share of its words is (`_PURITIES`), and
which share of the page's content it holds (`_COVERS`); and the same for what stands around the container. Around it means
the nearest ancestor that has more blocks: a paragraph in three wrappers of its own is judged by the paragraphs in theirs.
Of a list it matters what stands right before and after it, and whether it is one of links; of a page, how many of its
words are in links. So a short item falls or stands with its list, and an answer with the other answers.

As in `features`, each number is a row of a weight table.

Cost: a few look-ups per block and container, linear in their number.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import mul
from typing import Final, NamedTuple

from . import hints, tags
from .features import LOOKS, Folded, least_words, linked_part
from .tree import Tree

_PURITIES: Final = (0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.95)
_COVERS: Final = (0.02, 0.1, 0.3, 0.6, 0.9)
_LENGTHS: Final = (3, 6, 12, 30)
_PURE_ROWS, _COVER_ROWS, _LENGTH_ROWS = len(_PURITIES) + 1, len(_COVERS) + 1, len(_LENGTHS) + 1
_ALONE: Final = _PURE_ROWS  # the only block of its container
_MOST_LOGIT: Final = 6
_LOGIT_ROWS: Final = 2 * _MOST_LOGIT + 1
_MIDDLE: Final = _MOST_LOGIT + 0.5  # rounds to the nearest row
_SIDE_ROWS: Final = 6
_FADING: Final = 0.6  # what a neighbour counts less than the one before it
# The rows of a block that follow from its look: how long it is, and how much of it is in links.
_LENGTH_OF: Final = [bisect_right(_LENGTHS, least_words(look)) for look in range(LOOKS)]
_LINKED_OF: Final = [_LENGTH_ROWS * linked_part(look) + _LENGTH_OF[look] for look in range(LOOKS)]
_FRAME_FLAGS: Final = tags.IN_NAV | tags.IN_FRAME | tags.IN_ASIDE | tags.IN_FORM
_ADDED_FLAGS: Final = hints.SOCIAL | hints.RELATED | hints.PROMO
_NAME_ROWS: Final = 5
_PAGE_LINKS: Final = (0.03, 0.1, 0.25, 0.5)  # share of a page's words that are in links
_PAGE_ROWS: Final = len(_PAGE_LINKS) + 1
_NOT_BETWEEN: Final = 27
_LONGEST_COUNTED: Final = 40
_WEIGHT_OF: Final = [words**0.5 for words in range(_LONGEST_COUNTED + 1)]
SIZES: Final = {
    "OWN": _LOGIT_ROWS * _LENGTH_ROWS, "SIDES": _SIDE_ROWS * _SIDE_ROWS, "LINKED": 4 * _LENGTH_ROWS,
    "NAMED": _NAME_ROWS * _LENGTH_ROWS, "PAGE": _PAGE_ROWS * _LENGTH_ROWS, "BETWEEN": 28, "GROUP": 2 * (_PURE_ROWS + 1),
    "AROUND": _PURE_ROWS * _COVER_ROWS, "FURTHER": _PURE_ROWS * _COVER_ROWS, "COVER": _COVER_ROWS,
}  # fmt: skip

Codes = tuple[int, ...]


class Surroundings(NamedTuple):
    """Rows of the tables: five per block, and five per container."""

    own: list[int]
    sides: list[int]
    linked: list[int]
    named: list[int]
    page: list[int]
    containers: list[Codes]


def surroundings(tree: Tree, folded: Folded, logits: Sequence[float], chances: Sequence[float]) -> Surroundings:
    """`logits` and `chances` are those of the first look."""
    words, looks = folded.words, folded.looks
    lengths = [_LENGTH_OF[look] for look in looks]
    own = [
        (0 if logit <= -_MOST_LOGIT else _LOGIT_ROWS - 1 if logit >= _MOST_LOGIT else int(logit + _MIDDLE))
        * _LENGTH_ROWS
        + length
        for logit, length in zip(logits, lengths, strict=True)
    ]
    linked = [_LINKED_OF[look] for look in looks]
    flags = [block.flags for block in tree.blocks]
    rows = {each: _LENGTH_ROWS * _named(each) for each in set(flags)}  # a page has few combinations of flags
    named = [rows[each] + length for each, length in zip(flags, lengths, strict=True)]
    weights = [_WEIGHT_OF[count] if count < _LONGEST_COUNTED else _WEIGHT_OF[-1] for count in words]
    before = _side(chances, weights)
    after = _side(chances[::-1], weights[::-1])[::-1]
    sides = [one * _SIDE_ROWS + other for one, other in zip(before, after, strict=True)]
    links = sum(map(mul, folded.densities, words)) / (sum(words) or 1)
    first_row = bisect_right(_PAGE_LINKS, links) * _LENGTH_ROWS
    page = [first_row + length for length in lengths]
    return Surroundings(own, sides, linked, named, page, _container_codes(tree, folded, chances))


def _named(flags: int) -> int:
    """Returns what tags and names say most clearly."""
    if flags & hints.COMMENT:
        return 4
    if flags & _FRAME_FLAGS:
        return 3
    return 2 if flags & _ADDED_FLAGS else 1 if flags & hints.CHROME else 0


def _side(chances: Iterable[float], weights: Iterable[float]) -> list[int]:
    """Returns how likely the blocks before each one are content, the nearest counting most."""
    found = []
    accepted = seen = 0.0
    for chance, weight in zip(chances, weights, strict=True):
        found.append(int((accepted + 0.15) / (seen + 0.5) * (_SIDE_ROWS - 0.001)))
        accepted = accepted * _FADING + chance * weight
        seen = seen * _FADING + weight
    return found


def _container_codes(tree: Tree, folded: Folded, chances: Sequence[float]) -> list[Codes]:
    """Returns the rows of each container that has blocks of its own; those of the others are never asked for."""
    parents, groups, words = tree.containers, tree.groups, folded.words
    size = len(parents)
    accepted, everything, blocks = [0.0] * size, [0] * size, [0] * size
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    links = dict.fromkeys(groups, 0.0)
    for number, (block, chance, count) in enumerate(zip(tree.blocks, chances, words, strict=True)):
        place = block.container
        accepted[place] += chance * count
        everything[place] += count
        blocks[place] += 1
        if place in groups:
            first.setdefault(place, number)
            last[place] = number
            links[place] += folded.densities[number] * count
    direct = blocks[:]
    for child in range(size - 1, 0, -1):
        if blocks[child]:
            parent = parents[child]
            accepted[parent] += accepted[child]
            everything[parent] += everything[child]
            blocks[parent] += blocks[child]
    wider = _wider(parents, blocks)
    total = accepted[0] or 1.0
    covers = [bisect_right(_COVERS, each / total) if each else 0 for each in accepted]
    around = {0: _purity(0.5) * _COVER_ROWS + covers[0]}

    def row_around(inner: int) -> int:
        """Returns the row of what stands around a container. Cells of a table share it, so that it is remembered."""
        row = around.get(inner)
        if row is None:
            outer = wider[inner]
            share = (accepted[outer] - accepted[inner] + 1) / (everything[outer] - everything[inner] + 3)
            row = around[inner] = _purity(share) * _COVER_ROWS + covers[outer]
        return row

    codes: list[Codes] = []
    for number, own in enumerate(direct):
        if not own:
            codes.append(())
            continue
        between, is_group = _NOT_BETWEEN, number in groups
        if is_group:
            share = links[number] / everything[number]
            linked = 0 if not share else 1 if share < 0.4 else 2
            before, after = _chance_at(chances, first[number] - 1), _chance_at(chances, last[number] + 1)
            between = (linked * 3 + before) * 3 + after
        pure = _ALONE if blocks[number] == 1 else _purity((accepted[number] + 1) / (everything[number] + 3))
        group = pure + _PURE_ROWS + 1 if is_group else pure
        codes.append((between, group, row_around(number), row_around(wider[number]), covers[number]))
    return codes


def _chance_at(chances: Sequence[float], number: int) -> int:
    """Returns in which third the chance of this block lies; there is none before the first and after the last."""
    return int(chances[number] * 2.999) if 0 <= number < len(chances) else 0


def _wider(parents: Sequence[int], blocks: Sequence[int]) -> list[int]:
    """Returns for each container the nearest ancestor that has more blocks, or the root."""
    wider = [0] * len(parents)
    for number, parent in enumerate(parents):
        wider[number] = wider[parent] if parent and blocks[parent] == blocks[number] else parent
    return wider


def _purity(share: float) -> int:
    return bisect_right(_PURITIES, share)
