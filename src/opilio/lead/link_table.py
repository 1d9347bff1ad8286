"""The open links that the learned lead follows: a row of numbers and tokens for each, so that thousands are measured at once.

A row takes 330 bytes, however often its link is seen: sightings beyond the first `_SIGHTS` only count, and so do words for
which there is no room. The table is bounded too. When it is full, the worse half is forgotten: such a link keeps the score that
it has in the frontier, and gets a row again when it is next seen.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

_SIGHTS: Final = 8
_ANCHOR, _CONTEXT, _ADDRESS = 8, 32, 12  # words
_CONTEXT_AT, _ADDRESS_AT = _ANCHOR, _ANCHOR + _CONTEXT
_FIRST_ROWS: Final = 1_024
_HOT: Final = 4  # times as many rows as are asked for are watched


class Seen(NamedTuple):
    """A sighting without its words."""

    group: int  # slot of the block that it stood in
    page: int  # slot of the page
    score: float
    boilerplate: float
    position: float


class Place(NamedTuple):
    """What is known of a link without a sighting."""

    address: tuple[int, ...]
    path: int
    folder: int
    host: int
    hint: int
    domain: int
    depth: int


class LinkTable:
    def __init__(self, most: int) -> None:
        self.most = most
        self.rows: dict[int, int] = {}  # link → row
        self.ids = np.zeros(_FIRST_ROWS, np.int64)  # 0: a free row
        self.scores = np.full(_FIRST_ROWS, -np.inf)
        # parents, sum and best of their scores, depth, boilerplate, logarithm of the position
        self._numbers = np.zeros((_FIRST_ROWS, 6))
        self._sights = np.zeros((_FIRST_ROWS, 2 * _SIGHTS), np.int32)
        # sights, end of anchor, start and end of context, start and end of address; slots of path, folder, host, hint, domain
        self._counts = np.zeros((_FIRST_ROWS, 11), np.int32)
        self._words = np.zeros((_FIRST_ROWS, _ADDRESS_AT + _ADDRESS), np.int32)
        self._free = list(range(_FIRST_ROWS - 1, -1, -1))
        # All rows with a score from `_least` on, and some others: the best are found without looking at the whole table.
        self._hot = np.zeros(0, np.int64)
        self._is_hot = np.zeros(_FIRST_ROWS, np.bool_)
        self._least = np.inf

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """As `kernels.links` takes them."""
        return self._numbers, self._sights, self._counts, self._words

    def reserve(self, rows: int) -> None:
        """Makes room for so many, at most an eighth of the smallest full table: rows that are at hand may be forgotten now, and
        not while they are filled."""
        while len(self._free) < rows:
            self._make_room()

    def add(self, link: int, place: Place) -> int:
        self.reserve(1)
        row = self._free.pop()
        self.rows[link] = row
        self.ids[row] = link
        self.scores[row] = -np.inf
        self._numbers[row] = (0.0, 0.0, 0.0, place.depth, 1.0, 9.0)
        address = place.address[:_ADDRESS]
        self._words[row, _ADDRESS_AT : _ADDRESS_AT + len(address)] = address
        end = _ADDRESS_AT + len(address)
        slots = (place.path, place.folder, place.host, place.hint, place.domain)
        self._counts[row] = (0, 0, _CONTEXT_AT, _CONTEXT_AT, _ADDRESS_AT, end, *slots)
        return row

    def see_all(
        self, rows: Sequence[int], seen: Sequence[Seen], words: NDArray[np.int32], ends: NDArray[np.int64]
    ) -> None:
        """Many at once, which is much cheaper than one by one. `words` has those of the anchor and of the context of each, and
        `ends` says where they end."""
        from opilio.model.kernels.links import see  # noqa: PLC0415  (numba: half a second)

        see(np.array(rows), np.array(seen), words, ends, self.arrays, (_SIGHTS, _ANCHOR, _CONTEXT_AT + _CONTEXT))

    def has_seen(self, row: int, one: Seen) -> bool:
        seen = int(self._counts[row, 0])
        return one.group in self._sights[row, 0 : 2 * seen : 2].tolist()

    def sights(self, row: int) -> list[tuple[int, int]]:
        """Slots of the blocks and pages that it was seen in."""
        held = self._sights[row, : 2 * int(self._counts[row, 0])].tolist()
        return list(zip(held[::2], held[1::2], strict=True))

    def tokens(self, row: int) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """Of the anchor, around it, of the address, and of the path."""
        counts, words = self._counts[row], self._words[row]
        return (
            words[: counts[1]].copy(),
            words[counts[2] : counts[3]].copy(),
            words[counts[4] : counts[5]].copy(),
            counts[6:7].copy(),
        )

    def drop(self, link: int) -> None:
        row = self.rows.pop(link, None)
        if row is not None:
            self.ids[row] = 0
            self.scores[row] = -np.inf
            self._free.append(row)

    def best(self, most: int) -> NDArray[np.int64]:
        """Rows of the links with the highest scores, in no order."""
        if len(self.rows) <= most:
            return np.fromiter(self.rows.values(), np.int64, len(self.rows))
        scores = self.scores[self._hot]
        if np.count_nonzero(scores >= self._least) < most or len(scores) > 2 * _HOT * most:
            wanted = min(_HOT * most, len(self.rows))
            self._hot = np.argpartition(self.scores, -wanted)[-wanted:]
            scores = self.scores[self._hot]
            self._least = float(scores.min())
            self._is_hot[:] = False
            self._is_hot[self._hot] = True
        return self._hot[np.argpartition(scores, -most)[-most:]]

    def rate(self, rows: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
        """Each row once."""
        self.scores[rows] = scores
        risen = rows[(scores >= self._least) & ~self._is_hot[rows]]
        if len(risen):
            self._is_hot[risen] = True
            self._hot = np.concatenate([self._hot, risen])

    def _make_room(self) -> None:
        size = len(self.ids)
        if size >= self.most:
            worse = np.argsort(self.scores, kind="stable")[: size // 2]
            for link in self.ids[worse].tolist():
                self.drop(link)
            return
        self.ids, self.scores, self._is_hot = _doubled(self.ids), _doubled(self.scores), _doubled(self._is_hot)
        self.scores[size:] = -np.inf
        self._numbers, self._sights = _doubled(self._numbers), _doubled(self._sights)
        self._counts, self._words = _doubled(self._counts), _doubled(self._words)
        self._free = [*range(2 * size - 1, size - 1, -1), *self._free]


def _doubled(array: Any) -> Any:
    return np.concatenate([array, np.zeros_like(array)])
