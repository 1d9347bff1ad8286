"""Learners that take the place of the learned lead's own, to see what that one is worth.

Rule: each holds what the lead's learner holds, in the same arrays, and differs in how an example moves them. So the
lead measures and ranks links as it always does.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from msgspec.structs import replace

from opilio.core.items import Target
from opilio.lead import Judged, Stale
from opilio.lead.learned import Learned
from opilio.lead.learned.signals import TRUST
from opilio.model.online_logistic import OnlineLogistic, Tokens, Vector, probability

_RATE: Final = 0.1  # of AdaGrad, in log odds for a signal of usual strength; the best of 0.05, 0.1 and 0.2 by log loss

Exchange = Callable[[OnlineLogistic], OnlineLogistic]


class Successor(OnlineLogistic):
    """Takes over the arrays of a learner, of which the lead has views."""

    def __init__(self, own: OnlineLogistic) -> None:
        vars(self).update(vars(own))


class Frozen(Successor):
    """Never learns: it keeps the weights that it began with."""

    def learn(self, signals: Vector, tokens: Sequence[Tokens], target: float) -> float:  # noqa: ARG002
        return probability(float(signals @ self.weights))


class AdaGrad(Successor):
    """Learns tokens as before. A signal's steps become smaller the more it has moved, in units of what is usual for it,
    regardless of what the other signals have done."""

    def __init__(self, own: OnlineLogistic) -> None:
        super().__init__(own)
        self._units = np.sqrt(np.diag(own.covariance)) / TRUST
        self._squares_of_signals = np.ones_like(self._units)

    def learn(self, signals: Vector, tokens: Sequence[Tokens], target: float) -> float:
        kept = self.weights.copy()
        expected = super().learn(signals, tokens, target)
        slopes = (target - expected) * signals * self._units
        self._squares_of_signals += slopes**2
        self.weights[:] = kept + _RATE * slopes / np.sqrt(self._squares_of_signals) * self._units
        return expected


def unbelieving(wider: float) -> Exchange:
    """Sets all weights to 0 and multiplies the widths of their priors by a factor."""

    def exchange(own: OnlineLogistic) -> OnlineLogistic:
        own.weights[:] = 0.0
        own.covariance[:] *= wider**2
        return own

    return exchange


class Exchanged(Learned):
    """The lead with another learner. `hard`: the learner is told whether pages belong, but not how much."""

    def __init__(
        self, samples: Sequence[str], languages: Sequence[str], exchange: Exchange, *, hard: bool, **options: object
    ) -> None:
        super().__init__(samples, languages, **options)  # type: ignore[arg-type]  # as the settings have them
        self._learner = exchange(self._learner)
        self._hard = hard

    def score(self, targets: Sequence[Target]) -> Sequence[float]:
        return super().score([_hardened(target) for target in targets] if self._hard else targets)

    def learn(self, judged: Judged) -> Stale:
        return super().learn(_decided(judged) if self._hard else judged)


def _hardened(target: Target) -> Target:
    sightings = (replace(each, parent_score=float(each.parent_belongs)) for each in target.sightings)
    return target._replace(sightings=tuple(sightings))


def _decided(judged: Judged) -> Judged:
    verdict = replace(judged.verdict, score=float(judged.verdict.belongs))
    return judged._replace(target=_hardened(judged.target), verdict=verdict)
