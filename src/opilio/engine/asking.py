"""What answers the questions of sources: one polite request after the other to each host, within a budget.

Rules:
* Every hop is located and guarded like a page of a crawl. Two requests to a host, or to an address, lie the delay apart,
  whichever source asks.
* What a service asks for is kept: Retry-After, a Crawl-delay where robots.txt has a say, and headers that say that no
  request is left.
* Every request counts in the budget, robots.txt and redirects included. When it is spent, `BudgetSpent` is raised before a
  request, never after one.
* Headers of a question, which may hold a token, go to the host that was asked and to no other.
"""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from opilio.core.bounded import BoundedMap
from opilio.core.clock import Clock
from opilio.core.config import Config
from opilio.core.items import Fetched
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, parse
from opilio.discover import BudgetSpent, Question
from opilio.fetch import TERMS, Fetcher, RobotsCache, Rules, Terms, fetch_robots
from opilio.fetch.decode import decode
from opilio.fetch.rate_limit import rate_limit_pause_s

_MOST_HOSTS: Final = 100_000  # whose next time is remembered


@dataclass
class Spending:
    """The requests that were made, and how many may be. Several sources may share one."""

    budget: int = 0  # 0: no limit
    requests: int = 0

    def spend(self) -> None:
        if self.budget and self.requests >= self.budget:
            raise BudgetSpent
        self.requests += 1


class _Turn:
    """The right to ask one place: held by one request at a time, and not before its next time has come."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.free_s = 0.0


@dataclass
class Asker:
    """Implements `Ask` for all sources of a run. Whoever makes it closes the fetcher."""

    config: Config
    fetcher: Fetcher
    robots: RobotsCache
    clock: Clock
    spending: Spending = field(default_factory=Spending)

    def __post_init__(self) -> None:
        self._turns: BoundedMap[str, _Turn] = BoundedMap(_MOST_HOSTS)
        self._origins: BoundedMap[str, asyncio.Lock] = BoundedMap(_MOST_HOSTS)  # who asks for its rules

    async def __call__(self, question: Question) -> Fetched:
        url = parse(question.url)
        if isinstance(url, Drop):
            return Fetched(question.url, Outcome.SCHEME_REFUSED)
        fetched = await self._persist(url, question)
        for _ in range(self.config.limits.redirects):
            if fetched.outcome is not Outcome.REDIRECT:
                break
            target = parse(fetched.location)
            if isinstance(target, Drop):
                return Fetched(fetched.location, Outcome.SCHEME_REFUSED)
            if target.host != url.host:
                question = question._replace(headers=())
            url = target
            fetched = await self._persist(url, question)
        return self._decoded(fetched)

    async def _persist(self, url: Url, question: Question) -> Fetched:
        """Asks again, after a pause, where another try may succeed."""
        rules = await self._rules(url) if question.robots else None
        if rules is not None and not rules.allows(url):
            return Fetched(url.href, Outcome.ROBOTS_REFUSED)
        delay_s = max(question.delay_s, min((rules and rules.crawl_delay_s) or 0.0, self.config.fetch.max_delay_s))
        terms = Terms(question.at_most_bytes, method=question.method, headers=question.headers)
        for _ in range(self.config.fetch.tries - 1):
            fetched = await self.request(url, terms, delay_s)
            if not fetched.outcome.worth_retrying:
                return fetched
        return await self.request(url, terms, delay_s)

    async def request(self, url: Url, terms: Terms, delay_s: float = 0.0) -> Fetched:
        """Makes one request when its turn has come, at least the delay after the one before."""
        address = await self.fetcher.locate(url)
        if isinstance(address, Outcome):
            return Fetched(url.href, address)
        settings = self.config.fetch
        turns = [self._turns.setdefault(place, _Turn()) for place in dict.fromkeys((url.host, address or url.host))]
        async with AsyncExitStack() as held:
            for turn in turns:  # hosts before addresses, so that nobody waits in a circle
                await held.enter_async_context(turn.lock)
            await self.clock.sleep_until(max(turn.free_s for turn in turns))
            self.spending.spend()
            fetched = await self.fetcher.fetch(url, address, terms)
            pause_s = max(settings.delay_s, delay_s, rate_limit_pause_s(fetched, self._now(), settings.max_backoff_s))
            if fetched.outcome.worth_retrying:
                pause_s = max(pause_s, min(fetched.retry_after_s or settings.backoff_s, settings.max_backoff_s))
            for turn in turns:
                turn.free_s = self._now() + pause_s
        return fetched

    async def _rules(self, url: Url) -> Rules:
        """Returns the rules of the URL's origin, which are fetched once, whoever asks first."""
        async with self._origins.setdefault(url.origin, asyncio.Lock()):
            rules = self.robots.get(url.origin, self._now())
            if rules is None:
                rules, _ = await fetch_robots(
                    _Paced(self), url, _permit, self.config.limits, self.config.operator.name,
                    strict_forbidden=self.config.fetch.robots_forbidden_is_disallow,
                )  # fmt: skip
                self.robots.put(url.origin, rules, self._now())
        return rules

    def _decoded(self, fetched: Fetched) -> Fetched:
        body = decode(fetched.body, fetched.header("content-encoding"), self.config.limits.decoded_bytes)
        if isinstance(body, Drop):
            outcome = Outcome.TOO_LARGE if body is Drop.DECODE_LIMIT else Outcome.PROTOCOL_ERROR
            return replace(fetched, outcome=outcome, body=b"", detail=body.words)
        return replace(fetched, body=body)

    def _now(self) -> float:
        return self.clock.now()


class _Paced:
    """The asker as a fetcher, for what takes one: each request waits its turn and counts."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def locate(self, url: Url) -> str | Outcome:
        return await self._asker.fetcher.locate(url)

    async def fetch(self, url: Url, address: str, terms: Terms = TERMS) -> Fetched:  # noqa: ARG002
        return await self._asker.request(url, terms)

    async def close(self) -> None:
        pass


async def _permit(_target: Url, _address: str) -> bool:
    return True  # `_Paced` waits for every turn itself
