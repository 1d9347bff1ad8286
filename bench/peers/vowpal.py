"""Vowpal Wabbit as the learner of the learned lead: the same signals and the same hashed tokens, its own updates.

It begins with the lead's beliefs, which it is given with every example as the prediction to start from, and learns what
is to be added. Signals are given in units of their usual spread, which it needs more than we do. Verdicts are graded:
its logistic loss takes labels between −1 and 1. Its models are linear, so weights are read back after each example, and
links are measured with them as usual.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from vowpalwabbit import Workspace

from bench.ablation_learner import Successor
from opilio.lead.learned.signals import TRUST
from opilio.model.online_logistic import OnlineLogistic, Tokens, Vector, probability

_BITS: Final = 20  # room for all tokens without a clash
_COMMON_ARGUMENTS: Final = f"--quiet --loss_function logistic --noconstant --bit_precision {_BITS}"
_LEAST_SIGNAL: Final = 1e-3  # a signal below this is rounding, and would spoil the scales that Vowpal Wabbit estimates


class Vowpal(Successor):
    def __init__(self, own: OnlineLogistic, arguments: str) -> None:
        super().__init__(own)
        self._workspace = Workspace(f"{_COMMON_ARGUMENTS} {arguments}")
        self._beliefs = own.weights.copy()
        self._units = np.sqrt(np.diag(own.covariance)) / TRUST
        self._starts = [len(own.weights)]
        for table in own.tokens[:-1]:
            self._starts.append(self._starts[-1] + len(table))

    def learn(self, signals: Vector, tokens: Sequence[Tokens], target: float) -> float:
        own = sum(float(table[some].sum()) for table, some in zip(self.tokens, tokens, strict=True))
        expected = probability(float(signals @ self.weights) + own)
        values = signals * self._units
        places = np.flatnonzero(np.abs(values) >= _LEAST_SIGNAL)
        features = list(zip(places.tolist(), values[places].tolist(), strict=True))
        for start, some in zip(self._starts, tokens, strict=True):
            features += [(start + token, 1.0) for token in some.tolist()]
        example = self._workspace.example({"f": features})
        example.set_label_string(f"{2.0 * target - 1.0} 1 {float(signals @ self._beliefs)}")
        self._workspace.learn(example)
        self._workspace.finish_example(example)
        self._read_back(places.tolist(), tokens)
        return expected

    def _read_back(self, places: Sequence[int], tokens: Sequence[Tokens]) -> None:
        weight = self._workspace.get_weight
        for place in places:
            self.weights[place] = self._beliefs[place] + weight(place) * self._units[place]
        for start, table, some in zip(self._starts, self.tokens, tokens, strict=True):
            table[some] = [weight(start + token) for token in some.tolist()]
