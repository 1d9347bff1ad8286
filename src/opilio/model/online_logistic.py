"""Logistic regression learned one example at a time, from a few dense signals with prior weights, and many tokens.

Dense weights have a normal distribution. An example moves it by one step of Newton's method, so that weights of
frequent signals move little and those of rare ones move much (an extended Kalman filter for logistic regression). Its
variance says how uncertain a score is. A token's weight starts at 0 and moves by AdaGrad, on what the dense signals
leave unexplained.

Targets are probabilities, not only 0 and 1. Invariant: weights depend only on the examples, in their order.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Tokens = NDArray[np.int32]
_LEAST_VARIANCE: Final = 0.02  # variance of a verdict, because no example is certain


class OnlineLogistic:
    def __init__(self, weights: Vector, doubts: Vector, tables: Sequence[int], rates: Sequence[float]) -> None:
        """`doubts` are the standard deviations of the weights, `tables` says how many tokens each kind may have, and
        `rates` how fast each kind learns; 0 leaves it out."""
        self.weights = weights.copy()
        self.covariance = np.diag(doubts**2)
        self.tokens = [np.zeros(size, np.float32) for size in tables]
        self._squares = [np.ones(size, np.float32) for size in tables]
        self._rates = tuple(map(float, rates))

    def learn(self, signals: Vector, tokens: Sequence[Tokens], target: float) -> float:
        """Learns from an example, and returns the probability that was expected before."""
        from .kernels.logistic import step  # noqa: PLC0415  (numba: half a second)

        kinds = tuple(zip(self.tokens, self._squares, strict=True))
        example = (signals, kinds, tuple(tokens), self._rates)
        return float(step(self.weights, self.covariance, *example, target, _LEAST_VARIANCE))

    def doubts(self, lines: Vector) -> Vector:
        """Returns the standard deviations of the log odds of many examples, by the dense weights; they are always above
        0."""
        variances: Vector = ((lines @ self.covariance) * lines).sum(axis=1)
        return np.sqrt(np.maximum(variances, 1e-6))

    def state(self) -> dict[str, Any]:
        """Returns everything learned, without tokens that have never been seen."""
        kinds = []
        for table, squares in zip(self.tokens, self._squares, strict=True):
            places = np.flatnonzero((squares != 1.0) | (table != 0.0)).astype(np.int32)
            kinds.append([places.tobytes(), table[places].tobytes(), squares[places].tobytes()])
        return {"weights": self.weights.tobytes(), "covariance": self.covariance.tobytes(), "tokens": kinds}

    def restore(self, state: dict[str, Any]) -> None:
        size = len(self.weights)
        self.weights = np.frombuffer(state["weights"], np.float64).copy()
        self.covariance = np.frombuffer(state["covariance"], np.float64).reshape(size, size).copy()
        for table, squares, (places, values, sums) in zip(self.tokens, self._squares, state["tokens"], strict=True):
            at = np.frombuffer(places, np.int32)
            table[at], squares[at] = np.frombuffer(values, np.float32), np.frombuffer(sums, np.float32)

    def inherit(self, state: dict[str, Any]) -> None:
        """Takes over the weights of another learner, but keeps its own prior variances, so that they can still
        change."""
        self.weights = np.frombuffer(state["weights"], np.float64).copy()
        for table, rate, (places, values, _) in zip(self.tokens, self._rates, state["tokens"], strict=True):
            if rate:
                table[np.frombuffer(places, np.int32)] = np.frombuffer(values, np.float32)


def probability(log_odds: float) -> float:
    from .kernels.logistic import probability as of_odds  # noqa: PLC0415

    return float(of_odds(log_odds))
