"""Gaussian naive Bayes for two classes, learned one example at a time.

Each feature has a normal distribution in each class, with the same variance in both. That makes the log odds a weighted
sum of the features, so that a feature which speaks for a class always speaks more for it the larger it is. With two
variances, very large values would speak for the class with the larger one.

Only counts, means and sums of squares are kept (by Welford's recurrence, which avoids cancellation), so an example
costs the same after a million others. The order of examples changes the result only by rounding.
"""

from collections.abc import Sequence
from math import log
from typing import Final

import msgspec

_PRIOR_EXAMPLES: Final = 5  # imagined examples in which a feature varies as much within a class as over both
_LEAST_VARIANCE: Final = 1e-12  # avoids a division by zero for a feature that never varies


class NaiveBayes(msgspec.Struct):
    """`counts` and `means` hold first the class of examples that do not belong, then the class of those that do."""

    counts: list[int]
    means: list[list[float]]
    squares: list[float]  # sums of squared distances to the mean of the example's class

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
        """Returns the weights of the features and the constant: the log odds are linear in the features."""
        out, belonging = self.counts
        prior = log((belonging + 1) / (out + 1))
        if not out or not belonging:
            return [0.0] * len(self.squares), prior
        total = out + belonging
        pairs = list(zip(*self.means, strict=True))
        between = [out * belonging / total**2 * (high - low) ** 2 for low, high in pairs]
        variances = [
            (square + _PRIOR_EXAMPLES * (square / total + apart)) / (total + _PRIOR_EXAMPLES) + _LEAST_VARIANCE
            for square, apart in zip(self.squares, between, strict=True)
        ]
        weights = [(high - low) / variance for (low, high), variance in zip(pairs, variances, strict=True)]
        middle = sum(weight * (low + high) / 2 for weight, (low, high) in zip(weights, pairs, strict=True))
        return weights, prior - middle
