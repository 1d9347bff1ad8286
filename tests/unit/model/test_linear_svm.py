"""The linear support vector machine over bags of words."""

import random
from collections.abc import Sequence

import numpy as np

from opilio.model.linear_svm import SLOTS, Bag, LinearSvm, Trained, bag_of, rarities, similarities, train_svm

COMMON = ["the", "a", "of", "and", "to", "in", "is", "it", "that", "was"]
CATS = ["cat", "purr", "whisker", "kitten", "paw", "fur", "meow", "claw"]
SHIPS = ["ship", "sail", "harbour", "mast", "anchor", "deck", "crew", "tide"]


def _texts(words: Sequence[str], count: int, seed: int) -> list[Bag]:
    draw = random.Random(seed)
    return [bag_of(draw.choices(COMMON, k=40) + draw.choices(words, k=8)) for _ in range(count)]


def test_two_kinds_of_texts_are_told_apart_by_words_that_were_held_out() -> None:
    trained = train_svm(_texts(CATS, 20, 1), _texts(SHIPS, 30, 2))
    assert trained.accuracy() == 1.0
    assert (
        min(map(trained.machine.margin, _texts(CATS, 10, 3)))
        > 0
        > max(map(trained.machine.margin, _texts(SHIPS, 10, 4)))
    )


def test_the_same_texts_give_the_same_machine() -> None:
    first, second = (train_svm(_texts(CATS, 7, 1), _texts(SHIPS, 5, 2)) for _ in range(2))
    assert np.array_equal(first.machine.weights, second.machine.weights)
    assert first.positive == second.positive


def test_texts_of_one_kind_are_not_told_apart() -> None:
    trained = train_svm(_texts(CATS, 40, 1), _texts(CATS, 40, 2))
    assert 0.25 < trained.accuracy() < 0.75


def test_a_few_texts_hold_against_many() -> None:
    trained = train_svm(_texts(CATS, 3, 1), _texts(SHIPS, 200, 2))
    assert trained.accuracy() > 0.99


def test_one_text_of_each_kind_is_enough_to_train() -> None:
    trained = train_svm(_texts(CATS, 1, 1), _texts(SHIPS, 1, 2))
    assert trained.machine.margin(_texts(CATS, 1, 3)[0]) > trained.machine.margin(_texts(SHIPS, 1, 4)[0])


def test_a_gentle_cost_tells_by_the_means_of_the_kinds() -> None:
    """With every text pulling at its bound, the weights are proportional to the difference of the mean rows."""
    positive, negative = _texts(CATS, 5, 1), _texts(SHIPS, 10, 2)
    machine = train_svm(positive, negative, cost=1e-6).machine
    middles = []
    for kind in (positive, negative):
        middle = np.zeros(SLOTS)
        for bag in kind:
            amounts = bag.amounts * machine.rarity[bag.slots]
            middle[bag.slots] += amounts / np.sqrt(amounts @ amounts) / len(kind)
        middles.append(middle)
    difference = middles[0] - middles[1]
    cosine = difference @ machine.weights[:-1]
    cosine /= np.sqrt((difference @ difference) * (machine.weights[:-1] @ machine.weights[:-1]))
    assert cosine > 0.999


def test_what_is_like_the_samples_has_the_higher_similarity() -> None:
    samples, alike, unlike = _texts(CATS, 5, 1), _texts(CATS, 10, 2), _texts(SHIPS, 10, 3)
    rarity = rarities([*samples, *alike, *unlike])
    assert min(similarities(samples, alike, rarity)) > max(similarities(samples, unlike, rarity))


def test_a_text_without_known_words_lies_at_the_bias() -> None:
    machine = train_svm(_texts(CATS, 5, 1), _texts(SHIPS, 5, 2)).machine
    assert machine.margin(bag_of([])) == machine.weights[-1]


def _told(positive: list[float], negative: list[float]) -> Trained:
    return Trained(LinearSvm(np.zeros(1), np.zeros(1)), positive, negative)


def test_the_line_is_not_moved_by_others_that_are_far_away() -> None:
    near = [0.0, 0.1, 0.2]
    assert 0.2 < _told([1.0, 1.1, 1.2], near).line() < 1.0
    assert 0.2 < _told([1.0, 1.1, 1.2], [*near, *[-50.0] * 100]).line() < 1.0


def test_one_odd_text_does_not_draw_the_line() -> None:
    positive, negative = [1.0 + step / 100 for step in range(10)], [step / 100 for step in range(9)]
    line = _told(positive, [*negative, 1.005]).line()
    assert 0.09 < line < 1.0


def test_accuracy_asks_each_fold_with_a_line_that_has_not_seen_it() -> None:
    draw = random.Random(5)
    noise = [[draw.random() for _ in range(20)] for _ in range(2)]
    trained = _told(*noise)
    assert trained.accuracy() <= trained.accuracy(trained.line())
    assert _told([0.5], [0.5]).accuracy() == 0.5
