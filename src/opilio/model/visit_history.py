"""What visits have found so far, and which pages to visit next: the whole of revisiting as one pure function."""

from typing import Final, NamedTuple

import numpy as np

from .change_rates import ChangeRates, Flags, Floats, Numbers
from .revisiting import Revisiting

_LEAST_CHANCE: Final = 0.01  # of a change, below which a visit would be wasted
_LEAST_AGE_S: Final = 1.0


class VisitHistory(NamedTuple):
    """Pages are numbered from 0, and hosts too."""

    hosts: Numbers  # of each page
    ages_s: Floats  # of each page: how long ago it was last visited
    pages: Numbers  # for each interval between two visits to a page: the page,
    intervals_s: Floats  # how long it was,
    changed: Flags  # and whether the page had changed


def due_pages(history: VisitHistory, count: int, every_s: float | None = None) -> Numbers:
    """Returns at most this many pages that are most worth a visit now, the best first. As many are expected to be visited every
    `every_s` seconds; if that is None, as often as pages were visited so far."""
    if not len(history.hosts) or count < 1:
        return np.zeros(0, np.int64)
    budget = count / max(_LEAST_AGE_S, float(history.ages_s.mean()) if every_s is None else every_s)
    rates = ChangeRates(history.hosts, budget / len(history.hosts))
    if len(history.pages):
        rates.learn(history.pages, history.intervals_s, history.changed)
        rates.fit()
    chooser = Revisiting(rates, budget)
    chooser.learned(history.pages)
    chosen = chooser.choose(history.ages_s, count)
    return chosen[rates.unchanged(history.ages_s)[chosen] <= 1.0 - _LEAST_CHANCE]
