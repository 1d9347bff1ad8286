"""A made web that is not written: each page is made when it is asked for, so a web of any size costs what is fetched of it.

Planning takes 10 µs a page and 1 ms is needed for each that is fetched; a host's addresses are known from its first
request on. The pages are those that `make_web` would write with the same parameters and texts.
"""

from functools import cache

from opilio.core.clock import Clock, SimulatedClock
from opilio.core.items import Fetched
from opilio.core.outcome import Outcome
from opilio.core.url import Url
from opilio.fetch import TERMS, Terms

from .address import Addresses
from .links import Links
from .markup import Markup
from .plan import Page, Plan


class MadeFetcher:
    """Implements `Fetcher`."""

    def __init__(self, plan: Plan, clock: Clock | None = None) -> None:
        self.plan = plan
        self._clock = clock or SimulatedClock()
        self._addresses = Addresses(plan)
        self._markup = Markup(plan, self._addresses, Links(plan))
        self._hosts = {host.name: host for host in plan.hosts}
        self._numbers = cache(self._index)

    def url(self, page: Page) -> str:
        return self._addresses.url(page)

    def find(self, url: Url) -> Page | None:
        number = self._numbers(url.host).get(url.href) if url.host in self._hosts else None
        return None if number is None else self.plan.page(number)

    async def locate(self, url: Url) -> str | Outcome:  # noqa: ARG002  the protocol's signature
        return ""

    async def fetch(self, url: Url, address: str, terms: Terms = TERMS) -> Fetched:
        page, now_s = self.find(url), self._clock.now()
        if page is None:
            missing = (Outcome.HTTP_ERROR, 404) if url.path == "/robots.txt" else (Outcome.NOT_IN_WEB, 0)
            return Fetched(url.href, *missing, address=address, started_s=now_s)
        body = self._markup.show(page).html.encode()
        if terms.max_bytes is not None and len(body) > terms.max_bytes:
            return Fetched(url.href, Outcome.TOO_LARGE, 200, page.headers, address=address, started_s=now_s)
        return Fetched(url.href, Outcome.OK, 200, page.headers, body, address=address, started_s=now_s)

    async def close(self) -> None:
        pass

    def _index(self, name: str) -> dict[str, int]:
        host = self._hosts[name]
        numbers = range(host.first, host.first + host.pages)
        return {self._addresses.url(self.plan.page(number)): number for number in numbers}
