"""How a crawl of the lab spends simulated time: hosts that rest between requests, and answers that take time.

Rules:
* Without a delay and with one request at a time, no time passes: only the order of the fetches counts.
* Otherwise an answer takes `ANSWER_S`, and one second more for each `BYTES_PER_S` of its body, whoever gives it. Up to
  `parallel` requests are under way at once, at most one for each host, which then rests for `delay_s`, as in every crawl.
* robots.txt is asked for first at every host, and takes as long as any answer.
* Nobody knows how long an address would take that was never recorded. Its answer takes no time, but its host rests.

Invariant: the same crawl at the same pace has the same order and the same times.
"""

from typing import Final, NamedTuple

from opilio.core.clock import Clock, ParallelClock
from opilio.core.items import Fetched
from opilio.core.outcome import Outcome
from opilio.core.url import Url
from opilio.fetch import TERMS, Terms

from .shelf import Shelf

ANSWER_S: Final = 0.5
BYTES_PER_S: Final = 1_000_000


class Pace(NamedTuple):
    delay_s: float = 0.0
    parallel: int = 1

    @property
    def takes_time(self) -> bool:
        return self.delay_s > 0 or self.parallel > 1

    @property
    def words(self) -> str:
        """Says under which conditions a table was made."""
        if not self.takes_time:
            return "one page after the other, without delays; simulated time stands still"
        requests = "1 request" if self.parallel == 1 else f"{self.parallel:,} requests"
        return (
            f"simulated time: {self.delay_s:g} s between requests to a host, up to {requests} at once, "
            f"{ANSWER_S:g} s for an answer and 1 s for each MB of it"
        )

    @property
    def settings(self) -> list[str]:
        if not self.takes_time:
            return []
        slots = (f"crawl.in_flight={self.parallel}", f"fetch.connections={self.parallel}")
        return [f"fetch.delay_s={self.delay_s}", *slots]

    def clock(self) -> ParallelClock | None:
        return ParallelClock() if self.takes_time else None


class SlowWeb:
    """Implements `Fetcher`: a web of the lab whose answers take time."""

    def __init__(self, shelf: Shelf, clock: Clock) -> None:
        self._shelf = shelf
        self._clock = clock

    def __contains__(self, url: object) -> bool:
        return url in self._shelf

    async def locate(self, url: Url) -> str | Outcome:
        return await self._shelf.locate(url)

    async def fetch(self, url: Url, address: str, terms: Terms = TERMS) -> Fetched:
        fetched = await self._shelf.fetch(url, address, terms)
        if fetched.outcome is not Outcome.NOT_IN_WEB and self._shelf.has_host(url.host):
            await self._clock.sleep_until(self._clock.now() + ANSWER_S + len(fetched.body) / BYTES_PER_S)
        return fetched

    async def close(self) -> None:
        await self._shelf.close()
