"""Splits preformatted blocks: inside `pre`, and only there, a blank line ends a paragraph. It is done after the walk,
because such blocks are rare.

Invariant: the pieces partition the block's text, so an anchor's offset finds its piece by bisection.
"""

import re
from bisect import bisect_right
from typing import Final

from .tags import PRE_TAGS
from .tree import Anchor, RawBlock, Tree

_BLANK_LINE: Final = re.compile(r"\n[ \t\r]*\n\s*")


def split_preformatted(tree: Tree) -> None:
    if not any(block.tag in PRE_TAGS for block in tree.blocks):
        return
    blocks: list[RawBlock] = []
    moved: list[tuple[int, list[int]]] = []  # per old block: number of its first piece, start of each piece
    for block in tree.blocks:
        starts = _starts(block.raw) if block.tag in PRE_TAGS else [0]
        moved.append((len(blocks), starts))
        blocks += [block] if len(starts) == 1 else _pieces(block, starts)
    if len(blocks) > len(tree.blocks):
        tree.blocks = blocks
        moved.append((len(blocks), [0]))  # for an anchor after the last text
        for anchor in tree.anchors:
            _move(anchor, moved, blocks)
        tree.items = [moved[min(number, len(moved) - 1)][0] for number in tree.items]
        tree.rows = [moved[min(number, len(moved) - 1)][0] for number in tree.rows]


def _starts(raw: str) -> list[int]:
    """Returns where each piece starts. Blank lines before and after the text separate nothing."""
    first, last = len(raw) - len(raw.lstrip()), len(raw.rstrip())
    return [0, *(blank.end() for blank in _BLANK_LINE.finditer(raw, first, last))]


def _pieces(block: RawBlock, starts: list[int]) -> list[RawBlock]:
    ends = [*starts[1:], len(block.raw)]
    return [
        RawBlock(block.raw[start:end], block.tag, block.flags, block.container, 0)
        for start, end in zip(starts, ends, strict=True)
    ]


def _move(anchor: Anchor, moved: list[tuple[int, list[int]]], blocks: list[RawBlock]) -> None:
    was_split = anchor.block < len(moved) and len(moved[anchor.block][1]) > 1
    anchor.block, anchor.start = _place(anchor.block, anchor.start, moved)
    anchor.last, anchor.end = _place(anchor.last, anchor.end, moved)
    if was_split:
        block = blocks[anchor.block]
        block.link_chars += (anchor.end if anchor.last == anchor.block else len(block.raw)) - anchor.start


def _place(number: int, offset: int, moved: list[tuple[int, list[int]]]) -> tuple[int, int]:
    first, starts = moved[min(number, len(moved) - 1)]
    piece = bisect_right(starts, offset) - 1
    return first + piece, offset - starts[piece]
