"""A linear support vector machine over bags of words: which of two kinds a text is.

A text becomes a sparse row: each distinct word falls into one of 2¹⁸ slots by its hash, counts as 1 + log of how often it
stands there, times the log of how rare the word is among the training texts; then the row is scaled to length 1. Hashing spares
a vocabulary; of the words of a page one in some hundred shares its slot.

Both kinds pull with the same force in all, however many texts each has. The order of descent is drawn from a fixed seed: the same
texts give the same machine.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

SLOTS: Final = 2**18
_COST: Final = 1.0  # per text, on average
_ORDERS: Final = 7
_FOLDS: Final = 5

Floats = NDArray[np.float64]


class Bag(NamedTuple):
    """Which slots are filled, in rising order, and with how much."""

    slots: NDArray[np.int64]
    amounts: Floats


def bag_of(words: Sequence[str]) -> Bag:
    counts = Counter(crc32(word.encode("utf-8", "surrogatepass")) % SLOTS for word in words)
    slots = np.array(sorted(counts), np.int64)
    return Bag(slots, 1 + np.log([counts[slot] for slot in slots.tolist()]))


def rarities(bags: Sequence[Bag]) -> Floats:
    """For every slot, how much a word in it says."""
    documents = np.zeros(SLOTS)
    for bag in bags:
        documents[bag.slots] += 1
    rarity: Floats = np.log((1 + len(bags)) / (1 + documents))
    return rarity


class LinearSvm(NamedTuple):
    weights: Floats  # the last one is the bias
    rarity: Floats

    def margins(self, bags: Sequence[Bag]) -> list[float]:
        """Above 0 is the kind of the positive texts; 1 is where the machine is sure."""
        return [float(self.weights[row.slots] @ row.amounts) for row in _rows(bags, self.rarity)]


def train_svm(positive: Sequence[Bag], negative: Sequence[Bag], rarity: Floats | None = None) -> LinearSvm:
    """There must be at least one of each."""
    from .kernels.descent import descend  # noqa: PLC0415 - numba takes a second to import, and `--help` does not need it

    rarity = rarities([*positive, *negative]) if rarity is None else rarity
    rows = list(_rows([*positive, *negative], rarity))
    starts = np.cumsum([0, *(len(row.slots) for row in rows)])
    signs = np.array([1.0] * len(positive) + [-1.0] * len(negative))
    share = _COST * len(rows) / 2
    costs = np.where(signs > 0, share / len(positive), share / len(negative))
    random = np.random.default_rng(0)
    orders = np.array([random.permutation(len(rows)) for _ in range(_ORDERS)])
    slots, amounts = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    return LinearSvm(descend(starts, slots, amounts, signs, costs, SLOTS + 1, orders), rarity)


def held_out_margins(positive: Sequence[Bag], negative: Sequence[Bag]) -> tuple[list[float], list[float]]:
    """Of every text by a machine of the others, in five folds; kinds with a single text cannot be held out."""
    margins: tuple[list[float], list[float]] = [0.0] * len(positive), [0.0] * len(negative)
    rarity = rarities([*positive, *negative])
    for fold in range(_FOLDS):
        machine = train_svm(_without(positive, fold), _without(negative, fold), rarity)
        for kind, bags in zip(margins, (positive, negative), strict=True):
            kind[fold::_FOLDS] = machine.margins(bags[fold::_FOLDS])
    return margins


def accuracy(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Of margins: the mean of the shares that each kind has on its side."""
    right = sum(margin > 0 for margin in positive) / len(positive), sum(margin <= 0 for margin in negative) / len(negative)
    return sum(right) / 2


def _rows(bags: Sequence[Bag], rarity: Floats) -> Iterator[Bag]:
    for bag in bags:
        amounts = bag.amounts * rarity[bag.slots]
        length = np.sqrt(amounts @ amounts) or 1.0
        yield Bag(np.append(bag.slots, SLOTS), np.append(amounts / length, 1.0))


def _without(bags: Sequence[Bag], fold: int) -> list[Bag]:
    return [bag for place, bag in enumerate(bags) if place % _FOLDS != fold] or list(bags)
