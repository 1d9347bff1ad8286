"""A made web that is not written: each page is made when it is asked for, so a web of any size costs what is fetched of it.

Planning takes 10 µs a page and 1 ms is needed for each that is fetched; a host's addresses are known from its first
request on. The pages are those that `make_web` would write with the same parameters and texts.
"""

from functools import cache

from opilio.core.clock import Clock
from opilio.core.items import Headers
from opilio.core.url import Url

from .address import Addresses
from .answering import Answering
from .links import Links
from .markup import Markup
from .plan import Page, Plan


class MadeFetcher(Answering):
    """Implements `Fetcher`."""

    def __init__(self, plan: Plan, clock: Clock | None = None) -> None:
        super().__init__(clock)
        self.plan = plan
        self._addresses = Addresses(plan)
        self._markup = Markup(plan, self._addresses, Links(plan))
        self._hosts = {host.name: host for host in plan.hosts}
        self._numbers = cache(self._index)

    def url(self, page: Page) -> str:
        return self._addresses.url(page)

    def find(self, url: Url) -> Page | None:
        number = self._numbers(url.host).get(url.href) if url.host in self._hosts else None
        return None if number is None else self.plan.page(number)

    def answer(self, url: Url) -> tuple[Headers, bytes] | None:
        page = self.find(url)
        return None if page is None else (page.headers, self._markup.show(page).html.encode())

    def _index(self, name: str) -> dict[str, int]:
        host = self._hosts[name]
        numbers = range(host.first, host.first + host.pages)
        return {self._addresses.url(self.plan.page(number)): number for number in numbers}
