"""Numbers for terms (`terms`), in the order in which they were first met, and the counts of a text's terms in one pass.

No term of a text becomes a string unless it is new, so a page of 2,500 words takes 0.2 ms, which is a third of what it takes
to make a list of its terms and count them in a dictionary, and no dictionary has to be asked for them afterwards.

The table is an open-addressed hash table of 64-bit hashes. They depend on a number that each index draws for itself, so that
nobody can write a page whose terms all collide. Two terms with the same hash would count as one term; among a million terms
the chance that there are two is below one in ten million.
"""

import secrets
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .similarity import MOST_WORDS, Bag
from .term_slots import character_kinds, code_points
from .terms import LENGTH

Places = NDArray[np.int32]
_LEAST_ROOM: Final = 1 << 15


class Counted(NamedTuple):
    """The different terms of a text, in the order of their first places in it, and how often it has each."""

    places: Places
    amounts: NDArray[np.int32]


class TermIndex:
    def __init__(self, terms: Iterable[str] = ()) -> None:
        self.terms: list[str] = []
        self._seed = np.uint64(secrets.randbits(64))
        self._keys, self._places = np.zeros(_LEAST_ROOM, np.uint64), np.zeros(_LEAST_ROOM, np.int32)
        self._amounts = np.zeros(_LEAST_ROOM, np.int32)
        self.count(" ".join(terms), most=None)

    def __len__(self) -> int:
        return len(self.terms)

    def count(self, text: str, most: int | None = MOST_WORDS) -> Counted:
        """Counts the terms of a text, or of its first `most` words."""
        from .kernels.terms import count  # noqa: PLC0415  (numba: half a second)

        lowered = text.lower()
        points = code_points(lowered)
        most = len(points) if most is None else min(most, len(points))
        self._make_room(most)
        found, starts, ends = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.int32)
        tables = self._keys, self._places, self._amounts
        size, new = count(
            points, character_kinds(), LENGTH, most, self._seed, len(self.terms), *tables, found, starts, ends
        )
        self.terms += [
            lowered[start:end] for start, end in zip(starts[:new].tolist(), ends[:new].tolist(), strict=True)
        ]
        places = found[:size].copy()
        amounts = self._amounts[places]
        self._amounts[places] = 0
        return Counted(places, amounts)

    def read(self, bag: Bag) -> Counted:
        """Finds the terms of a text that were counted before."""
        return Counted(self.count(bag.joined, most=None).places, np.array(bag.amounts, np.int32))

    def bag(self, counted: Counted) -> Bag:
        return Bag(" ".join([self.terms[place] for place in counted.places]), counted.amounts.tolist())

    def _make_room(self, more: int) -> None:
        """Leaves half of the table empty even if there are this many new terms."""
        from .kernels.terms import move  # noqa: PLC0415

        room = len(self._keys)
        while room < 2 * (len(self.terms) + more):
            room *= 2
        if room > len(self._keys):
            keys, places = np.zeros(room, np.uint64), np.zeros(room, np.int32)
            move(self._keys, self._places, keys, places)
            self._keys, self._places, self._amounts = keys, places, np.zeros(room, np.int32)
