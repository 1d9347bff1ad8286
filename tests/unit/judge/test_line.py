"""The judge's line is where its verdicts divide, whatever the judge is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.judge.line import dividing_line


@pytest.mark.parametrize(
    ("verdicts", "line"),
    [
        ([], 0.5),
        ([(0.2, False), (0.9, True)], 0.5),
        ([(0.2, False), (0.3, False), (0.4, True), (0.9, True)], 0.4),  # a lower threshold
        ([(0.2, False), (0.6, False), (0.9, True)], 0.6),  # a higher one
        ([(0.2, False), (0.7, True), (0.6, False), (0.65, True), (0.9, True), (0.68, False)], 0.6),  # it has moved
        ([(0.1, True), (0.2, True)], 0.1),
        ([(0.7, False), (0.8, False)], 0.8),
    ],
)
def test_the_line_divides_what_belongs_from_the_rest(verdicts: list[tuple[float, bool]], line: float) -> None:
    assert dividing_line(verdicts) == line


def wrong(verdicts: list[tuple[float, bool]], line: float, *, inclusive: bool) -> int:
    return sum(belongs is not (score >= line if inclusive else score > line) for score, belongs in verdicts)


@given(st.lists(st.tuples(st.integers(0, 10).map(lambda tenths: tenths / 10), st.booleans()), min_size=1))
def test_no_other_line_divides_better(verdicts: list[tuple[float, bool]]) -> None:
    line = dividing_line(verdicts)
    ours = min(wrong(verdicts, line, inclusive=inclusive) for inclusive in (True, False))
    others = [wrong(verdicts, tenths / 10, inclusive=True) for tenths in range(12)]
    assert ours <= min(others)
