"""What is known of every word and of every tag path, side by side: a row for each, and a named column for each fact.

One owner has the matrix, and others get views of its columns. Whoever learns a fact writes it into its view, in place, and
`kernels.links` reads whole rows. A row of words has 32 bytes and never lies across two lines of the processor's cache, so looking
a word up costs one miss of the cache, where a table for each fact would cost eight.
"""

from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .aligned import aligned_zeros

WORDS: Final = 1 << 18  # rows
PATHS: Final = 1 << 14

Floats = NDArray[np.float32]


class WordFact(IntEnum):
    """The columns of words. Odds are log odds; weights are those of the learner."""

    ODDS = 0  # that a text with the word belongs
    CENTRE = 1  # its part in what the samples are about
    HIGHEST = 2  # its highest part in any text that belongs
    ANCHOR_ODDS = 3  # that a link with the word in its anchor leads to a page that belongs
    ANCHOR_WEIGHT = 4
    CONTEXT_ODDS = 5
    ADDRESS_ODDS = 6
    ADDRESS_WEIGHT = 7


class PathFact(IntEnum):
    """The columns of tag paths."""

    ODDS = 0
    WEIGHT = 1


class Facts:
    def __init__(self, rows: int, columns: type[IntEnum]) -> None:
        self.matrix: Final[Floats] = aligned_zeros(rows * len(columns), np.float32).reshape(rows, len(columns))

    def column(self, fact: IntEnum) -> Floats:
        """Returns a view. Write into it in place; an array put in its stead would not be seen by the kernel."""
        return self.matrix[:, fact]
