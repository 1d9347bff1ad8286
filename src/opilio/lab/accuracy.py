"""Compares verdicts with labels: pure arithmetic over scores, decisions and truth.

* precision, recall and F1 are those of the judge's own line, that is, of what it says belongs. If it keeps nothing, all
  three are 0: a judge that keeps nothing should not look precise.
* best F1: the same at the line that would have been best for these pages. Only somebody who knows the labels can draw it,
  so it says what the scores are worth, apart from the line.
* auc: the probability that a relevant page has a higher score than another page. Equal scores count as a half.
* calibration error: pages are sorted into ten bins by score; the error is the distance between the mean score of a bin and
  the share of its pages that are relevant, weighted by the pages of each bin, in points (hundredths). With few pages,
  chance alone makes such distances, and a mean over topics does not remove them. The *pooled* error, with the pages of all
  runs in the same ten bins, does: there, what is said too high for one topic and too low for another cancels.

Where only a sample of the pages that are not relevant was judged, each of them stands for several (`weight`), and the
figures are estimates of those of all pages.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

_BINS: Final = 10

Flags = NDArray[np.bool_]
Scores = NDArray[np.float64]


class Bin(NamedTuple):
    """Pages with nearly the same score."""

    pages: float
    excess: float  # sum of their scores, without the number of them that are relevant


class Accuracy(msgspec.Struct, frozen=True, kw_only=True):
    judged: int  # pages
    relevant: int  # of these
    kept: int
    kept_relevant: int
    precision: float
    recall: float
    f1: float
    best_f1: float
    best_line: float  # the lowest score that the best line keeps
    auc: float | None  # None: all pages are relevant, or none is
    calibration_error: float  # points
    bins: tuple[Bin, ...]  # ten, from the lowest scores to the highest


def compare(scores: ArrayLike, belongs: ArrayLike, relevant: ArrayLike, weight: float = 1.0) -> Accuracy:
    """Each of the first three has one value for each page, in the same order. A page that is not relevant counts as `weight`
    pages."""
    score, says, is_so = np.asarray(scores, np.float64), np.asarray(belongs, np.bool_), np.asarray(relevant, np.bool_)
    weights = np.where(is_so, 1.0, weight)
    hits, kept, total = int((says & is_so).sum()), float(weights[says].sum()), int(is_so.sum())
    best_f1, best_line = _best(score, is_so, weights)
    bins = _bins(score, is_so, weights)
    return Accuracy(
        judged=len(score),
        relevant=total,
        kept=round(kept),
        kept_relevant=hits,
        precision=_share(hits, kept),
        recall=_share(hits, total),
        f1=_share(2 * hits, kept + total),
        best_f1=best_f1,
        best_line=best_line,
        auc=_auc(score, is_so),
        calibration_error=calibration_error([bins]),
        bins=bins,
    )


def calibration_error(runs: Sequence[tuple[Bin, ...]]) -> float:
    """Returns the error of all pages of these runs together, in points."""
    pages, excess = np.array(runs).sum(0).T
    return 100 * _share(float(np.abs(excess).sum()), float(pages.sum()))


def _best(scores: Scores, relevant: Flags, weights: Scores) -> tuple[float, float]:
    """Tries a line below each distinct score. Returns the best F1 and its line."""
    if not len(scores):
        return 0.0, 1.0
    order = np.argsort(-scores, kind="stable")
    sorted_scores = scores[order]
    last = np.append(sorted_scores[1:] != sorted_scores[:-1], True)  # pages with equal scores are kept together
    f1 = np.where(last, 2 * np.cumsum(relevant[order]) / (np.cumsum(weights[order]) + relevant.sum()), 0.0)
    place = int(np.argmax(f1))
    return float(f1[place]), float(sorted_scores[place])


def _auc(scores: Scores, relevant: Flags) -> float | None:
    good = int(relevant.sum())
    others = len(scores) - good
    if not good or not others:
        return None
    _, group, count = np.unique(scores, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[group]  # from 1; equal scores share the mean of their ranks
    return float((rank[relevant].sum() - good * (good + 1) / 2) / (good * others))


def _bins(scores: Scores, relevant: Flags, weights: Scores) -> tuple[Bin, ...]:
    places = np.minimum((scores * _BINS).astype(int), _BINS - 1)
    pages = np.bincount(places, weights, _BINS).tolist()
    return tuple(map(Bin, pages, np.bincount(places, (scores - relevant) * weights, _BINS).tolist()))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def fields_of(accuracy: Accuracy) -> dict[str, Any]:
    return msgspec.structs.asdict(accuracy)
