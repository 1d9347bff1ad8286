"""`bench revisit`: how fresh does a corpus stay if nobody knows how often its pages change?

The pages, the budgets, the measure and the peers are those of docs/freshness.md, which was written before the first run. The
crawler is the one of `opilio revisit`: `ChangeRates` believes, and `Revisiting` chooses.
"""

from collections.abc import Callable, Iterator
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np

from opilio.model.change_rates import ChangeRates, Floats
from opilio.model.revisiting import Revisiting, freshness

from .form import Cell, Goal, Report

_SHAPES: Final = (0.3, 0.5, 1.0)
_BUDGETS: Final = (0.1, 0.3, 1.0)  # visits by change
_HOSTS: Final = 20
_BATCHES: Final = 100  # in which each page is visited once, in the mean
_VISITS: Final = 10  # of each page, in the mean, before freshness is measured, and while it is
_LEAST_RATE: Final = 1e-12
_GOAL: Final = 95.0
_HALVINGS: Final = 40
_COLUMNS: Final = (
    "shape", "visits by change", "optimal", "learned", "uniform", "proportional", "% of optimal", "% before it", "shape found",
)  # fmt: skip


class Outcome(NamedTuple):
    learned: float  # freshness, like the others, after the first visits
    before: float  # during them
    optimal: float
    uniform: float
    proportional: float
    shape: float  # of the rates, as the crawler believes it to be


def run(
    pages: int = 2_000, rounds: int = 5, seed: int = 1, progress: Callable[[int, int], None] = lambda _done, _all: None
) -> Report:
    """`rounds`: draws of the rates, the first of which has this seed. A round takes two minutes."""
    cells = [(shape, budget) for shape in _SHAPES for budget in _BUDGETS]
    rows: list[tuple[Cell, ...]] = []
    goals: list[Goal] = []
    for number, (shape, budget) in enumerate(cells):
        progress(number, len(cells))
        found = [simulate(shape, budget, pages, seed + draw) for draw in range(rounds)]
        mean = Outcome(*(fmean(figures) for figures in zip(*found, strict=True)))
        rows.append(_row(shape, budget, mean))
        goals += _goals(f"shape {shape:g}, {budget:g} visits by change", mean)
    return Report("revisit", _COLUMNS, rows, goals)


def simulate(shape: float, budget: float, pages: int, seed: int) -> Outcome:
    random = np.random.default_rng(seed)
    rates = np.maximum(random.gamma(shape, 1.0 / shape, pages), _LEAST_RATE)
    spent = budget * float(rates.sum())  # visits by unit of time
    believed = ChangeRates(random.integers(_HOSTS, size=pages), spent / pages)
    fresh = list(_visit(rates, believed, spent, random))
    half = len(fresh) // 2
    return Outcome(
        fmean(fresh[half:]),
        fmean(fresh[:half]),
        float(freshness(rates, best_frequencies(rates, spent)).mean()),
        float(freshness(rates, np.full(pages, spent / pages)).mean()),
        float(freshness(rates, budget * rates).mean()),
        believed.shape,
    )


def _visit(rates: Floats, believed: ChangeRates, budget: float, random: np.random.Generator) -> Iterator[float]:
    """Yields the mean freshness between two batches of visits, over and over."""
    chooser = Revisiting(believed, budget)
    batch = len(rates) // _BATCHES
    step = batch / budget  # time between two batches
    ages = np.zeros(len(rates))
    for number in range(1, 2 * _VISITS * _BATCHES + 1):
        yield float((np.exp(-rates * ages) * -np.expm1(-rates * step) / (rates * step)).mean())
        ages += step
        chosen = chooser.choose(ages, batch)
        changed = random.random(batch) < -np.expm1(-rates[chosen] * ages[chosen])
        believed.learn(chosen, ages[chosen], changed)
        chooser.learned(chosen)
        ages[chosen] = 0.0
        if number % _BATCHES == 0:
            believed.fit()
            chooser.settle()


def _row(shape: float, budget: float, mean: Outcome) -> tuple[Cell, ...]:
    shares = (round(100 * figure / mean.optimal, 1) for figure in (mean.learned, mean.before))
    figures = (round(figure, 4) for figure in (mean.optimal, mean.learned, mean.uniform, mean.proportional))
    return (shape, budget, *figures, *shares, round(mean.shape, 2))


def _goals(cell: str, mean: Outcome) -> list[Goal]:
    best_peer = max(mean.uniform, mean.proportional)
    return [
        Goal(f"{cell}: freshness", round(100 * mean.learned / mean.optimal, 2), _GOAL, "% of optimal"),
        Goal(f"{cell}: freshness above uniform and proportional", round(mean.learned - best_peer, 4), 1e-4, "more"),
    ]


def best_frequencies(rates: Floats, budget: float) -> Floats:
    """Returns how often each page should be visited if its rate is known: 0 if it is given up."""
    low, high = 0.0, float(1.0 / rates.min())
    for _ in range(2 * _HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_price(rates, middle).sum() > budget else (low, middle)
    found = _at_price(rates, high)
    found *= budget / found.sum()  # a page that is all but given up takes any frequency at nearly the same price
    return found


def _at_price(rates: Floats, price: float) -> Floats:
    """Solves 1 - exp(-x) (1 + x) = price * rate for x, the changes between two visits, by bisection."""
    low, high = np.zeros_like(rates), np.full_like(rates, 64.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_low = 1.0 - np.exp(-middle) * (1.0 + middle) < price * rates
        low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
    return np.where(price * rates < 1.0, rates / high, 0.0)
