"""The open links that the learned lead follows: a row of numbers and tokens for each, so that thousands are measured at once.

A row has a fixed size, however often its link is seen: sightings beyond the eighth add to the numbers alone, and words for
which there is no room are dropped. The table is bounded too. When it is full, the worse half is forgotten: such a link keeps
the score that it has in the frontier, and gets a row again when it is next seen.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from opilio.model.term_slots import Slots

from .aligned import LINE, aligned_zeros
from .kernels.link_rows import place, see, tokens
from .kernels.links import with_others

_FIELDS: Final[list[Any]] = [  # what `kernels.links` reads of a link
    ("parents", "f4"),
    ("total", "f4"),  # of the parents' scores
    ("best", "f4"),
    ("title", "f4"),  # how like the samples the title of a parent is, at most
    ("cash", "f4"),
    ("distance", "f4"),  # from a page that belongs
    ("boilerplate", "f4"),
    ("position", "f4"),  # logarithm
    ("folder", "u2"),  # slots
    ("host", "u2"),
    ("depth", "i2"),
    ("hint", "u1"),  # numbers of the languages that the address and its domain name
    ("domain", "u1"),
    ("sights", "i1"),  # how many entries are used in each array below
    ("stands", "i1"),
    ("ways", "i1"),
    ("anchor", "i1"),
    ("context", "i1"),
    ("address", "i1"),
    ("gap", "i1", 2),
    ("paths", "u2", 4),  # slots of the tag paths, blocks and pages where it stood
    ("groups", "i4", 16),
    ("pages", "i4", 8),
    ("anchor_words", "i4", 8),
    ("address_words", "i4", 12),
    ("context_words", "i4", 32),
]
_FIRST_ROWS: Final = 1_024
_HOT_ROWS: Final = 4  # rows that are watched, for each that is asked for

Rows = NDArray[np.int64]
Scores = NDArray[np.float64]


class LinkTable:
    def __init__(self, most: int) -> None:
        self.most = most
        self.rows: dict[int, int] = {}  # link → row
        size = min(_FIRST_ROWS, most)
        self.ids = np.zeros(size, np.int64)  # 0: a free row
        self.scores = np.full(size, -np.inf)
        self.table = _table(size)
        self._free = list(range(size - 1, -1, -1))
        # `_hot` has all rows with a score of at least `_least`, and some others, so that the best are found without looking at
        # the whole table.
        self._hot = np.zeros(0, np.int64)
        self._is_hot = np.zeros(size, np.bool_)
        self._least = np.inf
        self._marks = np.zeros(size, np.bool_)  # all False between calls

    def __len__(self) -> int:
        return len(self.rows)

    def reserve(self, rows: int) -> None:
        """Makes room for this many rows, at most an eighth of the smallest full table. Rows may be forgotten here, and therefore
        not later, while new ones are being filled."""
        while len(self._free) < rows:
            self._make_room()

    def add_all(self, links: Sequence[int], signs: NDArray[np.int64], words: Slots, ends: NDArray[np.int64]) -> None:
        """Adds links that have no row yet. For each, `signs` has the slots of folder and host, the languages that the address
        and its domain name, and the depth; `words` has the words of the addresses, and `ends` says where those of each end."""
        self.reserve(len(links))
        rows = self._free[: -len(links) - 1 : -1]
        del self._free[-len(links) :]
        self.rows.update(zip(links, rows, strict=True))
        at = np.array(rows)
        self.ids[at] = links
        self.scores[at] = -np.inf
        place(at, signs, words, ends, self.table)

    def see_all(
        self,
        rows: Sequence[int],
        stands: Sequence[int],
        scores: Sequence[float],
        places: Sequence[int],
        place_ends: Sequence[int],
        words: Slots,
        ends: NDArray[np.int64],
        blocks: int,
        parents: NDArray[np.float32],
    ) -> None:
        """Adds sightings to their rows, except on pages that are there already. One sighting after the other, `stands` has parent
        and position, `scores` has the parent's score and boilerplate, `places` has block and slot of the path for each place
        until that of `place_ends`, `words` has those of the anchor, before it and after it, and `ends` says where each of the
        three ends. `blocks` is the number of slots for blocks; `parents` has title, share and distance of pages."""
        seen = np.array(stands, np.int64), np.array(scores), np.array(places, np.int64), np.array(place_ends)
        see(np.array(rows), *seen, words, ends, self.table, blocks, parents)

    def tokens(self, row: int) -> tuple[Slots, Slots, Slots, Slots]:
        """Returns the tokens of the anchor, around it, of the address, and of the paths."""
        return tokens(row, self.table)  # type: ignore[no-any-return]

    def standing(self, link: int) -> tuple[float, float] | None:
        """Returns its cash and its distance from a page that belongs, or None if it has no row."""
        row = self.rows.get(link)
        return None if row is None else (float(self.table["cash"][row]), float(self.table["distance"][row]))

    def drop(self, link: int) -> None:
        row = self.rows.pop(link, None)
        if row is not None:
            self.ids[row] = 0
            self.scores[row] = -np.inf
            self._free.append(row)

    def best(self, most: int) -> Rows:
        """Returns the rows of the links with the highest scores, in no order."""
        if len(self.rows) <= most:
            return np.fromiter(self.rows.values(), np.int64, len(self.rows))
        scores = self.scores[self._hot]
        if np.count_nonzero(scores >= self._least) < most or len(scores) > 2 * _HOT_ROWS * most:
            wanted = min(_HOT_ROWS * most, len(self.rows))
            self._hot = np.argpartition(self.scores, -wanted)[-wanted:]
            scores = self.scores[self._hot]
            self._least = float(scores.min())
            self._is_hot[:] = False
            self._is_hot[self._hot] = True
        return self._hot[np.argpartition(scores, -most)[-most:]]

    def with_others(self, rows: Rows, start: int, count: int) -> Rows:
        """Returns these rows, and those of the `count` rows from `start` on that hold a link and are not among them."""
        return with_others(rows, start, count, self.ids, self._marks)  # type: ignore[no-any-return]

    def rate(self, rows: Rows, scores: Scores) -> None:
        """Sets the scores of rows, each of which is given once."""
        self.scores[rows] = scores
        risen = rows[(scores >= self._least) & ~self._is_hot[rows]]
        if len(risen):
            self._is_hot[risen] = True
            self._hot = np.concatenate([self._hot, risen])

    def _make_room(self) -> None:
        size = len(self.ids)
        if size >= self.most:
            worse = np.argsort(self.scores, kind="stable")[: size // 2]
            self._free += [self.rows.pop(link) for link in self.ids[worse].tolist() if link]
            self.ids[worse], self.scores[worse] = 0, -np.inf
            return
        grown = min(2 * size, self.most)
        table = _table(grown)
        table[:size] = self.table
        self.table = table
        self.ids, self.scores = _longer(self.ids, grown), _longer(self.scores, grown)
        self.scores[size:] = -np.inf
        self._is_hot, self._marks = _longer(self._is_hot, grown), _longer(self._marks, grown)
        self._free = [*range(grown - 1, size - 1, -1), *self._free]


def _table(size: int) -> Any:
    """Returns rows that each have whole lines of the cache to themselves."""
    spare = -np.dtype(_FIELDS).itemsize % LINE
    return aligned_zeros(size, [*_FIELDS, ("spare", "i1", spare)] if spare else _FIELDS)


def _longer(array: Any, size: int) -> Any:
    longer = np.zeros(size, array.dtype)
    longer[: len(array)] = array
    return longer
