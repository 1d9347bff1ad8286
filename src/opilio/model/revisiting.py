"""Which pages to visit again, so that a collection is as fresh as a budget allows.

A page with the rate r that is visited f times by unit of time is fresh for the share F = f / r (1 - exp(-r / f)) of the time. The
sum over all pages is highest where one more visit would gain equally much everywhere (Cho & Garcia-Molina 2003). That gain is
the Lagrange multiplier of the budget. A page that changes so fast that even the first visit would gain less is given up.

A visit after the time t gains (1 - exp(-rt) (1 + rt)) / r of fresh time, which rises with t. Whoever always visits the pages
that gain most keeps to the best division, without looking at the calendar, and whenever visits happen to be possible. Rates are
believed in, not known (`ChangeRates`), so the expected gain counts.

Visits also teach. Of a page that is always found changed, nobody knows whether it changes once or ten times between two visits,
and without a visit at a shorter interval nobody will. So every page has a *trial*: two visits, each after the interval from which
most would be learned. What its answers gain is how much fresher the page would be if it were visited by what is believed then,
less what visits cost, for a horizon that shrinks as pages become known (`_HORIZON_VISITS`, `_FAMILIAR_VISITS`). A visit is worth
what it gains by itself, or, if that is more, what it gains in the mean of a trial that it belongs to. A page whose last visit is
too long ago needs one more visit before its trial, which counts among its cost.
"""

from typing import Final

import numpy as np

from .change_rates import ChangeRates, Floats, Grid, Numbers

_FREQUENCIES: Final = 32  # that are considered, the first of which is never
_SPAN: Final = (0.02, 50.0)  # of the others, in mean frequencies
_HORIZON_VISITS: Final = 80.0  # visits of an average page for which an answer is of use, before the first visit
_FAMILIAR_VISITS: Final = 10.0  # visits of an average page after which it is a quarter of that
_HALVINGS: Final = 40
_ANSWERS: Final = 2  # of a trial
_INTERVALS: Final = (0.02, 0.043, 0.093, 0.2, 0.43, 0.93, 2.0, 4.3, 9.3, 20.0)  # of trials, in mean intervals
_LATE: Final = 2.0  # times its interval, after which a trial needs one more visit
_CHUNK: Final = 4096  # pages that are looked at together, so that memory is bounded


class Revisiting:
    """Values visits to pages. `budget` is the number of visits by unit of time."""

    def __init__(self, rates: ChangeRates, budget: float) -> None:
        self._rates = rates
        self._mean = budget / len(rates)
        self._frequencies: Floats = self._mean * np.concatenate(([0.0], np.geomspace(*_SPAN, _FREQUENCIES - 1)))
        self._freshness = freshness(rates.rates[:, None], self._frequencies).astype(np.float32)
        self._visits = 0
        self._trials = np.zeros((len(rates), 3))  # of each page: the interval, its gain, and what is learned
        self._changed = np.ones(len(rates), bool)  # beliefs, since the trials were chosen
        self.price = 0.0
        self.settle()

    def settle(self) -> None:
        """Finds the price of a visit, which is the multiplier, by what is believed now."""
        gains = self._rates.beliefs @ self._freshness
        low, high = 0.0, 1.0 / self._mean
        while self._spent(gains, high) > self._mean * len(gains):
            high *= 2.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._spent(gains, middle) > self._mean * len(gains) else (low, middle)
        self.price = high
        self._changed[:] = True

    def learned(self, pages: Numbers) -> None:
        """Tells which pages were visited, once for each visit: the horizon shrinks, and their trials are chosen anew."""
        self._visits += len(pages)
        self._changed[pages] = True

    def worths(self, ages: Floats) -> Floats:
        """Returns what a visit to each page is worth now, in units of fresh time. `ages` are the times since the last visits."""
        self._choose_trials()
        intervals, gained, taught = self._trials.T
        horizon = _HORIZON_VISITS / (1.0 + self._visits / len(ages) / _FAMILIAR_VISITS) ** 2 / self._mean
        gains = self._gains(ages)
        trials = gained + horizon * taught / _ANSWERS
        late = (gains + _ANSWERS * trials) / (_ANSWERS + 1)
        worths: Floats = np.maximum(gains, np.where(ages < _LATE * intervals, trials, late))
        return np.where(ages < intervals, gains, worths)

    def choose(self, ages: Floats, count: int) -> Numbers:
        """Returns the pages that are most worth a visit, the best first."""
        order: Numbers = np.argsort(-self.worths(ages), kind="stable")
        return order[:count]

    def _gains(self, ages: Floats) -> Floats:
        """Returns the fresh time that a visit to each page is expected to gain now."""
        gains = np.empty(len(ages))
        for start in range(0, len(ages), _CHUNK):
            part = slice(start, start + _CHUNK)
            gains[part] = np.einsum("ij,ij->i", self._rates.beliefs[part], _gain(self._rates.rates, ages[part, None]))
        return gains

    def _choose_trials(self) -> None:
        changed = np.flatnonzero(self._changed)
        for start in range(0, len(changed), _CHUNK):
            pages = changed[start : start + _CHUNK]
            self._trials[pages] = self._best_trials(self._rates.beliefs[pages])
        self._changed[:] = False

    def _best_trials(self, beliefs: Grid) -> Floats:
        """Returns for each page the interval of the trial from which most is learned, what a visit after it gains by itself, and
        by how much the answers would make the page fresher in the long run.

        The values of all answers are sums of three products, because the probability of a change is 1 - `still`."""
        rates = self._rates.rates
        values = (self._freshness - self.price * self._frequencies).astype(np.float32)
        none = beliefs @ values
        best = np.zeros((len(beliefs), 3))
        best[:, 2] = -1.0
        for interval in np.array(_INTERVALS) / self._mean:
            still = np.exp(-rates * interval).astype(np.float32)[:, None]
            one, two = beliefs @ (still * values), beliefs @ (still**2 * values)
            taught = (
                two.max(axis=1) + 2 * (one - two).max(axis=1) + (none - 2 * one + two).max(axis=1) - none.max(axis=1)
            )
            better = taught > best[:, 2]
            gained = beliefs[better] @ _gain(rates, interval)
            best[better] = np.column_stack((np.full(len(gained), interval), gained, taught[better]))
        best[:, 2] = np.maximum(best[:, 2], 0.0)  # less is an error of rounding
        return best

    def _best(self, gains: Grid, price: float) -> Floats:
        best: Floats = self._frequencies[(gains - price * self._frequencies).argmax(axis=1)]
        return best

    def _spent(self, gains: Grid, price: float) -> float:
        return float(self._best(gains, price).sum())


def _gain(rates: Floats, ages: Floats | float) -> Grid:
    """Returns the fresh time that a visit gains after this time."""
    expected: Grid = (rates * ages).astype(np.float32)
    gone: Grid = -np.expm1(-expected)  # as such, since its difference from 1 would be inexact for low rates
    still: Grid = np.float32(1.0) - gone
    gains: Grid = ((gone - still * expected) / rates).astype(np.float32)
    return gains


def freshness(rates: Floats, frequencies: Floats) -> Floats:
    """Returns the share of the time in which a page with this rate is fresh if it is visited at equal intervals."""
    with np.errstate(divide="ignore"):
        return np.where(frequencies > 0.0, -np.expm1(-rates / frequencies) * frequencies / rates, 0.0)
