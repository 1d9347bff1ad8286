"""Several kinds of texts, told apart by their words."""

from random import Random
from typing import get_args

import numpy as np
import pytest

from opilio.model.bag_classes import Learner, learn_classes, likelihoods
from opilio.model.linear_svm import Bag, bag_of, slot_of

WORDS = [["login", "sign", "password"], ["archive", "older", "list"], ["storm", "election", "harvest"]]


def _text(random: Random, label: int) -> list[str]:
    """Two words of its class, and some that all have."""
    common = [f"word{random.randrange(30)}" for _ in range(6)]
    return sorted({*random.sample(WORDS[label], 2), *common})


def _texts(seed: int, count: int = 240) -> tuple[list[Bag], list[int]]:
    random = Random(seed)
    labels = [number % len(WORDS) for number in range(count)]
    return [bag_of(_text(random, label)) for label in labels], labels


@pytest.mark.parametrize("learner", get_args(Learner))
def test_each_learner_tells_texts_that_it_has_not_seen(learner: Learner) -> None:
    learned = learn_classes(*_texts(1), len(WORDS), learner)
    bags, labels = _texts(2, 60)
    guesses = [int(learned.strengths.of_bag(bag).argmax()) for bag in bags]
    assert np.mean([guess == label for guess, label in zip(guesses, labels, strict=True)]) > 0.95


@pytest.mark.parametrize("learner", get_args(Learner))
def test_a_word_speaks_for_its_class(learner: Learner) -> None:
    strengths = learn_classes(*_texts(1), len(WORDS), learner).strengths
    for label, words in enumerate(WORDS):
        assert all(int(strengths.of_slot(slot_of(word)).argmax()) == label for word in words)


def test_only_the_support_vector_machine_holds_texts_out() -> None:
    bags, labels = _texts(1)
    held_out = learn_classes(bags, labels, len(WORDS)).held_out
    assert held_out is not None
    assert np.mean(held_out.argmax(axis=1) == labels) > 0.95
    assert learn_classes(bags, labels, len(WORDS), "bayes").held_out is None


def test_likelihoods_are_shares_in_the_order_of_the_strengths() -> None:
    shares = likelihoods(np.array([-1.0, 0.5, 0.2]))
    assert shares.sum() == pytest.approx(1)
    assert shares.argsort().tolist() == [0, 2, 1]
