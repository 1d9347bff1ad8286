"""The day of a page, by its address, its headers and itself."""

from datetime import date

import pytest

from opilio.core.dates import http_time_s, is_of_day, published, url_date

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
        "https://example.org/2020/01/02/on-2026-11-18",
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
    ],
)
def test_other_numbers_are_not_days(url: str) -> None:
    assert url_date(url) is None


def test_the_page_itself_is_believed_first_and_the_header_last() -> None:
    url, header = "https://example.org/2026/11/17/a", "Wed, 18 Nov 2026 00:34:00 GMT"
    assert published(url, header, "2026-11-16T10:00:00Z") == date(2026, 11, 16)
    assert published(url, header, "yesterday") == date(2026, 11, 17)
    assert is_of_day(DAY, "https://example.org/a", header)
    assert published("https://example.org/a", "soon") is None


@pytest.mark.parametrize("value", ["", "soon", "Wed, 99 Nov 2026 00:34:00 GMT", "1" * 100])
def test_a_header_that_is_not_a_date_has_no_time(value: str) -> None:
    assert http_time_s(value) is None
