"""The language of `--where`: what it chooses, and how it says what is wrong with an expression."""

from typing import NamedTuple

import pytest

from opilio.core.outcome import Drop
from opilio.core.predicate import PredicateError, predicate


class Signal(NamedTuple):
    name: str
    value: str


class Row(NamedTuple):
    title: str = "Der Weberknecht"
    language: str = "de"
    tokens: int = 250
    score: float | None = 0.75
    kept: bool = True
    drop: Drop | None = None
    signals: tuple[Signal, ...] = (Signal("noai", ""), Signal("license", "CC-BY"))


ROW = Row()
TRUE = [
    'language == "de" and tokens > 200',
    "language == 'fr' or title != 'x'",
    "tokens >= 250 and tokens <= 250.0 and tokens < 3e2 and score > -1",
    "kept and not (kept == false)",
    "kept AND NOT score < .5",
    'language in ["en", "de"] and language not in ["fr"]',
    'title contains "WEBER" and title startswith "der" and title endswith "knecht" and title not contains "Spinne"',
    'title == "Der Weberknecht" and title != "der weberknecht"',
    'signals.name == "noai" and signals.value contains "cc"',
    'title < "E" and title > "A"',
    "kept or kept and tokens < 0",  # and binds more closely
    "not not kept",
    'drop != "robots"',
]
FALSE = [
    'language == "en"',
    "not kept",
    "(kept or kept) and tokens < 0",
    'signals.name != "noai"',  # the negation of ==, not "another signal has another name"
    'drop == ""',
    'drop in ["robots", "no_text"]',
]


@pytest.mark.parametrize("expression", TRUE)
def test_it_chooses(expression: str) -> None:
    assert predicate(expression, Row)(ROW)


@pytest.mark.parametrize("expression", FALSE)
def test_it_leaves_out(expression: str) -> None:
    assert not predicate(expression, Row)(ROW)


def test_a_missing_number_is_neither_more_nor_less_than_any() -> None:
    missing = ROW._replace(score=None)
    assert not predicate("score < 0.5 or score >= 0.5 or score == 0", Row)(missing)
    assert predicate("score != 0", Row)(missing)


def test_a_reason_may_be_written_as_it_is_shown_or_as_it_is_stored() -> None:
    failed = ROW._replace(drop=Drop.FETCH_FAILED)
    for expression in ('drop == "fetch failed"', 'drop == "fetch_failed"', 'drop in ["robots", "fetch failed"]'):
        assert predicate(expression, Row)(failed)
        assert not predicate(expression, Row)(ROW)
    assert predicate('drop contains "fail"', Row)(failed)


@pytest.mark.parametrize("drop", Drop)
def test_the_words_of_every_reason_choose_the_rows_that_have_it(drop: Drop) -> None:
    chosen = predicate(f'drop == "{drop.words}"', Row)
    assert [one for one in Drop if chosen(ROW._replace(drop=one))] == [drop]


def test_quotes_may_stand_in_quotes() -> None:
    row = ROW._replace(title="\"A\" \\ 'b'")
    assert predicate(r"""title == "\"A\" \\ 'b'" """, Row)(row)
    assert predicate(r"""title == '"A" \\ \'b\''""", Row)(row)


@pytest.mark.parametrize(
    ("expression", "column", "message"),
    [
        ('langauge == "de"', 1, r'no field "langauge"\. Did you mean "language"\? Fields: title, language'),
        ('kept and signals.nam == "x"', 10, r'Did you mean "signals\.name"'),
        ('tokens > "x"', 10, 'tokens is a number, and "x" is a text'),
        ('language in ["de", 3]', 20, "language is a text, and 3 is a number"),
        (
            'drop == "fetch_faild"',
            9,
            r'drop is never "fetch_faild"\. Did you mean "fetch_failed"\? Values: set_aside',
        ),
        ('drop not in ["robots", "robbers"]', 24, 'Did you mean "robots"'),
        ("tokens", 1, "compare it with something"),
        ("kept > true", 6, "no order"),
        ('tokens contains "2"', 8, "contains is for texts"),
        ('language = "de"', 10, "Did you mean =="),
        ("kept && kept", 6, "Did you mean and"),
        ('title contains "no', 16, 'no closing "'),
        ("language == de", 13, "expected a text in quotes, found de"),
        ("(kept", 6, r'expected "\)", found the end'),
        ("kept kept", 6, "expected and, or, or the end, found kept"),
        ('title contians "x"', 7, 'Did you mean "contains"'),
        ("kept and", 9, "expected a field, found the end"),
        ("", 1, "expected a field, found the end"),
        ("tokens not 3", 12, "expected in, contains"),
        ("200 < tokens", 1, "expected a field, found 200"),
        ("language in []", 14, "expected a text"),
        ("not " * 60 + "kept", 201, "more than 50"),
        ("kept and " * 2000 + "kept", 10_001, "longer than"),
        ('__class__ == "x"', 1, "no field"),
        ('title.upper == "x"', 1, "no field"),
    ],
)
def test_what_is_wrong_is_named_with_its_column(expression: str, column: int, message: str) -> None:
    with pytest.raises(PredicateError, match=message) as raised:
        predicate(expression, Row)
    assert raised.value.column == column
    assert f"column {column}: " in str(raised.value)
