"""A probability learned one example at a time, from a few dense signals whose weights have prior beliefs, and from many tokens.

Dense weights have a normal distribution. An example moves it by one step of Newton's method, so that what was often seen moves
little and what was rarely seen moves much (an extended Kalman filter for logistic regression). The variance says how
uncertain a score is. A token's weight starts at 0 and moves by AdaGrad, on what the dense signals leave unexplained.

Targets are probabilities, not only 0 and 1. Invariant: weights depend only on the examples, in their order.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from .kernels.logistic import probability as of_odds
from .kernels.logistic import step

Vector = NDArray[np.float64]
Tokens = NDArray[np.int32]
Table = NDArray[np.float32]
_LEAST_VARIANCE: Final = 0.02  # of an example: none is certain
_WEIGHT_BYTES: Final = 8


class LearnerState(msgspec.Struct, frozen=True):
    weights: bytes
    covariance: bytes
    tokens: list[tuple[bytes, bytes, bytes]]  # by kind: places of those seen, their weights, and their squares

    @property
    def size(self) -> int:
        """Returns how many dense weights there are."""
        return len(self.weights) // _WEIGHT_BYTES


class OnlineLogistic:
    def __init__(self, weights: Vector, doubts: Vector, tokens: Sequence[Table], rates: Sequence[float]) -> None:
        """`doubts` are the standard deviations of the weights. `tokens` has a table for each kind of tokens, in which their
        weights are learned in place. `rates` says how fast each kind learns; 0 leaves it out."""
        self.weights: Final = weights.copy()
        self.covariance: Final = np.diag(doubts**2)
        self.tokens: Final = tuple(tokens)
        self._squares = [np.ones(len(table), np.float32) for table in tokens]
        self._rates = tuple(map(float, rates))

    def learn(self, signals: Vector, tokens: Sequence[Tokens], target: float) -> float:
        """Returns the probability that was expected."""
        kinds = tuple(zip(self.tokens, self._squares, strict=True))
        example = (signals, kinds, tuple(tokens), self._rates)
        return float(step(self.weights, self.covariance, *example, target, _LEAST_VARIANCE))

    def doubts(self, lines: Vector) -> Vector:
        """Returns the standard deviations of the log odds of many examples, by the dense weights; never quite 0."""
        variances: Vector = ((lines @ self.covariance) * lines).sum(axis=1)
        return np.sqrt(np.maximum(variances, 1e-6))

    def state(self) -> LearnerState:
        kinds = []
        for table, squares in zip(self.tokens, self._squares, strict=True):
            places = np.flatnonzero((squares != 1.0) | (table != 0.0)).astype(np.int32)
            kinds.append((places.tobytes(), table[places].tobytes(), squares[places].tobytes()))
        return LearnerState(self.weights.tobytes(), self.covariance.tobytes(), kinds)

    def restore(self, state: LearnerState) -> None:
        self.weights[:] = np.frombuffer(state.weights, np.float64)
        self.covariance[:] = np.frombuffer(state.covariance, np.float64).reshape(self.covariance.shape)
        for table, squares, (places, values, sums) in zip(self.tokens, self._squares, state.tokens, strict=True):
            at = np.frombuffer(places, np.int32)
            table[at], squares[at] = np.frombuffer(values, np.float32), np.frombuffer(sums, np.float32)

    def inherit(self, state: LearnerState) -> None:
        """Takes over the weights of another learner. They are believed no more firmly than this one's own before learning."""
        self.weights[:] = np.frombuffer(state.weights, np.float64)
        for table, rate, (places, values, _) in zip(self.tokens, self._rates, state.tokens, strict=True):
            if rate:
                table[np.frombuffer(places, np.int32)] = np.frombuffer(values, np.float32)


def probability(log_odds: float) -> float:
    return float(of_odds(log_odds))
