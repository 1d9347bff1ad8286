"""Gaussian naive Bayes, learned one example at a time."""

from collections.abc import Sequence
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.model.naive_bayes import NaiveBayes

values = st.floats(-1e3, 1e3)
examples = st.lists(st.tuples(values, values, st.booleans()), min_size=1, max_size=30)


def _learned(rows: Sequence[tuple[float, float, bool]]) -> NaiveBayes:
    learner = NaiveBayes.untrained(2)
    for first, second, belongs in rows:
        learner.learn([first, second], belongs=belongs)
    return learner


def _log_odds(learner: NaiveBayes, features: Sequence[float]) -> float:
    weights, constant = learner.weights()
    return constant + sum(weight * value for weight, value in zip(weights, features, strict=True))


@given(examples)
def test_learning_one_by_one_gives_what_all_at_once_would(rows: list[tuple[float, float, bool]]) -> None:
    learner = _learned(rows)
    table = np.array([row[:2] for row in rows])
    belongs = np.array([row[2] for row in rows])
    assert learner.counts == [int((~belongs).sum()), int(belongs.sum())]
    squares = np.zeros(2)
    for kind in (False, True):
        own = table[belongs == kind]
        if len(own):
            np.testing.assert_allclose(learner.means[kind], own.mean(axis=0), atol=1e-9)
            squares += ((own - own.mean(axis=0)) ** 2).sum(axis=0)
    np.testing.assert_allclose(learner.squares, squares, rtol=1e-6, atol=1e-6)


@given(examples)
def test_more_of_what_speaks_for_a_class_never_speaks_against_it(rows: list[tuple[float, float, bool]]) -> None:
    learner = _learned(rows)
    weights, _ = learner.weights()
    if min(learner.counts):
        for place, weight in enumerate(weights):
            assert np.sign(weight) == np.sign(learner.means[1][place] - learner.means[0][place])
    else:
        assert weights == [0.0, 0.0]


def test_the_odds_are_those_of_two_bells_of_one_width() -> None:
    learner = _learned(
        [(value, 0.0, belongs) for belongs in (False, True) for value in (-1 + 2 * belongs, 1 + 2 * belongs)]
    )
    variance = (4 * 1.0 + 5 * 2.0) / 9  # four examples with 1 within the classes, five imagined ones with 2 over both
    for value in (-1.0, 1.0, 4.0):
        expected = -((value - 2) ** 2 - value**2) / (2 * variance)
        assert _log_odds(learner, [value, 0.0]) == pytest.approx(expected, rel=1e-6)


def test_without_examples_of_one_class_only_the_counts_speak() -> None:
    learner = _learned([(1.0, 2.0, False)] * 7)
    assert _log_odds(learner, [5.0, 5.0]) == pytest.approx(log(1 / 8))


def test_a_feature_that_parts_the_classes_cleanly_is_sure_and_not_infinite() -> None:
    learner = _learned([(0.0, 1.0, False), (1.0, 1.0, True)] * 300)
    weights, _ = learner.weights()
    assert 100 < weights[0] < 1e4
    assert weights[1] == 0.0
