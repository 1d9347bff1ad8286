"""Counts n-grams, order by order, in a stream of words.

`Levels` hold for each order the n-grams' keys (the number of the context in the order below, and the last word), the
numbers of their suffixes in the order below, and their counts. Every n-gram's context and suffix are there too, with
count 0 if only a longer n-gram needs them.

The stream of words is as long as the corpus, and is kept in a `Spool`: rows of words, nodes (see `kernels.grams`) and
weights. The table that numbers an order's n-grams grows too; if it might not fit, the keys are divided into shares by
their hash, each share is numbered with a table of its own, and the numbers are put back at their positions. The n-grams
of one order at a time are in memory completely, 20 bytes each; the finished model takes more.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .kernels.grams import index_keys, join_keys, number_keys, share_keys, tally_nodes
from .kernels.mixing import EMPTY
from .kernels.sums import add_counts
from .spool import Spool
from .training import Training
from .vocabulary import BEGIN

Keys = npt.NDArray[np.uint64]
Nodes = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_NO_WEIGHTS: Final = np.empty(0, np.int64)
_TABLE_BYTES: Final = 40  # per key, when the table is at its emptiest


class Levels:
    """The n-grams of every order from 1, numbered within their order. An array that is in a file is read at each
    call."""

    def __init__(self, memory_bytes: int) -> None:
        self._rows = Spool(memory_bytes)

    def __len__(self) -> int:
        return len(self._rows)

    def append(self, grams: Keys, suffixes: Nodes, counts: Counts) -> None:
        self._rows.append(grams, suffixes, counts)

    def drop(self, order: int) -> None:
        self._rows.drop(order - 1)

    def grams(self, order: int) -> Keys:
        """Returns context and last word of each n-gram; empty for order 1, where the word is the number."""
        return self._rows.array(order - 1, 0)

    def suffixes(self, order: int) -> Nodes:
        return self._rows.array(order - 1, 1)

    def counts(self, order: int) -> Counts:
        return self._rows.array(order - 1, 2)


class WordStream:
    """Words from `Vocabulary.learn`, with -1 where no n-gram may continue. Weights say how often a position counts."""

    def __init__(self, memory_bytes: int) -> None:
        self._rows = Spool(memory_bytes // 4)
        self._memory_bytes = memory_bytes // 2
        self._positions = 0

    def append(self, ids: Nodes, weights: Counts = _NO_WEIGHTS) -> None:
        self._rows.append(ids, ids.copy(), weights)
        self._positions += len(ids)

    def __len__(self) -> int:
        return self._positions

    def tally(self, size: int) -> Counts:
        """Returns how often each n-gram of the present order occurs."""
        counts = np.zeros(size, np.int64)
        for _, nodes, weights in self._rows.rows():
            tally_nodes(nodes, weights, counts)
        return counts

    def climb(self) -> tuple[Keys, Nodes]:
        """Moves every position's node to the next order, and returns that order's keys and suffixes."""
        shares = -(-self._positions * _TABLE_BYTES // self._memory_bytes)
        return self._number() if shares <= 1 else self._number_shares(shares)

    def nodes(self) -> Nodes:
        return np.concatenate([nodes for _, nodes, _ in self._rows.rows()])

    def _number(self) -> tuple[Keys, Nodes]:
        table = _GramTable()
        before = -1
        for ids, nodes, _ in self._rows.rows(1):
            keys = np.empty(len(ids), np.uint64)
            before = join_keys(ids, nodes, before, keys)
            table.number(keys, nodes, 0)
        return table.grams[: table.count], table.suffixes[: table.count]

    def _number_shares(self, shares: int) -> tuple[Keys, Nodes]:
        shared = self._share(shares)
        grams, suffixes, count = [], [], 0
        for share in range(shares):
            table = _GramTable()
            for keys, nodes, _, bounds in shared.rows(1):
                part = slice(bounds[share], bounds[share + 1])
                table.number(keys[part], nodes[part], count)
            grams.append(table.grams[: table.count].copy())
            suffixes.append(table.suffixes[: table.count].copy())
            count += table.count
        for (_, nodes, _), (_, moved, turn, _) in zip(self._rows.rows(1), shared.rows(), strict=True):
            nodes[turn] = moved
        return np.concatenate(grams), np.concatenate(suffixes)

    def _share(self, shares: int) -> Spool:
        """Returns for each row its keys and nodes sorted by share, their original positions, and where each share
        begins."""
        shared = Spool(0)
        before = -1
        for ids, nodes, _ in self._rows.rows():
            keys = np.empty(len(ids), np.uint64)
            before = join_keys(ids, nodes, before, keys)
            turn = np.empty(len(ids), np.int32)
            bounds = share_keys(keys, shares, turn)
            shared.append(keys[turn], nodes[turn], turn, bounds)
        return shared


class _GramTable:
    """Numbers keys in the order in which they arrive."""

    def __init__(self) -> None:
        self.count = 0
        self.grams: Keys = np.empty(1 << 10, np.uint64)
        self.suffixes: Nodes = np.empty(1 << 10, np.int32)
        self._table: Keys = np.full(1 << 12, EMPTY, np.uint64)

    def number(self, keys: Keys, nodes: Nodes, base: int) -> None:
        """Replaces the nodes, which are the suffixes, by the keys' numbers, counted from `base`."""
        done = 0
        while done < len(keys):
            done, self.count = number_keys(keys, nodes, done, self._table, self.grams, self.suffixes, self.count, base)
            if done < len(keys):
                self._make_room()

    def _make_room(self) -> None:
        if self.count == len(self.grams):
            self.grams = _longer(self.grams)
            self.suffixes = _longer(self.suffixes)
        else:
            self._table = np.full(len(self._table) // 4 * 6 + 2, EMPTY, np.uint64)
            index_keys(self.grams, self.count, self._table)


def _longer(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.concatenate((array, np.empty(len(array) // 2, array.dtype)))


def count_levels(stream: WordStream, words: int, settings: Training, report: Callable[[int], None]) -> Levels:
    """Counts all orders, and reports each one when it is done."""
    levels = Levels(settings.memory_bytes // 4)
    counts = stream.tally(words)
    counts[BEGIN] = 0  # it is never predicted
    levels.append(np.empty(0, np.uint64), np.empty(0, np.int32), counts)
    for order in range(2, settings.words + 1):
        grams, suffixes = stream.climb()
        levels.append(grams, suffixes, stream.tally(len(grams)))
        report(order)
    return levels


def kept_grams(levels: Levels, settings: Training) -> list[Flags]:
    """Returns which n-grams stay after pruning, by order. A context counts at least as often as the n-grams that
    continue it, even if it was not counted itself, so that no n-gram loses its context."""
    if not any(settings.prune):
        return [np.ones(len(levels.counts(order)), np.bool_) for order in range(1, len(levels) + 1)]
    kept = []
    uses = levels.counts(len(levels))
    for order in range(len(levels), 1, -1):
        kept.append(uses > settings.threshold(order))
        below = levels.counts(order - 1)
        following = np.zeros_like(below)
        add_counts(levels.grams(order), uses, following)
        uses = np.maximum(below, following)
    kept.append(np.ones(len(uses), np.bool_))
    return kept[::-1]
