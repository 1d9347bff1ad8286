"""Questions go to where the answers say that the line is, and not twice to pages that are the same."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.judge.asking import Asking, choose_pool

PAGES = 400
SCORES = [1.0 - place / PAGES for place in range(PAGES)]
TEXTS = [f"word{place} other{place}" for place in range(PAGES)]


def interview(line: float, belongs: Callable[[int], bool], count: int, texts: list[str] = TEXTS) -> list[int]:
    asking = Asking(texts, [1] * len(texts))
    asked = []
    for _ in range(count):
        place = asking.next(SCORES, line)
        assert place is not None
        asking.answer(place, belongs(place))
        asked.append(place)
    return asked


@pytest.mark.parametrize("line", [0.9, 0.5, 0.05])
@pytest.mark.parametrize("true", [20, 100, 300])
def test_wherever_the_judge_draws_its_line_the_questions_find_the_true_one(line: float, true: int) -> None:
    asked = interview(line, lambda place: place < true, 20)
    assert all(true / 2 <= place <= 2 * true for place in asked[-5:])


def test_the_first_question_follows_the_line_of_the_judge() -> None:
    """Not quite to the ends: it is in doubt."""
    [strict], [lax] = interview(0.99, bool, 1), interview(0.1, bool, 1)
    assert strict < 30 < lax


def test_no_page_is_asked_about_twice_and_the_last_ends_it() -> None:
    asking = Asking(TEXTS[:10], [1] * 10)
    asked = set()
    while (place := asking.next(SCORES[:10], 0.5)) is not None:
        asking.answer(place, None if place % 2 else True)
        assert place not in asked
        asked.add(place)
    assert asked == set(range(10))


def test_of_pages_near_the_line_the_one_that_is_unlike_the_others_is_asked_about() -> None:
    texts = ["alpha beta gamma" if place % 2 else "delta epsilon zeta" for place in range(PAGES)]
    asked = interview(0.75, lambda place: place < 100, 2, texts)
    assert {place % 2 for place in asked} == {0, 1}


def test_a_page_that_was_skipped_says_nothing_about_the_line() -> None:
    asking = Asking(TEXTS, [1] * PAGES)
    first = asking.next(SCORES, 0.75) or 0
    for _ in range(10):
        asking.answer(asking.next(SCORES, 0.75) or 0, None)
    assert first / 2 <= (asking.next(SCORES, 0.75) or 0) <= 2 * first


@given(st.integers(0, 5000), st.integers(1, 200))
def test_a_pool_stands_for_all_pages(size: int, most: int) -> None:
    pool = choose_pool(range(size), most)
    assert len(pool) <= most
    assert len(pool) == min(size, most) or size > most
    assert sum(pool.values()) == size
    assert list(pool) == sorted(pool)
