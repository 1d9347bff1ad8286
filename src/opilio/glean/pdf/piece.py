"""A piece of a line: characters that stand beside each other on a page of a PDF. Coordinates are points, from the lower left."""

from typing import Final

import msgspec

GAP: Final = 0.17  # in heights: where there is a space, whether the file says so or not


class Piece(msgspec.Struct, frozen=True, gc=False):
    text: str
    left: float
    right: float
    bottom: float
    top: float

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def center(self) -> float:
        return (self.left + self.right) / 2


class Line(msgspec.Struct, frozen=True, gc=False):
    """Pieces at one height of one column."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    column: int  # counts the columns of the document in reading order

    @property
    def height(self) -> float:
        return self.top - self.bottom
