"""The day of a page, by its address, its headers and itself."""

from datetime import date

import pytest

from opilio.core.dates import http_date, http_time_s, url_date

DAY = date(2026, 11, 18)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/2026/11/18/a-story.html",
        "https://example.org/news/2026-11-18-a-story",
        "https://example.org/20261118/a",
        "https://example.org/a_2026_11_18",
        "https://example.org/archive/2026.11.18",
        "https://example.org/a?date=2026-11-18",
        "https://example.org/2026/11/18/on-2020-01-02",
        "https://example.org/2026/Nov/18/a-story",
        "https://example.org/2026-11/18/c_123.htm",
        "https://example.org/202611/18/a",
    ],
)
def test_an_address_names_its_day(url: str) -> None:
    assert url_date(url) == DAY


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/2026/11/a-story",
        "https://example.org/120261118",
        "https://example.org/202611181",
        "https://example.org/2026/11-18",
        "https://example.org/2026/02/30/",
        "https://example.org/1812/11/18/a-battle",
        "https://2026-11-18.example.org/",
        "https://example.org/202618",
        "https://example.org/2026/the/18",
        "https://example.org/20261/8",
    ],
)
def test_other_numbers_are_not_days(url: str) -> None:
    assert url_date(url) is None


@pytest.mark.parametrize("value", ["", "soon", "Wed, 99 Nov 2026 00:34:00 GMT", "1" * 100])
def test_a_header_that_is_not_a_date_has_no_time(value: str) -> None:
    assert http_time_s(value) is None
    assert http_date(value) is None
