"""The order in which people read the pieces of a page: columns one after the other, lines from top to bottom.

A gutter is a vertical strip in the inner part of a page that hardly a piece crosses, with running text on both of its sides.
Pieces that cross it (titles, wide figures' captions) divide the page into bands, and each band is read column by column, which
may have gutters of their own. Cells of a table are too short for running text, so that a table is read row by row.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, groupby, pairwise
from statistics import median
from typing import Final

from .piece import GAP, Line, Piece

_MOST_DEPTH: Final = 3  # columns within columns
_MARGIN_SHARE: Final = 0.2  # of the width at each side has no gutter
_CROSSING_SHARE: Final = 0.2  # most pieces that may cross a gutter
_STRAY_SHARE: Final = 0.05  # pieces that stand out of a column into the gutter
_LEAST_GUTTER: Final = 0.5  # in heights of a line
_LEAST_SHARE: Final = 0.2  # of the characters on each side
_LEAST_LINES: Final = 2
_LEAST_CHARS: Final = 14  # of a typical line of a column; cells of a table have fewer
_LINE_DISTANCE: Final = 0.5  # in heights


def reading_order(pieces: Sequence[Piece], first_column: int = 0) -> list[Line]:
    """Returns the lines of a page. Columns are numbered from `first_column`."""
    lines: list[Line] = []
    for number, column in enumerate(_columns(list(pieces), _MOST_DEPTH), first_column):
        lines += _lines(column, number)
    return lines


def _columns(pieces: list[Piece], depth: int) -> list[list[Piece]]:
    gutter = _gutter(pieces) if depth and len(pieces) >= 2 * _LEAST_LINES else None
    if gutter is None:
        return [pieces]
    heights = sorted({one.middle for one in pieces if one.left < gutter < one.right})
    columns: list[list[Piece]] = []
    ordered = sorted(pieces, key=lambda one: one.middle, reverse=True)
    for (below, not_above), group in groupby(ordered, key=lambda one: _place(heights, one.middle)):
        band = list(group)
        if below < not_above:  # a line that crosses the gutter
            columns.append(band)
            continue
        for side in ([one for one in band if one.center < gutter], [one for one in band if one.center >= gutter]):
            columns += _columns(side, depth - 1) if side else []
    return _joined(columns)


def _place(heights: Sequence[float], height: float) -> tuple[int, int]:
    """Returns how many of the heights are below this one, and how many are not above it."""
    return bisect_left(heights, height), bisect_right(heights, height)


def _joined(columns: list[list[Piece]]) -> list[list[Piece]]:
    """Joins what crosses the gutter in neighbouring lines, such as a title of two lines."""
    joined: list[list[Piece]] = []
    for column in columns:
        if joined and len(column) == 1 and _continues(joined[-1][-1], column[0]):
            joined[-1] = [*joined[-1], *column]
        else:
            joined.append(column)
    return joined


def _continues(above: Piece, below: Piece) -> bool:
    overlap = min(above.right, below.right) - max(above.left, below.left)
    near = 0 <= above.middle - below.middle < 2 * above.height
    return near and overlap > 0.8 * min(above.right - above.left, below.right - below.left) and len(below.text) > 40


def _gutter(pieces: Sequence[Piece]) -> float | None:
    """Returns the middle of the widest strip that few pieces cross and that has columns beside it, or None."""
    left, right = min(one.left for one in pieces), max(one.right for one in pieces)
    width = int(right - left)
    height = median(one.height for one in pieces)
    if width < 10 * height:
        return None
    changes = [0] * (width + 2)
    for one in pieces:
        changes[max(0, int(one.left - left))] += 1
        changes[min(width, int(one.right - left)) + 1] -= 1
    covered = list(accumulate(changes))
    inner = range(int(_MARGIN_SHARE * width), int((1 - _MARGIN_SHARE) * width))
    least = min(covered[at] for at in inner)
    if least > _CROSSING_SHARE * len(pieces):
        return None
    few = least + int(_STRAY_SHARE * len(pieces))
    strips = [run for run in _runs([at for at in inner if covered[at] <= few]) if len(run) >= _LEAST_GUTTER * height]
    middles = (left + (run[0] + run[-1]) / 2 for run in sorted(strips, key=len, reverse=True))
    return next((middle for middle in middles if _is_between_columns(pieces, middle)), None)


def _runs(places: Sequence[int]) -> list[list[int]]:
    """Returns the runs of neighbouring places."""
    runs: list[list[int]] = []
    for at in places:
        if runs and at == runs[-1][-1] + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


def _is_between_columns(pieces: Sequence[Piece], gutter: float) -> bool:
    whole = [one for one in pieces if not one.left < gutter < one.right]
    sides = ([one for one in whole if one.center < gutter], [one for one in whole if one.center >= gutter])
    everything = sum(len(one.text) for one in pieces)
    return all(
        len(side) >= _LEAST_LINES
        and sum(len(one.text) for one in side) >= _LEAST_SHARE * everything
        and sum(len(one.text) for one in side if len(one.text) >= _LEAST_CHARS) > sum(len(one.text) for one in side) / 2
        for side in sides
    ) and _stand_beside(*sides)


def _stand_beside(one: Sequence[Piece], other: Sequence[Piece]) -> bool:
    top = min(max(piece.top for piece in one), max(piece.top for piece in other))
    bottom = max(min(piece.bottom for piece in one), min(piece.bottom for piece in other))
    return top - bottom > 0


def _lines(pieces: Sequence[Piece], column: int) -> list[Line]:
    """Joins the pieces that stand at one height. Their order in the file does not matter."""
    rows: list[list[Piece]] = []
    for one in sorted(pieces, key=lambda piece: (-piece.middle, piece.left)):
        row = rows[-1] if rows else []
        if row and abs(row[0].middle - one.middle) < _LINE_DISTANCE * min(row[0].height, one.height):
            row.append(one)
        else:
            rows.append([one])
    return [_line(sorted(row, key=lambda piece: piece.left), column) for row in rows]


def _line(row: Sequence[Piece], column: int) -> Line:
    tallest = max(row, key=lambda piece: len(piece.text))
    parts = [row[0].text]
    for one, other in pairwise(row):
        parts.append(f" {other.text}" if other.left - one.right > GAP * other.height else other.text)
    return Line(
        "".join(parts),
        row[0].left,
        max(piece.right for piece in row),
        tallest.bottom,
        tallest.top,
        column,
    )
