"""The answers of a judge for pages whose labels are known, and how good these answers are.

Pages may be a sample: each has a weight, which is how many pages it stands for. All measures are shares of 1.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

_BINS: Final = 10
_Numbers = npt.NDArray[np.float64]


class Bin(NamedTuple):
    """Pages with nearly the same score."""

    said: float  # their mean score
    true: float  # the share of them that belongs
    weight: float


class Answers(NamedTuple):
    scores: _Numbers
    belongs: npt.NDArray[np.bool_]
    weights: _Numbers

    @property
    def share(self) -> float:
        """Returns the share of pages that belong."""
        return _mean(self.belongs, self.weights)

    def bins(self) -> list[Bin]:
        """Sorts the pages into ten bins of equal width and leaves out the empty ones."""
        places = np.minimum((self.scores * _BINS).astype(int), _BINS - 1)
        found = [places == place for place in np.unique(places)]
        return [
            Bin(
                _mean(self.scores[one], self.weights[one]),
                _mean(self.belongs[one], self.weights[one]),
                float(self.weights[one].sum()),
            )
            for one in found
        ]

    def calibration_error(self) -> float:
        """Returns how far the scores are from the shares that belong, on average over the pages."""
        bins = self.bins()
        return sum(one.weight * abs(one.said - one.true) for one in bins) / sum(one.weight for one in bins)

    def brier(self) -> float:
        return _mean((self.scores - self.belongs) ** 2, self.weights)

    def auc(self) -> float:
        """Returns the chance that a page that belongs has a higher score than one that does not; ties count half."""
        others = np.argsort(self.scores[~self.belongs])
        scores, weights = self.scores[~self.belongs][others], self.weights[~self.belongs][others]
        below = np.concatenate([[0.0], np.cumsum(weights)])
        asked = self.scores[self.belongs]
        passed = below[np.searchsorted(scores, asked, "left")] + below[np.searchsorted(scores, asked, "right")]
        return float(passed.mean() / 2 / below[-1])

    def precision(self, threshold: float) -> float:
        """Returns the share of the pages above the threshold that belong; 0 where there are none."""
        taken = self.scores >= threshold
        return _mean(self.belongs[taken], self.weights[taken]) if taken.any() else 0.0

    def recall(self, threshold: float) -> float:
        return _mean(self.scores[self.belongs] >= threshold, self.weights[self.belongs])


def pool(answers: Iterable[Answers]) -> Answers:
    """Puts several sets of answers together."""
    several: Sequence[Answers] = tuple(answers)
    return Answers(*(np.concatenate(parts) for parts in zip(*several, strict=True)))


def _mean(values: npt.NDArray[np.bool_] | _Numbers, weights: _Numbers) -> float:
    return float(np.average(values, weights=weights))
