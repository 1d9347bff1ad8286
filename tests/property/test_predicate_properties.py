"""What the language of `--where` shares with Python means the same there, and no expression does anything but choose."""

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from opilio.core.predicate import PredicateError, predicate


class Row(NamedTuple):
    title: str
    tokens: int
    score: float
    kept: bool


TEXTS = st.text(st.sampled_from("ab'\"\\ é"), max_size=3)
NUMBERS = st.integers(-3, 3) | st.sampled_from([0.5, -1.5, 1e300])
ROWS = st.builds(Row, TEXTS, st.integers(-3, 3), st.sampled_from([0.5, 0.0, -1.5]), st.booleans())
SIGNS = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def listed(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(values, min_size=1, max_size=3).map(lambda found: f"[{', '.join(found)}]")


NUMBER_FIELDS = st.sampled_from(["tokens", "score"])
COMPARISONS = st.one_of(
    st.just("kept"),
    st.tuples(st.just("title"), SIGNS, TEXTS.map(quoted)).map(" ".join),
    st.tuples(NUMBER_FIELDS, SIGNS, NUMBERS.map(str)).map(" ".join),
    st.tuples(NUMBER_FIELDS, st.sampled_from(["in", "not in"]), listed(NUMBERS.map(str))).map(" ".join),
    st.tuples(st.just("title"), st.sampled_from(["in", "not in"]), listed(TEXTS.map(quoted))).map(" ".join),
)
EXPRESSIONS = st.recursive(
    COMPARISONS,
    lambda inner: st.one_of(
        inner.map("not {}".format),
        inner.map("({})".format),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
    ),
    max_leaves=12,
)


@given(EXPRESSIONS, ROWS)
def test_an_expression_means_what_it_means_in_python(expression: str, row: Row) -> None:
    assert predicate(expression, Row)(row) == eval(expression, {"__builtins__": {}}, row._asdict())


@given(EXPRESSIONS, ROWS)
def test_not_is_the_opposite(expression: str, row: Row) -> None:
    assert predicate(f"not ({expression})", Row)(row) is not predicate(expression, Row)(row)


@given(
    st.text()
    | st.lists(st.sampled_from(["kept", "title", "tokens", "and", "not", "in", "==", "(", ")", "[", '"a"', "1"])).map(
        " ".join
    ),
    ROWS,
)
def test_any_text_is_an_expression_or_has_a_column_at_which_it_is_not(expression: str, row: Row) -> None:
    assert outcome(expression, row) in (True, False, *range(1, len(expression) + 2))


def outcome(expression: str, row: Row) -> bool | int:
    """Returns whether the row is chosen, or the column of the error."""
    try:
        return predicate(expression, Row)(row)
    except PredicateError as error:
        return error.column
