"""What pages that are alike in meaning do to each other's heights."""

import numpy as np
import pytest

from opilio.judge.topic_neighbours import NOBODY, Neighbours, remember

ABOUT_CATS, ABOUT_RAILWAYS = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])


def around(direction: np.ndarray, count: int) -> np.ndarray:
    """Directions near this one, and none of them the same."""
    apart = np.column_stack([np.zeros(count), np.zeros(count), np.linspace(0.3, 0.6, count)])
    made = direction + apart
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True))


def neighbours(count: int = 75) -> Neighbours:
    """Remembers as many pages of height 12 on cats as of height 0 on railways."""
    meanings = np.concatenate([around(ABOUT_CATS, count), around(ABOUT_RAILWAYS, count)])
    return Neighbours(remember(meanings, np.repeat([12.0, 0.0], count)))


def test_a_page_is_pulled_towards_pages_like_it() -> None:
    assert neighbours().height(6.0, ABOUT_CATS) == pytest.approx(0.7 * 6 + 0.3 * 12, abs=0.01)
    assert neighbours().height(6.0, ABOUT_RAILWAYS) == pytest.approx(0.7 * 6, abs=0.01)


def test_few_pages_pull_less_than_many() -> None:
    pulls = [neighbours(count).height(6.0, ABOUT_CATS) - 6.0 for count in (5, 50, 500)]
    assert pulls == sorted(pulls)
    assert pulls[0] < 0.5


def test_a_page_with_no_other_like_it_keeps_its_height() -> None:
    assert neighbours().height(6.0, np.array([0.0, 0.0, -1.0])) == 6.0
    assert neighbours().height(6.0, np.zeros(3)) == 6.0


def test_a_page_does_not_pull_itself_nor_its_copies() -> None:
    meanings = np.concatenate([np.repeat([ABOUT_CATS], 3, axis=0), around(ABOUT_CATS, 20)])
    heights = np.concatenate([[30.0, 30.0, 30.0], np.zeros(20)])
    pulled = Neighbours(remember(meanings, heights)).heights()
    assert pulled[:3] == pytest.approx(30.0 * (1 - 0.6 * 23 / 173), rel=1e-5)  # towards the others alone


def test_many_pages_pull_each_other_as_a_single_page_is_pulled() -> None:
    meanings = np.concatenate([around(ABOUT_CATS, 300), around(ABOUT_RAILWAYS, 300)])
    found = Neighbours(remember(meanings, np.repeat([12.0, 0.0], 300)))
    alone = [found.height(height, meaning) for height, meaning in zip([12.0, 0.0], meanings[[0, 599]], strict=True)]
    assert found.heights()[[0, 599]] == pytest.approx(alone, abs=1e-3)


def test_nobody_pulls_without_meanings() -> None:
    assert remember(np.zeros((4, 0)), np.ones(4)) == NOBODY
    assert Neighbours(NOBODY).height(6.0, np.zeros(0)) == 6.0
    assert len(Neighbours(NOBODY).heights()) == 0


def test_a_page_alone_is_pulled_as_among_others() -> None:
    random = np.random.default_rng(7)
    meanings = random.normal(size=(60, 8))
    meanings /= np.linalg.norm(meanings, axis=1, keepdims=True)
    neighbours = Neighbours(remember(meanings, random.normal(size=60)))
    own = neighbours._heights.astype(np.float64)
    alone = [
        neighbours.height(height, row)
        for height, row in zip(own.tolist(), neighbours._meanings.astype(np.float64), strict=True)
    ]
    assert alone == pytest.approx(neighbours.heights().tolist(), rel=1e-5)
