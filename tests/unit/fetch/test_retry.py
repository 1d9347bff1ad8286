import pytest

from opilio.fetch.retry import retry_after_s

NOW_S = 1_767_225_600.0  # Thu, 01 Jan 2026 00:00:00 GMT
CAP_S = 3600.0


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("0", 0.0),
        ("120", 120.0),
        (" 120 ", 120.0),
        ("3601", CAP_S),
        ("9" * 400, CAP_S),
        ("Thu, 01 Jan 2026 00:01:00 GMT", 60.0),
        ("Thu, 01 Jan 2026 01:01:00 +0100", 60.0),
        ("Thu, 01 Jan 2026 00:01:00 -0000", 60.0),
        ("Thursday, 01-Jan-26 00:01:00 GMT", 60.0),
        ("Thu Jan  1 00:01:00 2026", 60.0),
        ("Mon, 01 Jan 2001 00:00:00 GMT", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", CAP_S),
    ],
)
def test_seconds_and_dates_are_understood_and_capped(value: str, expected: float) -> None:
    assert retry_after_s(value, NOW_S, CAP_S) == expected


@pytest.mark.parametrize(
    "value",
    [
        "",
        "soon",
        "-5",
        "1.5",
        "1e3",
        "nan",
        "inf",
        "٣",
        "²",
        "Thu, 99 Jan 2026 00:00:00 GMT",
        "Thu, 01 Jan",
        "\0",
        "x" * 9999,
    ],
)
def test_garbage_says_nothing(value: str) -> None:
    assert retry_after_s(value, NOW_S, CAP_S) is None
