"""From an advantage to a probability, without a threshold that anybody has set.

The samples say what advantages pages have that belong: each is judged by a model of the others, so that none is judged by what it
taught; a bell is drawn over them. The pages met are a mixture of such pages and all others. Advantages of others lie around a
place that depends on little but the size of the samples, with a long tail upwards, which are the neighbouring topics. Expectation
maximisation finds that place, and how many of the pages met belong. A page's score is the probability, by the two
curves and this share, that it belongs.

What is expected before much is met, and how many pages' worth of evidence it takes to overrule it, was measured with
`bench calibration` on an encyclopedia. It holds the estimates when few pages are met, or when nearly all of them belong.

Invariants: the score rises with the advantage, and lies strictly between 0 and 1.
"""

from collections.abc import Sequence
from math import log10, pi, sqrt
from typing import Final, NamedTuple

import msgspec
import numpy as np

from opilio.core.sigmoid import SUREST, sigmoids

from .advantage import LEAST, Values

_USUAL_WIDTH: Final = 0.1  # of the samples' advantages …
_USUAL_PERPLEXITY_WIDTH: Final = 0.15  # … and of their perplexities, as powers of ten
_WEIGHT_OF_USUAL: Final = 3  # samples that these count for
_WORDS: Final = 15_000  # in the samples: the others lie around 0 …
_RISE: Final = 0.1  # … and so much higher with ten times as many
_LEARNING: Final = 0.2  # what pages that belong gain by ten times the samples
_CLOSENESS: Final = 0.2  # how far above the others texts of one kind are, measured by how far pieces of one text are
_USUAL_SCALE: Final = 0.035
_FAR: Final = 3  # scales below that place; farther away is just as well
_APART: Final = 0.6  # widths of the bell that the others are below its mean at least
_WEIGHT_OF_OTHERS: Final = 30  # pages that both count for
_USUAL_SHARE: Final = 1 / 8
_WEIGHT_OF_SHARE: Final = 8
_FIRST_SHARE: Final = 0.2
_STEPS: Final = 40
_EULER: Final = 0.5772  # from the mode of a tail to its mean, in scales
_VARIANCE: Final = pi**2 / 6  # of a tail, in scales


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
    share: float  # of the pages met that belong
    pages: int = 0  # met, that it was made from

    def probability(self, advantage: float) -> float:
        return float(self.probabilities(np.array([advantage]))[0])

    def probabilities(self, advantages: Values) -> Values:
        """No page is too good to belong, nor so bad that it cannot be one of the others: beyond their summits the curves
        count as flat, which makes their ratio rise everywhere."""
        near = self.belonging.log(np.minimum(advantages, self.belonging.mean))
        far = self.others.log(np.maximum(advantages, self.others.mode))
        odds = near - far + np.log(self.share / (1 - self.share))
        return sigmoids(odds, SUREST)


def first_calibration(powers: Sequence[float]) -> Calibration:
    """Before pages are met there are only perplexities, as powers of ten; with a minus sign they stand in for advantages."""
    bell = bell_of_perplexities(powers)
    return Calibration(bell, Tail(bell.mean - 3 * bell.width, bell.width), _FIRST_SHARE)


def calibrate(held_out: Values, met: Values, samples: Samples, pages: int) -> Calibration:
    """From the advantages of held-out samples and of pages met; `pages` are all that were met, of which these are a part."""
    usual = max(LEAST, _RISE * log10(max(samples.words, 1) / _WORDS))
    bell = _bell(_corrected(held_out, samples.texts, usual), _USUAL_WIDTH)
    fit = Calibration(bell, _tail(met[:0], met[:0], usual, bell), _FIRST_SHARE, pages)
    for _ in range(_STEPS):
        others = 1 - fit.probabilities(met)
        belong = len(met) - float(others.sum())
        share = (belong + _WEIGHT_OF_SHARE * _USUAL_SHARE) / (len(met) + _WEIGHT_OF_SHARE)
        fit = msgspec.structs.replace(fit, others=_tail(met, others, usual, bell), share=share)
    return fit


def _corrected(held_out: Values, texts: int, usual: float) -> Values:
    """By the model of all samples they would have got more; but pieces of one text are too close to each other."""
    if texts == 1:
        return held_out - (1 - _CLOSENESS) * (float(held_out.mean()) - usual)
    return held_out + _LEARNING * log10(texts / (texts - 1)) if texts else held_out


def bell_of_perplexities(powers: Sequence[float]) -> Bell:
    return _bell(-np.array(powers), _USUAL_PERPLEXITY_WIDTH)


def _bell(values: Values, usual: float) -> Bell:
    """The width leans on the usual one as long as there are few values: five samples can lie together by chance."""
    mean = float(values.mean())
    squares = float(((values - mean) ** 2).sum()) + _WEIGHT_OF_USUAL * usual**2
    return Bell(mean, sqrt(squares / (len(values) - 1 + _WEIGHT_OF_USUAL)))


def _tail(values: Values, weights: Values, usual: float, belonging: Bell) -> Tail:
    """By moments. How good the best pages are and how bad the worst, such as those in another language, must not matter."""
    values = values.clip(usual - _FAR * _USUAL_SCALE, belonging.mean)
    total = float(weights.sum()) + _WEIGHT_OF_OTHERS
    mean = (float((weights * values).sum()) + _WEIGHT_OF_OTHERS * (usual + _EULER * _USUAL_SCALE)) / total
    squares = float((weights * (values - mean) ** 2).sum()) / _VARIANCE + _WEIGHT_OF_OTHERS * _USUAL_SCALE**2
    scale = sqrt(squares / total)
    return Tail(min(mean - _EULER * scale, belonging.mean - _APART * belonging.width), scale)
