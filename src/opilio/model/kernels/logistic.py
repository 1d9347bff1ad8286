"""One step of `online_logistic`: the prediction for an example, and how the example moves the weights."""

import numpy as np

from opilio.model.compiling import njit

_STEEPEST = 30.0


@njit(cache=True)
def probability(log_odds):
    return 1.0 / (1.0 + np.exp(-min(max(log_odds, -_STEEPEST), _STEEPEST)))


@njit(cache=True)
def step(weights, covariance, signals, kinds, tokens, rates, target, least):
    """Moves the weights by one example, and returns the probability that was expected. `kinds` are tables of tokens'
    weights, each with its table of squares; `least` is the smallest variance that an example may have."""
    odds = 0.0
    for at in range(len(signals)):
        odds += signals[at] * weights[at]
    for kind in range(len(kinds)):
        for place in tokens[kind]:
            odds += kinds[kind][0][place]
    expected = probability(odds)
    miss = target - expected
    _believe(weights, covariance, signals, miss, max(expected * (1.0 - expected), least))
    for kind in range(len(kinds)):
        _adapt(kinds[kind][0], kinds[kind][1], tokens[kind], miss, rates[kind])
    return expected


@njit(cache=True)
def _believe(weights, covariance, signals, miss, variance):
    """Newton's step for the dense weights and their covariance."""
    pull = np.zeros(len(signals))
    for at in range(len(signals)):
        for k in range(len(signals)):
            pull[at] += covariance[at, k] * signals[k]
    length = 1.0
    for at in range(len(signals)):
        length += variance * signals[at] * pull[at]
    for at in range(len(signals)):
        weights[at] += pull[at] * (miss / length)
        for k in range(len(signals)):
            covariance[at, k] -= pull[at] * pull[k] * (variance / length)


@njit(cache=True)
def _adapt(table, squares, places, miss, rate):
    """AdaGrad's step for tokens, each of which occurs once."""
    for place in places:
        squares[place] += miss * miss
        table[place] += rate * miss / np.sqrt(squares[place])
