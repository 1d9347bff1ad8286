"""From a perplexity to a probability, without a threshold that anybody has set.

Two questions are asked of a page. What is its perplexity under the domain's model? And what would one expect of any page whose
words are as common as these? The expectation is a straight line over the perplexity under a model of single words that was
trained on pages met so far. What counts is the *advantage*: by how many powers of ten the page is better than expected.

The samples say what the advantage of a page that belongs looks like: each is judged by a model of the others, so that none
is judged by what it taught. The pages met are a mixture of such pages and all others; how many of them belong, and where the
others lie, is what expectation maximisation finds. A page's score is the probability, by these two bells, that it belongs.

Invariants: the score rises with the advantage, and lies strictly between 0 and 1.
"""

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import Final

import msgspec
import numpy as np

_NARROWEST: Final = 0.05  # of a bell, in powers of ten: five samples can lie together by chance
_WEIGHT_OF_USUAL: Final = 3.0  # samples that the usual width counts for
_USUAL_WIDTH: Final = 0.15
_APART: Final = 1.0  # how many widths the others' bell lies below the samples' at least
_FAR: Final = 6.0
_STEPS: Final = 60
_LEAST_FOR_LINE: Final = 8
_STEEPEST: Final = 2.0


class Bell(msgspec.Struct, frozen=True):
    mean: float
    width: float

    def density(self, value: float) -> float:
        return exp(-0.5 * ((value - self.mean) / self.width) ** 2) / (self.width * sqrt(2 * pi))


class Calibration(msgspec.Struct, frozen=True):
    """All perplexities as powers of ten."""

    belonging: Bell  # advantages of pages that belong
    others: Bell
    share: float  # of the pages met that belong
    base: float  # the perplexity that is expected …
    slope: float  # … and how it rises with the perplexity under the background
    pages: int = 0  # met, that it was made from

    def expected(self, background: float) -> float:
        return self.base + self.slope * background

    def advantage(self, perplexity: float, background: float) -> float:
        return self.expected(background) - perplexity

    def probability(self, advantage: float) -> float:
        """One common width makes it rise with the advantage; with two of them a page could be too good to belong."""
        near, far = self.belonging, self.others
        variance = (near.width**2 + far.width**2) / 2
        odds = (near.mean - far.mean) / variance * (advantage - (near.mean + far.mean) / 2)
        odds += log(self.share / (1 - self.share))
        return 1 / (1 + exp(-min(max(odds, -30.0), 30.0)))

    def needed(self, threshold: float) -> float:
        """The advantage at which the probability is the threshold."""
        low, high = self.others.mean - 10, self.belonging.mean + 10
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.probability(middle) < threshold else (low, middle)
        return high


def first_calibration(held_out: Sequence[float]) -> Calibration:
    """Before any page is met: what is as far from the samples as they are from each other is in doubt."""
    bell = _bell(-np.array(held_out))
    others = Bell(bell.mean - 3 * bell.width, bell.width)
    return Calibration(bell, others, 0.5, 0.0, 0.0)


def calibrate(held_out: "Pairs", others: "Pairs", met: "Pairs", pages: int) -> Calibration:
    """All as pairs of perplexities (domain, background): the samples, each by a model of the others; pages met that seem
    not to belong, which draw the line; and all pages met."""
    base, slope = _line(others)
    belonging = _bell(base + slope * held_out[:, 1] - held_out[:, 0])
    advantages = base + slope * met[:, 1] - met[:, 0]
    bell, share = _separate(advantages, belonging)
    return Calibration(belonging, bell, share, base, slope, pages)


Pairs = np.ndarray[tuple[int, int], np.dtype[np.float64]]
_Values = np.ndarray[tuple[int], np.dtype[np.float64]]


def _bell(values: _Values) -> Bell:
    """The width leans on the usual one as long as there are few values."""
    mean = float(values.mean())
    squares = float(((values - mean) ** 2).sum()) + _WEIGHT_OF_USUAL * _USUAL_WIDTH**2
    return Bell(mean, max(_NARROWEST, sqrt(squares / (len(values) - 1 + _WEIGHT_OF_USUAL))))


def _line(met: Pairs) -> tuple[float, float]:
    domain, background = met[:, 0], met[:, 1]
    spread = float(background.var())
    if len(met) < _LEAST_FOR_LINE or spread < 1e-9:
        return float(domain.mean()), 0.0
    slope = float(((background - background.mean()) * (domain - domain.mean())).mean()) / spread
    slope = min(max(slope, 0.0), _STEEPEST)
    return float(domain.mean()) - slope * float(background.mean()), slope


def _separate(advantages: _Values, belonging: Bell) -> tuple[Bell, float]:
    """The bell of the pages that do not belong, and the share of those that do. A page cannot be too good (a sample that was
    met again is perfect), nor does it matter how far away the far ones are (another language is)."""
    advantages = advantages.clip(belonging.mean - _FAR * belonging.width, belonging.mean)
    highest = belonging.mean - _APART * belonging.width
    below = advantages[advantages < highest]
    others = _bell(below) if len(below) > 1 else Bell(belonging.mean - 3 * belonging.width, belonging.width)
    share = 0.1
    for _ in range(_STEPS):
        here = share * _densities(advantages, belonging)
        there = (1 - share) * _densities(advantages, others)
        mine = here / (here + there + 1e-300)
        share = (float(mine.sum()) + 0.5) / (len(advantages) + 10)
        others = _weighted_bell(advantages, 1 - mine, highest)
    return others, share


def _weighted_bell(values: _Values, weights: _Values, highest: float) -> Bell:
    total = float(weights.sum()) + 1e-9
    mean = float((weights * values).sum()) / total
    squares = float((weights * (values - mean) ** 2).sum()) + _WEIGHT_OF_USUAL * _USUAL_WIDTH**2
    return Bell(min(mean, highest), max(_NARROWEST, sqrt(squares / (total + _WEIGHT_OF_USUAL))))


def _densities(values: _Values, bell: Bell) -> _Values:
    return np.exp(-0.5 * ((values - bell.mean) / bell.width) ** 2) / bell.width
