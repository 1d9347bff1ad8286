"""How often pages change, as far as irregular visits can tell.

A visit tells whether a page has changed since the visit before, and not how often, nor when: changes are censored by the
intervals. If a page changes as a Poisson process with the rate r, an interval d has seen a change with probability
1 - exp(-r d). The belief about a rate is a distribution over a fixed grid of rates, so that every interval counts with its own
length, however they are mixed. Sums of intervals would be smaller, and on pages that are visited at short and long intervals by
turns they lose most of what the short ones say.

Before its first interval a page is believed to be like the pages of its host: a gamma distribution around the host's mean, whose
shape is that of all pages. The host's own mean counts the more pages it has, next to the mean of all (`_HOST_PAGES`). Both are
fitted to the intervals by expectation maximisation.

Invariant: memory is 512 bytes a page.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Grid = npt.NDArray[np.float32]  # a row for each page, a column for each rate
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_RATES: Final = 64
_SPAN: Final = (1e-5, 1e3)  # of the grid, in visits that a page gets
_HOST_PAGES: Final = 10.0  # pages that the mean of all hosts counts for
_STEPS: Final = 20  # of a fit, which begins where the last one ended
_SHAPES: Final = (1e-2, 1e2)
_LEAST: Final = 1e-30  # probability of a change, so that it has a logarithm


class ChangeRates:
    """Beliefs about the rates of pages, which are numbered from 0. `hosts` has the number of each page's host. `visits` is how
    often a page is visited in the mean, in visits by unit of time."""

    def __init__(self, hosts: Numbers, visits: float) -> None:
        self.rates: Floats = visits * np.geomspace(*_SPAN, _RATES)
        self._hosts = hosts
        self._sizes: Floats = np.bincount(hosts).astype(float)
        self._shape, self._means = 1.0, np.full(len(self._sizes), visits)
        self._likelihoods: Grid = np.zeros((len(hosts), _RATES), np.float32)
        self.beliefs: Grid = np.zeros_like(self._likelihoods)  # probabilities
        self._believe(np.arange(len(hosts)))

    def __len__(self) -> int:
        return len(self._hosts)

    def learn(self, pages: Numbers, intervals: Floats, changed: Flags) -> None:
        """Learns which pages have changed in intervals. A page may have several of them."""
        expected = np.outer(intervals, self.rates)
        seen = np.log(np.maximum(-np.expm1(-expected), _LEAST))
        np.add.at(self._likelihoods, pages, np.where(changed[:, None], seen, -expected).astype(np.float32))
        self._believe(np.unique(pages))

    def fit(self) -> None:
        """Fits what is believed of hosts and of all pages to what was learned."""
        logarithms = np.log(self.rates)
        for _ in range(_STEPS):
            means = self.means
            overall = float(means.mean())
            sums = np.bincount(self._hosts, means, len(self._sizes))
            self._means = (sums + _HOST_PAGES * overall) / (self._sizes + _HOST_PAGES)
            own = self._means[self._hosts]
            self._shape = _gamma_shape(float((np.log(own) - self.beliefs @ logarithms + means / own).mean()) - 1.0)
            self._believe(np.arange(len(self)))

    @property
    def means(self) -> Floats:
        """Returns the expected rate of each page."""
        return self.beliefs @ self.rates

    @property
    def shape(self) -> float:
        """Returns the shape of the gamma distribution of rates on a host."""
        return self._shape

    def unchanged(self, ages: Floats) -> Floats:
        """Returns how probable it is that each page has not changed for so long."""
        shares: Floats = np.einsum("ij,ij->i", self.beliefs, np.exp(-np.outer(ages, self.rates)))
        return shares

    def _believe(self, pages: Numbers) -> None:
        odds = self._likelihoods[pages] + self._prior()[self._hosts[pages]]
        odds -= odds.max(axis=1, keepdims=True)
        np.exp(odds, out=odds)
        self.beliefs[pages] = odds / odds.sum(axis=1, keepdims=True)

    def _prior(self) -> Grid:
        """Returns the logarithm of each host's gamma density, per step of the grid, whose steps are equal in logarithms."""
        odds = self._shape * (np.log(self.rates) - self.rates / self._means[:, None])
        odds -= odds.max(axis=1, keepdims=True)
        prior: Grid = (odds - np.log(np.exp(odds).sum(axis=1, keepdims=True))).astype(np.float32)
        return prior


def _gamma_shape(gap: float) -> float:
    """Returns the shape k for which ln k - digamma(k) is the gap, which falls as k rises."""
    low, high = np.log(_SHAPES)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if middle - _digamma(np.exp(middle)) > gap else (low, middle)
    return float(np.exp(low))


def _digamma(number: float) -> float:
    """Returns the logarithmic derivative of the gamma function: the recurrence up to 6, then its asymptotic series."""
    below = 0.0
    while number < 6.0:
        below += 1.0 / number
        number += 1.0
    square = 1.0 / number**2
    return float(np.log(number)) - 0.5 / number - square * (1 / 12 - square * (1 / 120 - square / 252)) - below
