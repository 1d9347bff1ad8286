"""A web that is not on disk: each page is made, or read, when it is asked for."""

from abc import ABC, abstractmethod

from opilio.core.clock import Clock, SimulatedClock
from opilio.core.items import Fetched, Headers
from opilio.core.outcome import Outcome
from opilio.core.url import Url
from opilio.fetch import TERMS, Terms


class Answering(ABC):
    """Implements `Fetcher`; `answer` is left to whoever knows the pages. No host has a robots.txt."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SimulatedClock()

    @abstractmethod
    def answer(self, url: Url) -> tuple[Headers, bytes] | None:
        """Returns a page's headers and body, or None if there is no such page."""

    async def locate(self, url: Url) -> str | Outcome:  # noqa: ARG002  the protocol's signature
        return ""

    async def fetch(self, url: Url, address: str, terms: Terms = TERMS) -> Fetched:
        found, now_s = self.answer(url), self._clock.now()
        if found is None:
            missing = (Outcome.HTTP_ERROR, 404) if url.path == "/robots.txt" else (Outcome.NOT_IN_WEB, 0)
            return Fetched(url.href, *missing, address=address, started_s=now_s)
        headers, body = found
        if terms.max_bytes is not None and len(body) > terms.max_bytes:
            return Fetched(url.href, Outcome.TOO_LARGE, 200, headers, address=address, started_s=now_s)
        return Fetched(url.href, Outcome.OK, 200, headers, body, address=address, started_s=now_s)

    async def close(self) -> None:  # noqa: B027  there is nothing to close
        pass
