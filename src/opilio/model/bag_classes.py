"""Tells several kinds of texts apart by their words: which class, and how likely it is.

Three learners that read the same bags (`linear_svm.Bag`): a linear support vector machine for each class against the others
(`svm`), multinomial naive Bayes (`bayes`), and the online logistic learner of the learned lead, over tokens alone
(`logistic`). The strengths of the classes are put on one scale by a softmax, whose steepness is not fitted: likelihoods rank
texts, and are not calibrated.

Invariant: the same bags in the same order give the same classes.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .linear_svm import SLOTS, Bag, rarities, train_svm

Learner = Literal["svm", "bayes", "logistic"]
Floats = NDArray[np.float64]
_ROUNDS: Final = 3  # how often the online learner sees each text
_RATE: Final = 0.3  # of the online learner


class Strengths(Protocol):
    """What was learned: how strongly each word speaks for each class, and how strongly a text does."""

    def of_bag(self, bag: Bag) -> Floats:
        """Returns a number for each class; the highest is that of the text's class."""
        ...

    def of_slot(self, slot: int) -> Floats: ...


class Learned(NamedTuple):
    """`held_out` has the strengths of each training text by a machine that has not seen it; only the SVM has them."""

    strengths: Strengths
    held_out: Floats | None = None


def learn_classes(bags: Sequence[Bag], labels: Sequence[int], count: int, learner: Learner = "svm") -> Learned:
    """Learns from texts whose classes are the labels from 0 to `count` - 1; each class has at least one text."""
    if learner == "svm":
        return _svm(bags, np.array(labels), count)
    return Learned(_bayes(bags, labels, count) if learner == "bayes" else _logistic(bags, labels, count))


def likelihoods(strengths: Floats) -> Floats:
    """Turns the strengths of the classes of a text into shares of 1."""
    powers: Floats = np.exp(strengths - strengths.max())
    powers /= powers.sum()
    return powers


class _Machines(NamedTuple):
    weights: Floats  # a row for each class; the last column is the bias
    rarity: Floats

    def of_bag(self, bag: Bag) -> Floats:
        amounts = bag.amounts * self.rarity[bag.slots]
        length = np.sqrt(amounts @ amounts) or 1.0
        found: Floats = self.weights[:, bag.slots] @ (amounts / length) + self.weights[:, -1]
        return found

    def of_slot(self, slot: int) -> Floats:
        found: Floats = self.weights[:, slot] * self.rarity[slot]
        return found


class _Sums(NamedTuple):
    """Strengths that are sums over words, each of which counts once."""

    weights: Floats  # a row for each class
    prior: Floats

    def of_bag(self, bag: Bag) -> Floats:
        found: Floats = self.weights[:, bag.slots] @ bag.amounts + self.prior
        return found

    def of_slot(self, slot: int) -> Floats:
        found: Floats = self.weights[:, slot]
        return found


def _svm(bags: Sequence[Bag], labels: NDArray[np.int64], count: int) -> Learned:
    rarity = rarities(bags)
    held_out = np.empty((len(bags), count))
    weights = np.empty((count, SLOTS + 1))
    for label in range(count):
        own, others = np.flatnonzero(labels == label).tolist(), np.flatnonzero(labels != label).tolist()
        trained = train_svm([bags[at] for at in own], [bags[at] for at in others], rarity=rarity)
        weights[label] = trained.machine.weights
        held_out[own, label], held_out[others, label] = trained.positive, trained.negative
    return Learned(_Machines(weights, rarity), held_out)


def _bayes(bags: Sequence[Bag], labels: Sequence[int], count: int) -> _Sums:
    """Counts words with Laplace's one; slots that no text fills do not count as words."""
    counts = np.zeros((count, SLOTS))
    for bag, label in zip(bags, labels, strict=True):
        counts[label, bag.slots] += bag.amounts
    words = np.count_nonzero(counts.any(axis=0))
    weights = np.log((counts + 1) / (counts.sum(axis=1, keepdims=True) + words))
    return _Sums(weights, np.log(np.bincount(labels, minlength=count) / len(labels)))


def _logistic(bags: Sequence[Bag], labels: Sequence[int], count: int) -> _Sums:
    from .online_logistic import OnlineLogistic  # noqa: PLC0415 - it compiles when it is imported

    tables = np.zeros((count, SLOTS), np.float32)
    prior = np.empty(count)
    ones = np.ones(1)
    for label in range(count):
        learner = OnlineLogistic(np.zeros(1), np.ones(1), [tables[label]], [_RATE])
        for _ in range(_ROUNDS):
            for bag, own in zip(bags, labels, strict=True):
                learner.learn(ones, [bag.slots.astype(np.int32)], float(own == label))
        prior[label] = learner.weights[0]
    return _Sums(tables.astype(np.float64), prior)
