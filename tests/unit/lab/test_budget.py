"""Budgets as people write them."""

import pytest

from opilio.core.errors import ConfigError
from opilio.lab.budget import Budget


@pytest.mark.parametrize(
    ("words", "at", "limit"),
    [(None, 10, 20), (0, 10, 20), (7, 7, 7), ("7", 7, 7), ("R", 10, 10), ("4R", 40, 40), ("r/4", 3, 3), ("0.5R", 5, 5)],
)
def test_a_budget_is_a_number_or_a_multiple_of_r(words: str | int | None, at: int, limit: int) -> None:
    budget = Budget.read(words)
    assert (budget.at(10), budget.limit(10)) == (at, limit)


def test_a_part_of_r_is_rounded_up_by_no_rounding_error() -> None:
    assert (Budget.read("0.07R").at(100), Budget.read(" 200 ").at(100)) == (7, 200)


@pytest.mark.parametrize("words", ["", "many", "R4", "4R/0", "-1", "0", "0R", "1.5"])
def test_what_is_not_a_budget_is_refused_with_what_to_write(words: str) -> None:
    with pytest.raises(ConfigError, match="such as 4R or R/4"):
        Budget.read(words)
