"""What a crawl reads pages with: the network, a recorded web, a made one, or an archive. It has a file of its own, so that
whoever only names the type does not load an HTTP client, which takes 0.2 s."""

from typing import Protocol

from opilio.core.items import Fetched
from opilio.core.outcome import Outcome
from opilio.core.url import Url

from .terms import TERMS, Terms


class Fetcher(Protocol):
    async def locate(self, url: Url) -> str | Outcome:
        """Returns the address to connect to, "" if there is none to choose, or the reason not to connect."""
        ...

    async def fetch(self, url: Url, address: str, terms: Terms = TERMS) -> Fetched: ...

    async def close(self) -> None: ...
