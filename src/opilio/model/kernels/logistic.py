"""One step of `online_logistic`: what was expected of an example, and how it moves the weights."""

import numpy as np
from numba import njit


@njit(cache=True)
def total(table, places):
    found = 0.0
    for place in places:
        found += table[place]
    return found


@njit(cache=True)
def believe(weights, covariance, signals, miss, variance):
    """Newton's step for the dense weights and for how sure they are."""
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
def adapt(table, squares, places, miss, rate):
    """AdaGrad's step for tokens, each of which is there once."""
    for place in places:
        squares[place] += miss * miss
        table[place] += rate * miss / np.sqrt(squares[place])
