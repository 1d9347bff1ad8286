"""Log odds as probabilities, one by one and in arrays."""

import numpy as np
import pytest

from opilio.core.sigmoid import SUREST, logit, sigmoid, sigmoids

ODDS = [-1e9, -31.0, -2.0, 0.0, 0.5, 31.0, 1e9]


@pytest.mark.parametrize("bound", [SUREST, 700.0])
def test_one_by_one_and_in_arrays_they_are_the_same(bound: float) -> None:
    assert sigmoids(np.array(ODDS), bound).tolist() == pytest.approx([sigmoid(odds, bound) for odds in ODDS])


def test_a_bound_keeps_a_probability_from_the_ends() -> None:
    assert 0.0 < sigmoid(-1e9, SUREST) < 1e-12
    assert 1.0 - 1e-12 < sigmoid(1e9, SUREST) < 1.0
    assert sigmoid(0.0) == 0.5


@pytest.mark.parametrize("odds", [-4.0, -0.5, 0.0, 2.0, 4.0])
def test_log_odds_come_back_from_their_probability_within_the_bound(odds: float) -> None:
    assert logit(sigmoid(odds), 4.0) == pytest.approx(odds)
    assert (logit(0.0, 4.0), logit(1.0, 4.0)) == pytest.approx((-4.0, 4.0))
