"""Probabilities learned one example at a time."""

from math import log
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.model.online_logistic import OnlineLogistic, Tokens, probability

SIZE = 64
BIAS = 1.0


def _learner(weights: tuple[float, ...] = (0.0, 0.0), doubts: tuple[float, ...] = (1.0, 1.0)) -> OnlineLogistic:
    return OnlineLogistic(np.array(weights), np.array(doubts), [np.zeros(SIZE, np.float32)], [0.3])


def _tokens(*places: int) -> list[Tokens]:
    return [np.array(places, np.int32)]


def _expected(learner: OnlineLogistic, signal: float, *places: int) -> float:
    own = sum(float(learner.tokens[0][place]) for place in places)
    return probability(float(np.array([signal, BIAS]) @ learner.weights) + own)


def _teach(learner: OnlineLogistic, signal: float, target: float, *places: int, times: int = 1) -> None:
    for _ in range(times):
        learner.learn(np.array([signal, BIAS]), _tokens(*places), target)


def test_before_the_first_example_it_expects_what_was_believed() -> None:
    learner = _learner((2.0, -1.0))
    expected = learner.learn(np.array([1.0, BIAS]), _tokens(), 1.0)
    assert expected == pytest.approx(1 / (1 + np.exp(-1.0)))


def test_an_example_moves_the_expectation_towards_its_target() -> None:
    for target in (0.0, 1.0):
        learner = _learner()
        before = _expected(learner, 1.0, 5)
        _teach(learner, 1.0, target, 5)
        assert abs(_expected(learner, 1.0, 5) - target) < abs(before - target)


def test_weights_without_doubt_never_move() -> None:
    learner = _learner((0.7, 0.0), (0.0, 1.0))
    _teach(learner, 1.0, 0.0, times=50)
    assert learner.weights[0] == 0.7
    assert learner.weights[1] < -1.0


def test_planted_weights_are_found() -> None:
    learner, random = _learner(doubts=(3.0, 3.0)), Random(1)
    for _ in range(3_000):
        signal = random.uniform(-2.0, 2.0)
        _teach(learner, signal, float(random.random() < probability(1.5 * signal - 0.5)))
    assert learner.weights == pytest.approx([1.5, -0.5], abs=0.2)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
def test_expectations_are_calibrated(share: float) -> None:
    learner, random = _learner(), Random(2)
    for _ in range(2_000):
        _teach(learner, 0.0, float(random.random() < share))
    assert _expected(learner, 0.0) == pytest.approx(share, abs=0.04)


@pytest.mark.parametrize("target", [0.2, 0.5, 0.9])
def test_targets_may_be_probabilities(target: float) -> None:
    learner = _learner()
    _teach(learner, 0.0, target, times=300)
    assert _expected(learner, 0.0) == pytest.approx(target, abs=0.03)


def test_tokens_explain_what_the_signals_do_not() -> None:
    learner = _learner()
    for _ in range(100):
        _teach(learner, 1.0, 1.0, 3)
        _teach(learner, 1.0, 0.0, 4)
    assert _expected(learner, 1.0, 3) > 0.8
    assert _expected(learner, 1.0, 4) < 0.2
    assert learner.tokens[0][5] == 0.0


def test_what_was_often_seen_moves_less() -> None:
    learner = _learner()
    steps = []
    for number in range(100):
        before = log(1 / _expected(learner, 1.0) - 1)
        _teach(learner, 1.0, float(number % 2))
        steps.append(abs(log(1 / _expected(learner, 1.0) - 1) - before))
    assert max(steps[-10:]) < 0.2 * max(steps[:10])


def test_doubt_shrinks_where_examples_were_seen() -> None:
    learner = _learner()
    seen, unseen = np.array([0.0, BIAS]), np.array([1.0, 0.0])
    [before, _] = learner.doubts(np.array([seen, unseen]))
    _teach(learner, 0.0, 0.5, times=50)
    after, of_unseen = learner.doubts(np.array([seen, unseen]))
    assert after < 0.5 * before
    assert of_unseen == pytest.approx(1.0)


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.floats(-50, 50), st.floats(0, 1), st.integers(0, SIZE - 1)), max_size=40),
    st.lists(st.tuples(st.floats(-50, 50), st.floats(0, 1), st.integers(0, SIZE - 1)), max_size=10),
)
def test_a_restored_learner_goes_on_as_the_one_that_was_saved(
    before: list[tuple[float, float, int]], after: list[tuple[float, float, int]]
) -> None:
    learner, restored = _learner(), _learner()
    for each in before:
        _teach(learner, *each)
    restored.restore(learner.state())
    for each in after:
        _teach(learner, *each)
        _teach(restored, *each)
    assert np.array_equal(learner.weights, restored.weights)
    assert np.array_equal(learner.covariance, restored.covariance)
    assert np.array_equal(learner.tokens[0], restored.tokens[0])


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(0, 1), st.integers(0, SIZE - 1)), max_size=60))
def test_no_example_breaks_it(examples: list[tuple[float, float, int]]) -> None:
    learner = _learner()
    for each in examples:
        _teach(learner, *each)
    assert np.isfinite(learner.weights).all()
    assert np.isfinite(learner.tokens[0]).all()
    assert (np.linalg.eigvalsh(learner.covariance) >= -1e-9).all()


def test_the_state_holds_only_tokens_that_were_seen() -> None:
    learner = _learner()
    empty = len(learner.state().tokens[0][0])
    _teach(learner, 1.0, 1.0, 3, 9)
    assert empty == 0
    assert np.frombuffer(learner.state().tokens[0][0], np.int32).tolist() == [3, 9]


def test_a_probability_is_never_quite_certain() -> None:
    assert 0.0 < probability(-1e9) < probability(0.0) == 0.5 < probability(1e9) < 1.0
