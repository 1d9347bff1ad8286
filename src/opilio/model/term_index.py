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
        self._lock = Lock()
        self.places(" ".join(terms))

    def __len__(self) -> int:
        return len(self.terms)

    def count(self, text: str, most: int = MOST_WORDS) -> Counted:
        """Counts the terms of the first `most` words of a text."""
        lowered = text.lower()
        points = code_points(lowered)
        most = min(most, len(points))
        found, amounts = np.empty(most, np.int32), np.empty(most, np.int32)
        news = np.empty((3, most), np.int64)
        with self._lock:
            self._make_room(most)
            tables = self._keys, self._places, self._amounts
            wanted = points, character_kinds(), LENGTH, most
            size, new = count(*wanted, self._seed, len(self.terms), *tables, found, amounts, news)
            slots, *ranges = news[:, :new].tolist()
            with ExitStack() as after_failure:  # a term without a name would shift the names of all that come after it
                after_failure.callback(self._keys.__setitem__, slots, 0)
                self.terms += [lowered[start:end] for start, end in zip(*ranges, strict=True)]
                after_failure.pop_all()
        return Counted(found[:size].copy(), amounts[:size].copy())

    def places(self, joined: str) -> Places:
        """Returns the places of terms that are joined by spaces, each of them once."""
        return self.count(joined, most=joined.count(" ") + 1).places

    def read(self, bag: Bag) -> Counted:
        """Finds the terms of a text that were counted before."""
        return Counted(self.places(bag.joined), np.array(bag.amounts, np.int32))

    def bag(self, counted: Counted, most: int) -> Bag:
        """Returns the first `most` terms by name."""
        places, amounts = (each[:most].tolist() for each in counted)
        return Bag(" ".join([self.terms[place] for place in places]), amounts)

    def _make_room(self, more: int) -> None:
        """Leaves half of the table empty even if there are this many new terms."""
        room = len(self._keys)
        while room < 2 * (len(self.terms) + more):
            room *= 2
        if room > len(self._keys):
            keys, places = np.zeros(room, np.uint64), np.zeros(room, np.int32)
            move(self._keys, self._places, keys, places)
            self._keys, self._places, self._amounts = keys, places, np.zeros(room, np.int32)
