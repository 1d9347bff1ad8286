"""Turns an advantage into a probability, without a threshold that somebody has to choose.

The samples show which advantages pages have that belong: each sample is judged by a model of the others, so that none
is judged by a model that was trained on it; a normal distribution (`Bell`) is fitted to them. The pages seen are a
mixture of such pages and all others. The advantages of others are around a mode that depends mainly on the size of the
samples, with a long tail upwards, which are the neighbouring topics (`Tail`). Expectation maximisation finds this
distribution, and the share of the pages seen that belong. A page's score is the probability that it belongs, by the two
distributions and this share.

The prior values, and the number of pages that they count for, were measured with `bench calibration` on an encyclopedia. They
stabilise the estimates if few pages were seen, or if nearly all of them belong.

Invariants: the score rises with the advantage, and is strictly between 0 and 1.
"""

from collections.abc import Sequence
from math import log10, pi, sqrt
from typing import Final, NamedTuple

import msgspec
import numpy as np

from opilio.core.sigmoid import SUREST, sigmoids

from .advantage import LEAST, Values

_PRIOR_WIDTH: Final = 0.1  # prior width of the distribution of the samples' advantages …
_PRIOR_PERPLEXITY_WIDTH: Final = 0.15  # … and of their perplexities, as powers of ten
_WIDTH_PRIOR_SAMPLES: Final = 3  # samples that these priors count for
_PRIOR_WORDS: Final = 15_000  # with this many words in the samples, the others' advantages are around 0 …
_MODE_GROWTH: Final = 0.1  # … and this much higher with ten times as many
_SAMPLE_GROWTH: Final = 0.2  # by how much the advantages of pages that belong rise with ten times the samples
_CLOSENESS: Final = 0.2  # distance of texts of one kind from the others, as a share of that of pieces of one text
_PRIOR_SCALE: Final = 0.035
_LOWEST_SCALES: Final = 3  # in scales below the prior mode; values farther below are clipped
_LEAST_DISTANCE: Final = 0.6  # least distance of the others' mode below the bell's mean, in widths of the bell
_TAIL_PRIOR_PAGES: Final = 30  # pages that the prior mode and scale count for
_PRIOR_SHARE: Final = 1 / 8
_SHARE_PRIOR_PAGES: Final = 8
_FIRST_SHARE: Final = 0.2
_STEPS: Final = 40
_EULER: Final = 0.5772  # distance from the mode of a tail to its mean, in scales
_TAIL_VARIANCE: Final = pi**2 / 6  # variance of a tail, in squared scales


class Samples(NamedTuple):
    words: int
    texts: int  # 0: none of them was held out


class Bell(msgspec.Struct, frozen=True):
    """A normal distribution."""

    mean: float
    width: float

    def log(self, values: Values) -> Values:
        logs: Values = -0.5 * ((values - self.mean) / self.width) ** 2 - np.log(self.width * sqrt(2 * pi))
        return logs


class Tail(msgspec.Struct, frozen=True):
    """A Gumbel distribution: steep below its mode, long above."""

    mode: float
    scale: float

    def log(self, values: Values) -> Values:
        away = (values - self.mode) / self.scale
        logs: Values = -away - np.exp(-away) - np.log(self.scale)
        return logs


class Calibration(msgspec.Struct, frozen=True):
    belonging: Bell  # advantages of pages that belong
    others: Tail
    share: float  # share of the pages seen that belong
    pages: int = 0  # number of pages seen when it was made

    def probability(self, advantage: float) -> float:
        return float(self.probabilities(np.array([advantage]))[0])

    def probabilities(self, advantages: Values) -> Values:
        """Treats both densities as flat beyond their modes, above that of the pages that belong and below that of the
        others, so that their ratio rises everywhere."""
        near = self.belonging.log(np.minimum(advantages, self.belonging.mean))
        far = self.others.log(np.maximum(advantages, self.others.mode))
        odds = near - far + np.log(self.share / (1 - self.share))
        return sigmoids(odds, SUREST)


def first_calibration(powers: Sequence[float]) -> Calibration:
    """Makes the calibration before any page is seen: from perplexities as powers of ten, negated to serve as
    advantages."""
    bell = _bell_of_perplexities(powers)
    return Calibration(bell, Tail(bell.mean - 3 * bell.width, bell.width), _FIRST_SHARE)


def calibrate(held_out: Values, met: Values, samples: Samples, pages: int) -> Calibration:
    """Fits to the advantages of held-out samples and of pages seen (`met`); `pages` is the number of all pages seen."""
    usual = max(LEAST, _MODE_GROWTH * log10(max(samples.words, 1) / _PRIOR_WORDS))
    bell = _bell(_corrected(held_out, samples.texts, usual), _PRIOR_WIDTH)
    fit = Calibration(bell, _tail(met[:0], met[:0], usual, bell), _FIRST_SHARE, pages)
    for _ in range(_STEPS):
        others = 1 - fit.probabilities(met)
        belong = len(met) - float(others.sum())
        share = (belong + _SHARE_PRIOR_PAGES * _PRIOR_SHARE) / (len(met) + _SHARE_PRIOR_PAGES)
        fit = msgspec.structs.replace(fit, others=_tail(met, others, usual, bell), share=share)
    return fit


def _corrected(held_out: Values, texts: int, usual: float) -> Values:
    """Corrects for what a model of all samples would add, and for pieces of one text being too similar to each
    other."""
    if texts == 1:
        return held_out - (1 - _CLOSENESS) * (float(held_out.mean()) - usual)
    return held_out + _SAMPLE_GROWTH * log10(texts / (texts - 1)) if texts else held_out


def _bell_of_perplexities(powers: Sequence[float]) -> Bell:
    return _bell(-np.array(powers), _PRIOR_PERPLEXITY_WIDTH)


def _bell(values: Values, usual: float) -> Bell:
    """Fits a bell with a prior for the width, because the values of five samples can be close to each other by
    chance."""
    mean = float(values.mean())
    squares = float(((values - mean) ** 2).sum()) + _WIDTH_PRIOR_SAMPLES * usual**2
    return Bell(mean, sqrt(squares / (len(values) - 1 + _WIDTH_PRIOR_SAMPLES)))


def _tail(values: Values, weights: Values, usual: float, belonging: Bell) -> Tail:
    """Fits a tail by moments. Values are clipped, because the very best and the very worst pages must not matter."""
    values = values.clip(usual - _LOWEST_SCALES * _PRIOR_SCALE, belonging.mean)
    total = float(weights.sum()) + _TAIL_PRIOR_PAGES
    mean = (float((weights * values).sum()) + _TAIL_PRIOR_PAGES * (usual + _EULER * _PRIOR_SCALE)) / total
    squares = float((weights * (values - mean) ** 2).sum()) / _TAIL_VARIANCE + _TAIL_PRIOR_PAGES * _PRIOR_SCALE**2
    scale = sqrt(squares / total)
    return Tail(min(mean - _EULER * scale, belonging.mean - _LEAST_DISTANCE * belonging.width), scale)
