"""Questions go to the pages that the judge is least sure of."""

from hypothesis import given
from hypothesis import strategies as st

from opilio.judge.asking import choose_pool, least_sure


def test_the_page_nearest_to_the_line_is_asked_about() -> None:
    assert least_sure([0.9, 0.7, 0.45, 0.1], 0.5, set()) == 2
    assert least_sure([0.9, 0.7, 0.45, 0.1], 0.8, {0}) == 1


def test_no_page_is_asked_about_twice_and_the_last_ends_it() -> None:
    scores = [place / 10 for place in range(10)]
    asked: set[int] = set()
    while (place := least_sure(scores, 0.5, asked)) is not None:
        assert place not in asked
        asked.add(place)
    assert asked == set(range(10))


@given(st.integers(0, 5000), st.integers(1, 200))
def test_a_pool_reaches_from_the_best_page_to_the_last(size: int, most: int) -> None:
    pool = choose_pool(range(size), most)
    assert len(pool) <= most
    assert len(pool) == min(size, most) or size > most
    assert pool == sorted(set(pool))
    assert not size or pool[-1] == size - 1
