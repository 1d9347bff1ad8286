"""Dates in addresses and in HTTP headers. Pure functions."""

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_FIRST_YEAR: Final = 1990  # no page of the web is older
_LONGEST: Final = 64  # no date of a header is longer
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Year, month and day with the same sign between them, or a slash before the day; no other digit may stand next to them.
_IN_ADDRESS: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)([-_/.]?)(1[0-2]|0?[1-9]|[a-z]{3})(\2|/)([12]\d|3[01]|0?[1-9])(?!\d)", re.IGNORECASE
)


def url_date(url: str) -> date | None:
    """Returns the first day that an address names after its host, such as /2026/11/18/, /2026/nov/18/, 2026-11-18 or 20261118;
    None if it names none."""
    path = url.partition("://")[2].partition("/")[2]
    return next((day for found in _IN_ADDRESS.findall(path) if (day := _day(*found))), None)


def http_time_s(value: str) -> float | None:
    """Returns the time of an HTTP date in seconds since the epoch, or None if it is not one."""
    if len(value) > _LONGEST:
        return None
    try:
        when = parsedate_to_datetime(value)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def http_date(value: str) -> date | None:
    """Returns the day of an HTTP date, or None if it is not one."""
    when_s = http_time_s(value)
    return None if when_s is None else datetime.fromtimestamp(when_s, UTC).date()


def _day(year: str, sign: str, month: str, _: str, day: str) -> date | None:
    if int(year) < _FIRST_YEAR or (not sign and len(month + day) < 4):
        return None
    try:
        return date(int(year), int(month) if month.isdecimal() else _MONTHS.index(month.lower()) + 1, int(day))
    except ValueError:
        return None
