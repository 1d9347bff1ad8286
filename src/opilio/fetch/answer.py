"""What a status line and headers mean, the same for a live web and a recorded one.

A pure function decides whether the body is read, where a redirect leads and how long a host asks us to wait. Bodies of
redirects and errors are never read: nobody parses them, and they could hide a decompression bomb.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from opilio.core.items import Headers
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, parse

from .retry import retry_after_s

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_THROTTLES: Final = frozenset({429, 503})
RETRY_CAP_S: Final = 86_400.0


class Answer(NamedTuple):
    outcome: Outcome
    location: str = ""
    retry_after_s: float | None = None


_OK: Final = Answer(Outcome.OK)
_NOT_MODIFIED: Final = Answer(Outcome.NOT_MODIFIED)
_HTTP_ERROR: Final = Answer(Outcome.HTTP_ERROR)


def read_answer(url: Url, status: int, headers: Headers, now_s: float) -> Answer:
    if 200 <= status < 300:
        return _OK
    if status == 304:
        return _NOT_MODIFIED
    if status in _REDIRECTS and (location := _first(headers, "location")):
        target = parse(location, url.href)
        return Answer(Outcome.REDIRECT, location if isinstance(target, Drop) else target.href)
    if status in _THROTTLES:
        return Answer(Outcome.THROTTLED, "", retry_after_s(_first(headers, "retry-after"), now_s, RETRY_CAP_S))
    return _HTTP_ERROR


def text_headers(raw: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Decodes headers to text that can be stored: as UTF-8 if possible, else as Latin-1, which accepts every byte."""
    return tuple((_text(name), _text(value)) for name, value in raw)


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _first(headers: Headers, name: str) -> str:
    return next((value for key, value in headers if key.lower() == name), "")
