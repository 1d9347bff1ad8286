"""Joins the cells of a row to one block, so that a row of a table stays on a line.

Only rows of data are joined: at least two cells with text, each of them one block, none of them a long paragraph. What a table
that is for layout has in a cell stays apart.

Invariant: offsets of anchors are moved along with the text of their blocks.
"""

from itertools import pairwise
from typing import Final

from .tags import CELLS
from .tree import RawBlock, Tree

CELL_END: Final = "\x1f"  # white space to whoever splits words
_MOST_CELL_CHARS: Final = 400
_MOST_ROW_CHARS: Final = 2_000


def join_cells(tree: Tree) -> None:
    rows = [(first, last) for first, last in pairwise([*tree.rows, len(tree.blocks)]) if last - first > 1]
    rows = [(first, last) for first, end in rows if (last := _end_of_row(tree, first, end)) - first > 1]
    if not rows:
        return
    blocks: list[RawBlock] = []
    moved: list[tuple[int, int]] = []  # per old block: the number of its new one, and where in it the text begins
    at = 0
    for first, last in rows:
        for number in range(at, first):
            moved.append((len(blocks), 0))
            blocks.append(tree.blocks[number])
        moved += _places(tree.blocks[first:last], len(blocks))
        blocks.append(_row(tree.blocks[first:last], tree.containers))
        at = last
    for number in range(at, len(tree.blocks)):
        moved.append((len(blocks), 0))
        blocks.append(tree.blocks[number])
    moved.append((len(blocks), 0))  # for an anchor after the last text
    tree.blocks = blocks
    _move(tree, moved)


def _end_of_row(tree: Tree, first: int, end: int) -> int:
    """Returns where the row ends, or its start if it is not a row of data. Each cell is a container of its own, in the table."""
    blocks, parents = tree.blocks, tree.containers
    table = parents[blocks[first].container]
    last = first
    while last < end and blocks[last].tag in CELLS and parents[blocks[last].container] == table:
        last += 1
    row = blocks[first:last]
    is_data = (
        len({block.container for block in row}) == len(row)
        and all(len(block.raw) <= _MOST_CELL_CHARS for block in row)
        and sum(len(block.raw) for block in row) <= _MOST_ROW_CHARS
    )
    return last if is_data else first


def _row(cells: list[RawBlock], parents: list[int]) -> RawBlock:
    first = cells[0]
    raw = CELL_END.join(cell.raw for cell in cells)
    return RawBlock(raw, first.tag, first.flags, parents[first.container], sum(cell.link_chars for cell in cells))


def _places(cells: list[RawBlock], number: int) -> list[tuple[int, int]]:
    places, start = [], 0
    for cell in cells:
        places.append((number, start))
        start += len(cell.raw) + len(CELL_END)
    return places


def _move(tree: Tree, moved: list[tuple[int, int]]) -> None:
    last = len(moved) - 1
    for anchor in tree.anchors:
        anchor.block, shift = moved[min(anchor.block, last)]
        anchor.start += shift
        anchor.last, shift = moved[min(anchor.last, last)]
        anchor.end += shift
    tree.items = [moved[min(number, last)][0] for number in tree.items]
