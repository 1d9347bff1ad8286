"""The day on which a page was published, as far as its address, its headers and the page itself tell.

Pure functions. Whoever asks for the day of a page gives what is known of it, and gets the first of these that is a day: what
the page says of itself (its markup, read elsewhere), what its address says, and when the server says it was last modified. The
last is the weakest: many servers make pages anew with each request.
"""

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_FIRST_YEAR: Final = 1990  # no page of the web is older
_LONGEST: Final = 64  # no date of a header is longer
# Year, month and day with the same sign between them, or none at all; no other digit may stand next to them.
_IN_ADDRESS: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)([-_/.]?)(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?!\d)")


def url_date(url: str) -> date | None:
    """Returns the last day that an address names, such as /2026/11/18/, 2026-11-18 or 20261118; None if it names none."""
    path = url.partition("://")[2].partition("/")[2]
    for year, sign, month, day in reversed(_IN_ADDRESS.findall(path)):
        if (sign or len(month) == len(day) == 2) and (found := _day(int(year), int(month), int(day))):
            return found
    return None


def http_time_s(value: str) -> float | None:
    """Returns the time of an HTTP date in seconds since the epoch, or None if it is not one."""
    if len(value) > _LONGEST:
        return None
    try:
        when = parsedate_to_datetime(value)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def published(url: str, last_modified: str = "", own: str = "") -> date | None:
    """Returns the day of a page. `own` is the date that its markup gives (ISO 8601), `last_modified` the header."""
    return _iso(own) or url_date(url) or _http(last_modified)


def is_of_day(day: date, url: str, last_modified: str = "", own: str = "") -> bool:
    """Returns whether a page was published on this day."""
    return published(url, last_modified, own) == day


def _http(value: str) -> date | None:
    when_s = http_time_s(value)
    return None if when_s is None else datetime.fromtimestamp(when_s, UTC).date()


def _iso(value: str) -> date | None:
    try:
        return date.fromisoformat(value[:10])
    except ValueError:
        return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if year >= _FIRST_YEAR else None
    except ValueError:
        return None
