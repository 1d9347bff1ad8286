"""How sure a mean is: 95 % intervals, and a paired test. Pure arithmetic, and always the same for the same values.

* The interval is that of Student's t: mean ± t × standard error. It holds for a few values only if they are roughly
  normal, and says nothing about a single one.
* The test flips signs: if two recipes were equally good, each difference between them might as well have had the other
  sign. p is the share of all ways of choosing signs that give a mean as far from 0 as the one that was found, on either
  side. With up to `_EXACT` differences all ways are tried; with more, `_DRAWS` of them are drawn, and the one that was
  found counts as one more. With n differences p cannot be less than 2 / 2ⁿ: below six it never reaches 0.05.
"""

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Final

import numpy as np

_EXACT: Final = 14
_DRAWS: Final = 20_000
_NORMAL: Final = 1.959964  # 97.5 % of a normal distribution are below it
_STUDENT: Final = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)  # 1 to 10 degrees
_ALIKE: Final = 1e-12  # sums that differ by less are the same, whatever the order of their terms


def standard_error(values: Sequence[float]) -> float | None:
    return stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None


def half_width(values: Sequence[float]) -> float | None:
    """Returns half the width of the 95 % interval of the mean, or None if there is just one value."""
    error = standard_error(values)
    return None if error is None else student(len(values) - 1) * error


def student(freedom: int) -> float:
    """Returns the 97.5 % quantile of Student's t: from a table, or by its expansion, which is exact to 0.001 from 11 on."""
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z = _NORMAL
    terms = (z, (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return math.fsum(term / freedom**power for power, term in enumerate(terms))


def flip_signs(differences: Sequence[float]) -> float:
    """Returns p of the differences, whose mean would be 0 if there were none."""
    values = np.abs(np.asarray(differences, np.float64))
    found = abs(fmean(differences)) * len(values) - _ALIKE
    if len(values) <= _EXACT:
        ways = (np.arange(2 ** len(values))[:, None] >> np.arange(len(values))) & 1
        return float((np.abs((2 * ways - 1) @ values) >= found).mean())
    draws = np.random.default_rng(0).integers(0, 2, (_DRAWS, len(values)), np.int8)
    as_far = np.abs((2 * draws - 1) @ values) >= found
    return float((as_far.sum() + 1) / (_DRAWS + 1))
