"""Numbers for terms (`terms`), in the order in which they were first met, and the counts of a text's terms in one pass.

No term of a text becomes a string unless it is new, so a page of 2,500 words takes 0.2 ms, which is a third of what it takes
to make a list of its terms and count them in a dictionary, and no dictionary has to be asked for them afterwards.

The table is an open-addressed hash table of 64-bit hashes. They depend on a number that each index draws for itself, so that
nobody can write a page whose terms all collide. Two terms with the same hash would count as one term; among a million terms
the chance that there are two is below one in ten million. Judges in several threads may share an index.
"""

import secrets
from collections.abc import Iterable
from contextlib import ExitStack
from threading import Lock
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .kernels.terms import count, move
from .similarity import MOST_WORDS, Bag
from .term_slots import character_kinds, code_points, lower_case
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
        self._table = np.zeros(2 * _LEAST_ROOM, np.uint64)  # `kernels.terms` says what is in it
        self._lock = Lock()
        self.places(" ".join(terms))

    def __len__(self) -> int:
        return len(self.terms)

    def count(self, text: str, most: int = MOST_WORDS) -> Counted:
        """Counts the terms of the first `most` words of a text."""
        text, points = code_points(text)
        most = min(most, len(points))
        with self._lock:
            self._make_room(most)
            wanted = points, character_kinds(), lower_case(), LENGTH, most
            places, amounts, slots, *ranges = count(*wanted, self._seed, len(self.terms), self._table)
            with ExitStack() as after_failure:  # a term without a name would shift the names of all that come after it
                after_failure.callback(self._table.__setitem__, 2 * slots, 0)
                starts, ends = (each.tolist() for each in ranges)
                self.terms += [text[start:end].lower() for start, end in zip(starts, ends, strict=True)]
                after_failure.pop_all()
        return Counted(places, amounts)

    def places(self, joined: str) -> Places:
        """Returns the places of terms that are joined by spaces, each of them once."""
        return self.count(joined, most=joined.count(" ") + 1).places

    def read(self, bag: Bag) -> Counted:
        """Finds the terms of a text that were counted before."""
        return Counted(self.places(bag.joined), np.array(bag.amounts, np.int32))

    def bag(self, counted: Counted) -> Bag:
        """Returns the terms by name."""
        places, amounts = (each.tolist() for each in counted)
        return Bag(" ".join([self.terms[place] for place in places]), amounts)

    def _make_room(self, more: int) -> None:
        """Leaves half of the table empty even if there are this many new terms."""
        room = len(self._table) // 2
        while room < 2 * (len(self.terms) + more):
            room *= 2
        if 2 * room > len(self._table):
            table = np.zeros(2 * room, np.uint64)
            move(self._table, table)
            self._table = table
