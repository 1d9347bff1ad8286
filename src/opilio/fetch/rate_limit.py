"""How long a service asks to be left alone in the headers of its answers, before it has to refuse a request.

Services name the requests that are left and the time at which there are more, with or without "X-", and that time as
seconds from now, as seconds since 1970 or as a date. Some say Retry-After in an answer that is not an error, as wikis
do whose databases lag behind. A pure function reads them all; the answer lies between zero and the cap.
"""

from datetime import UTC, datetime
from typing import Final

from opilio.core.items import Fetched

from .retry import retry_after_s

_NAMES: Final = ("x-ratelimit-", "ratelimit-")
_EPOCH_S: Final = 1e9  # no service counts 30 years from now


def rate_limit_pause_s(fetched: Fetched, now_s: float, cap_s: float) -> float:
    """Returns how long to wait before the next request: 0 while requests are left, or if the headers cannot be read."""
    asked_s = retry_after_s(fetched.header("retry-after"), now_s, cap_s)
    if asked_s:
        return asked_s
    for name in _NAMES:
        remaining = _number(fetched.header(f"{name}remaining"))
        if remaining is not None:
            return 0.0 if remaining >= 1 else min(max(0.0, _reset_s(fetched.header(f"{name}reset"), now_s)), cap_s)
    return 0.0


def _reset_s(text: str, now_s: float) -> float:
    number = _number(text)
    if number is not None:
        return number - now_s if number > _EPOCH_S else number
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return 0.0
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() - now_s


def _number(text: str) -> float | None:
    """Returns a number that is not negative, or None. Only digits and one point: no service sends anything else."""
    return float(text) if text.replace(".", "", 1).isdecimal() and text.isascii() and len(text) < 32 else None
