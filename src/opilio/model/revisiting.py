"""Which pages to visit again, so that a collection is as fresh as a budget allows.

A page with the rate r that is visited f times by unit of time is fresh for the share F = f / r (1 - exp(-r / f)) of the time. The
sum over all pages is highest where one more visit would gain equally much everywhere (Cho & Garcia-Molina 2003). That gain is
the Lagrange multiplier of the budget. A page that changes so fast that even the first visit would gain less is given up.

A visit after the time t gains (1 - exp(-rt) (1 + rt)) / r of fresh time, which rises with t. Whoever always visits the pages
that gain most keeps to the best division, without looking at the calendar, and whenever visits happen to be possible. Rates are
believed in, not known (`ChangeRates`), so the expected gain counts.

Visits also teach. Of a page that is always found changed, nobody knows whether it changes once or ten times between two visits,
and without a visit at a shorter interval nobody will. So a page's worth is what the visit gains, plus what its answer gains
later: how much fresher the page would be if it were visited by what is believed then, after each answer, less what visits cost.
Answers are looked at one by one and by three. This is counted for a horizon of `_HORIZON_VISITS`, which shrinks as pages become
known (`_HALVING_VISITS`).
"""

from typing import Final

import numpy as np

from .change_rates import ChangeRates, Floats, Grid, Numbers

_FREQUENCIES: Final = 32  # that are considered, the first of which is never
_SPAN: Final = (0.02, 50.0)  # of the others, in mean frequencies
_HORIZON_VISITS: Final = 20.0  # visits of an average page for which an answer is of use, before the first visit
_HALVING_VISITS: Final = 10.0  # visits of an average page after which it is half of that
_HALVINGS: Final = 40
_ANSWERS: Final = 3  # that are looked ahead


class Revisiting:
    """Values visits to pages. `budget` is the number of visits by unit of time."""

    def __init__(self, rates: ChangeRates, budget: float) -> None:
        self._rates = rates
        self._mean = budget / len(rates)
        self._frequencies: Floats = self._mean * np.concatenate(([0.0], np.geomspace(*_SPAN, _FREQUENCIES - 1)))
        self._freshness = freshness(rates.rates[:, None], self._frequencies).astype(np.float32)
        self._visits = 0
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

    def learned(self, visits: int) -> None:
        """Tells how many visits were made, so that the horizon shrinks."""
        self._visits += visits

    def worths(self, ages: Floats) -> Floats:
        """Returns what a visit to each page is worth now, in units of fresh time. `ages` are the times since the last visits."""
        rates = self._rates.rates.astype(np.float32)
        expected: Grid = np.outer(ages.astype(np.float32), rates)
        gone: Grid = -np.expm1(-expected)  # as such, since its difference from 1 would be inexact for low rates
        still: Grid = np.float32(1.0) - gone
        gains = np.einsum("ij,ij->i", self._rates.beliefs, (gone - still * expected) / rates)
        horizon = _HORIZON_VISITS / (1.0 + self._visits / len(ages) / _HALVING_VISITS) / self._mean
        worths: Floats = gains + horizon * self._lessons(still)
        return worths

    def choose(self, ages: Floats, count: int) -> Numbers:
        """Returns the pages that are most worth a visit, the best first."""
        order: Numbers = np.argsort(-self.worths(ages), kind="stable")
        return order[:count]

    def _lessons(self, still: Grid) -> Floats:
        """Returns by how much the answers of one visit, or of three after equal times, would make a page fresher in the long run,
        by visit. One answer alone often changes nothing, although a few together would: a page is given up only after several
        changes in a row.

        The values of all answers are sums of four products, because the probability of a change is 1 - `still`."""
        values = self._freshness - (self.price * self._frequencies).astype(np.float32)
        believed: list[Grid] = [self._rates.beliefs]
        for _ in range(_ANSWERS):
            believed.append(believed[-1] * still)
        none, one, two, three = (grid @ values for grid in believed)
        now = none.max(axis=1)
        after_one = one.max(axis=1) + (none - one).max(axis=1) - now
        after_three = three.max(axis=1) + 3 * (two - three).max(axis=1) + 3 * (one - 2 * two + three).max(axis=1)
        after_three += (none - 3 * one + 3 * two - three).max(axis=1) - now
        lessons: Floats = np.maximum(np.maximum(after_one, after_three / _ANSWERS), 0.0).astype(float)
        return lessons

    def _best(self, gains: Grid, price: float) -> Floats:
        best: Floats = self._frequencies[(gains - price * self._frequencies).argmax(axis=1)]
        return best

    def _spent(self, gains: Grid, price: float) -> float:
        return float(self._best(gains, price).sum())


def freshness(rates: Floats, frequencies: Floats) -> Floats:
    """Returns the share of the time in which a page with this rate is fresh if it is visited at equal intervals."""
    with np.errstate(divide="ignore"):
        return np.where(frequencies > 0.0, -np.expm1(-rates / frequencies) * frequencies / rates, 0.0)
