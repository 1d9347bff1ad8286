"""Gaussian naive Bayes for two classes, learned one example at a time.

Each feature is a bell for each class, and the bells of a feature have one common width. That makes the log odds a weighted
sum: more of what speaks for a class can never speak against it, as it could where the narrower of two bells ends sooner.

Nothing is kept but counts, means and sums of squares (Welford's recurrence, so that nothing cancels out), which is why an
example costs the same after a million others. The order of examples changes the result only by rounding.
"""

from collections.abc import Sequence
from math import log
from typing import Final

import msgspec

_DOUBT: Final = 5  # examples for which a feature is imagined to vary as much within a class as it does over both
_SMALLEST: Final = 1e-12  # a feature that never varies says nothing, and must not divide by zero


class NaiveBayes(msgspec.Struct):
    """`counts` and `means` are those of the class that does not belong, then of the one that does."""

    counts: list[int]
    means: list[list[float]]
    squares: list[float]  # of the distances to the own class's mean

    @classmethod
    def untrained(cls, features: int) -> "NaiveBayes":
        return cls([0, 0], [[0.0] * features, [0.0] * features], [0.0] * features)

    def learn(self, example: Sequence[float], *, belongs: bool) -> None:
        self.counts[belongs] += 1
        means = self.means[belongs]
        for place, value in enumerate(example):
            distance = value - means[place]
            means[place] += distance / self.counts[belongs]
            self.squares[place] += distance * (value - means[place])

    def weights(self) -> tuple[list[float], float]:
        """What each feature counts, and what is added to their sum: the log odds are linear in the features."""
        out, belonging = self.counts
        prior = log((belonging + 1) / (out + 1))
        if not out or not belonging:
            return [0.0] * len(self.squares), prior
        total = out + belonging
        pairs = list(zip(*self.means, strict=True))
        between = [out * belonging / total**2 * (high - low) ** 2 for low, high in pairs]
        variances = [
            (square + _DOUBT * (square / total + apart)) / (total + _DOUBT) + _SMALLEST
            for square, apart in zip(self.squares, between, strict=True)
        ]
        weights = [(high - low) / variance for (low, high), variance in zip(pairs, variances, strict=True)]
        middle = sum(weight * (low + high) / 2 for weight, (low, high) in zip(weights, pairs, strict=True))
        return weights, prior - middle
