"""A number has its noun in the right form."""

import pytest

from opilio.core.counted import counted


@pytest.mark.parametrize(("number", "words"), [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (2000, "2,000 pages")])
def test_only_one_stands_with_the_singular(number: int, words: str) -> None:
    assert counted(number, "page") == words
