"""The terms of a request, for requests that are not for a page."""

from typing import Final, NamedTuple

from opilio.core.items import Headers


class Terms(NamedTuple):
    max_bytes: int | None = None  # of the body as received; None: limits.body_bytes
    cut: bool = False  # whether a longer body is cut there instead of refused
    method: str = "GET"  # or HEAD
    headers: Headers = ()  # besides those of every request; recorded answers are the same for all


TERMS: Final = Terms()
