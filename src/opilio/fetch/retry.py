"""How long a host asks to be left alone: the Retry-After header, in seconds or as an HTTP date.

It is a pure function of its arguments. Whatever a host sends, the answer lies between zero and the cap.
"""

from opilio.core.dates import http_time_s


def retry_after_s(value: str, now_s: float, cap_s: float) -> float | None:
    """Returns seconds from now, or None if the value is neither a number nor a date."""
    text = value.strip()
    if text.isascii() and text.isdigit():
        return cap_s if len(text) > 15 else min(float(text), cap_s)
    when_s = http_time_s(text)
    return None if when_s is None else min(max(0.0, when_s - now_s), cap_s)
