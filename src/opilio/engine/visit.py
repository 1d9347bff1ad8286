"""One lease from beginning to end: robots, address, fetch, glean, and how it ends.

Rules: there is no request without the host's rules. The address is known and its lane taken before a byte is sent. The
host is released as soon as the request is over, before the page is processed. A visit ends in exactly one of finish, retry
or give back.
"""

import asyncio
import os
from typing import Final, NamedTuple

from opilio.core.causes import CAUSES
from opilio.core.clock import Clock
from opilio.core.config import Config
from opilio.core.events import Events
from opilio.core.items import Fetched, Gleaned, Lease, Page
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, split
from opilio.enqueue import Ending, Frontier
from opilio.fetch import TERMS, Fetcher, RobotsCache, Rules, fetch_robots
from opilio.folder.tally import Tally
from opilio.keep import Corpus, Found

from .court import Court
from .documents import Documents
from .follow import Follow
from .listing import kind_of
from .listings import Listings
from .marking import Marking
from .refusal import marked_meanwhile
from .revisits import Revisits
from .work import HEAVY_S, Task

ROBOTS_TXT: Final = "robots.txt"  # the detail of a link that waits because these rules could not be fetched
_ANSWERS: Final = frozenset(
    {Outcome.OK, Outcome.REDIRECT, Outcome.HTTP_ERROR, Outcome.NOT_IN_WEB, Outcome.NOT_MODIFIED}
)
_PROMPT_S: Final = 5.0  # a page that takes longer leaves its host in doubt
_HEAVY_REST: Final = 20  # a host rests this many times as long as a heavy page took: it gets a twentieth of a core
_LONG_S: Final = 1.0  # while a page is being read for longer, its host is not asked for another
_LOOK_S: Final = 0.25  # how often that is looked at
_HEAVY_PARTS: Final = 4  # heavy pages get one part in this many of the workers' time
_RULE_REST_S: Final = 14e-6  # for each byte of a host's rules: twenty times what reading them takes
_ATTEMPTS: Final = 20  # to get a turn at the host that a robots.txt redirects to


class Parts(NamedTuple):
    """The stages of one crawl, as `build` has put them together."""

    frontier: Frontier
    fetcher: Fetcher
    robots: RobotsCache
    court: Court
    corpus: Corpus
    documents: Documents
    follow: Follow
    listings: Listings
    marking: Marking
    revisits: Revisits
    tally: Tally
    clock: Clock
    events: Events


class Judgement(NamedTuple):
    """What was decided about a page, for whoever watches the crawl."""

    title: str
    score: float
    drop: Drop | None


class Visit:
    def __init__(self, parts: Parts, config: Config) -> None:
        self._parts = parts
        self.last_kept: Judgement | None = None
        self.last_refused: Judgement | None = None
        self.config = config  # may be replaced while the crawl runs
        self.held_bytes = {True: 0, False: 0}  # bodies between fetch and ending, by whether their hosts are proven
        self._read: dict[
            int, asyncio.TimerHandle
        ] = {}  # links whose pages are being read, and when that is looked at next
        self._heavy_until_s = 0.0  # pages that take long have had their share of the workers until then
        self.trouble = ""  # the last failure of a host, for people who wait for the first page

    async def run(self, lease: Lease) -> Gleaned | None:
        """Takes the lease to its end. Returns what was kept, if anything was."""
        url = split(lease.url)
        if isinstance(url, Drop):  # cannot be: only canonical URLs are queued
            self._parts.frontier.finish(lease, Ending(url), self._now())
            return None
        if not lease.again and self._parts.listings.is_full(lease):
            self._parts.frontier.finish(
                lease, Ending(Drop.LISTING, detail="read already, or enough was taken from others"), self._now()
            )
            return None
        rules = self._parts.robots.get(url.origin, self._now())
        if rules is not None and not rules.unreachable and not rules.allows(url):
            if lease.again:
                self._parts.revisits.note(lease, Found.FORBIDDEN, self._now())
                return None
            self._parts.frontier.finish(lease, Ending(Drop.ROBOTS), self._now())
            return None
        address = await self._parts.fetcher.locate(url)
        if isinstance(address, Outcome):
            self._failed(lease, Fetched(lease.url, address, started_s=self._now()), asked=False)
            return None
        if not self._parts.frontier.place(lease, address, self._now()):
            return None
        if rules is None or rules.unreachable:
            await self._learn_rules(lease, url, address)
            return None
        return await self._fetch(lease, url, address, rules)

    async def _fetch(self, lease: Lease, url: Url, address: str, rules: Rules) -> Gleaned | None:
        terms = self._parts.revisits.terms(lease) if lease.again else TERMS
        fetched = await self._parts.fetcher.fetch(url, address, terms)
        self._parts.tally.answered(fetched.outcome, len(fetched.body), again=lease.again)
        self._emit("fetch", lease, outcome=fetched.outcome, size_bytes=len(fetched.body), detail=fetched.detail)
        if fetched.outcome in _ANSWERS:
            self._parts.frontier.schedule.answered(lease.host, promptly=fetched.seconds < _PROMPT_S)
            is_page, pause_s = (
                fetched.outcome is not Outcome.NOT_IN_WEB and not lease.again,
                _rule_pause_s(rules, fetched),
            )
            self._parts.frontier.release(lease, self._now(), page=is_page, pause_s=pause_s)
            if lease.again and self._end_again(lease, fetched):
                return None
        if fetched.outcome is Outcome.REDIRECT:
            drop = self._parts.follow.redirect(lease, fetched.location, self._now())
            self._parts.frontier.finish(lease, self._ending(drop, fetched, fetched.location), self._now())
        elif fetched.outcome is Outcome.OK:
            return await self._glean(lease, fetched, rules)
        else:
            self._failed(lease, fetched)
        return None

    def _end_again(self, lease: Lease, fetched: Fetched) -> bool:
        """Ends a visit to a page that was fetched before, if it brought no other page. Returns whether it did end."""
        if fetched.outcome is Outcome.REDIRECT:
            self._parts.follow.redirect(lease, fetched.location, self._now())
        return self._parts.revisits.end_without_page(lease, fetched, self.config.keep, self._now())

    async def _glean(self, lease: Lease, fetched: Fetched, rules: Rules) -> Gleaned | None:
        self.held_bytes[lease.proven] += len(fetched.body)
        try:
            parent = self._parts.frontier.links.url(lease.parent) if lease.parent else ""
            marked = self._parts.marking.marks.get(lease.id)
            task = Task(fetched, lease.depth, parent, rules.signals, marked, kind_of(lease.url))
            if fetched.address:  # the order of a recorded web must not depend on time
                self._watch(lease)
            gleaned = await self._parts.court.run(task, proven=lease.proven)
        finally:
            self.held_bytes[lease.proven] -= len(fetched.body)
            if (watch := self._read.pop(lease.id, None)) is not None:
                watch.cancel()
        if gleaned.cpu_s and fetched.address:
            self._parts.frontier.schedule.doubt(lease.host)
            if gleaned.cpu_s >= HEAVY_S:
                self._rest(lease, gleaned.held_s)
        if (now := self._parts.marking.marks.get(lease.id)) is not None and now is not marked:
            gleaned = marked_meanwhile(gleaned, now, self.config.keep)
        if gleaned.drop is Drop.LISTING and gleaned.page is not None and not lease.again:
            self._list(lease, fetched, gleaned.page)
            return None
        return self._settle(lease, fetched, gleaned, now, rules)

    def _watch(self, lease: Lease) -> None:
        """Lets the host rest from `_LONG_S` on for as long as its page is being read: otherwise a host with heavy pages would
        have many of them in work before the first is known to be one."""
        is_long = lease.id in self._read
        if is_long:
            self._parts.frontier.schedule.rest(lease.host, 2 * _LOOK_S, self._now())
        later_s = _LOOK_S if is_long else _LONG_S
        self._read[lease.id] = asyncio.get_running_loop().call_later(later_s, self._watch, lease)

    def _rest(self, lease: Lease, held_s: float) -> None:
        """Lets a host rest whose page held a worker for long: for twenty times as long, and until all such pages together have
        had no more than a quarter of the workers."""
        now_s, workers = self._now(), self.config.crawl.workers or os.cpu_count() or 1
        self._heavy_until_s = max(self._heavy_until_s, now_s) + _HEAVY_PARTS * held_s / workers
        pause_s = min(max(_HEAVY_REST * held_s, self._heavy_until_s - now_s), self.config.fetch.max_backoff_s)
        self._parts.frontier.schedule.rest(lease.host, pause_s, now_s)
        self._emit("host", lease, detail=f"rests for {pause_s:.0f} s, because its page took {held_s:.1f} s to read")

    def _list(self, lease: Lease, fetched: Fetched, page: Page) -> None:
        """Ends the lease of a sitemap or feed, and queues its links in the same transaction."""
        if self._parts.frontier.finish(lease, self._ending(Drop.LISTING, fetched, ""), self._now()):
            links = self._parts.listings.read(lease, page, self._now())
            self._emit("listing", lease, detail=f"{links} links")

    def _settle(
        self, lease: Lease, fetched: Fetched, gleaned: Gleaned, marked: bool | None, rules: Rules
    ) -> Gleaned | None:
        """Does everything that must happen together: the ending, the record and the links are one transaction."""
        now_s = self._now()
        drop, detail = gleaned.drop, gleaned.detail
        if lease.again and (found := self._parts.revisits.compare(lease, gleaned)) is not Found.CHANGED:
            self._parts.revisits.note(lease, found, now_s, fetched)
            return None
        twin = self._parts.corpus.find_text(gleaned.text_digest) if drop is None else 0
        if twin not in (0, lease.id):
            drop, detail = Drop.DUPLICATE, f"same text as {self._parts.frontier.links.url(twin)}"
        if (
            drop is Drop.NOT_RELEVANT and marked
        ):  # marked while it was under way, and not stored: it is fetched once more
            self._parts.frontier.give_back(lease, now_s)
            return None
        verdict, page = gleaned.verdict, gleaned.page
        score, belongs = (verdict.score, verdict.belongs) if verdict else (None, False)
        ending = self._ending(drop, fetched, detail)._replace(judge_score=score, belongs=belongs)
        visit = self._parts.revisits.visit(lease, Found.CHANGED, now_s, fetched) if lease.again else None
        if not self._parts.frontier.finish(lease, ending, now_s):
            return None
        told = belongs if marked is None else marked
        is_probability = marked is None and self._parts.court.judge.gives_probabilities
        if not lease.again:
            self._parts.tally.unread += drop is not None and drop.is_unreadable
            self._parts.tally.judged(score if is_probability and score is not None else float(told), belongs=told)
        if page is not None and verdict is not None:
            self._remember(Judgement(page.title or page.url, verdict.score, drop))
            self._parts.court.watch(page, verdict)
            if marked is not None:
                self._parts.court.teach(page, marked)
            self._parts.follow.page(
                lease, page, verdict, now_s, kept=drop is None, size_bytes=len(fetched.body), address=fetched.address
            )
            if visit is not None:
                self._parts.revisits.renew(visit, gleaned, drop, self.config.keep)
            elif gleaned.record:
                self._parts.documents.store(lease.id, gleaned, drop, self.config.keep.refused)
            if drop is None:
                self._parts.listings.kept(lease, page, rules.sitemaps, now_s)
                self._emit("keep", lease, score=score)
                return gleaned
        return None

    def _remember(self, judgement: Judgement) -> None:
        if judgement.drop is None:
            self.last_kept = judgement
        else:
            self.last_refused = judgement

    async def _learn_rules(self, lease: Lease, url: Url, own: str) -> None:
        """Fetches robots.txt under the lease, then gives the link back, which is fetched after the host's delay."""
        settings, frontier = self.config.fetch, self._parts.frontier
        held: list[tuple[str, str]] = []

        async def permit(target: Url, address: str) -> bool:
            """Waits until the target of a redirected robots.txt may be requested: for the delay at this lease's own host,
            elsewhere until that host is free, and its address if it is not this lease's. Returns False if it never was."""
            if target.host in (url.host, *(host for _, host in held)):
                await self._parts.clock.sleep_until(self._now() + frontier.schedule.delay_s(target.host))
                return True
            place = "" if address in (own, *(place for place, _ in held)) else address
            for _ in range(_ATTEMPTS):
                await self._parts.clock.sleep_until(self._now() + frontier.schedule.politeness.delay_s)
                if frontier.schedule.hold(place, target.host, self._now()):
                    held.append((place, target.host))
                    return True
            return False

        rules, fetched = await fetch_robots(
            self._parts.fetcher, url, permit, self.config.limits, self.config.operator.name,
            strict_forbidden=settings.robots_forbidden_is_disallow,
        )  # fmt: skip
        for address, host in held:
            frontier.schedule.let_go(address, host, self._now())
        self._parts.tally.robots += 1
        self._emit("robots", lease, outcome=fetched.outcome, detail="unreachable" if rules.unreachable else "")
        # The target of a redirect was never free, which does not count as a failure.
        no_turn = rules.unreachable and fetched.outcome is Outcome.REDIRECT
        if not no_turn:
            self._parts.robots.put(url.origin, rules, self._now())
        pause_s = 0.0 if no_turn else self._robots_pause_s(lease, rules, fetched)
        frontier.release(lease, self._now(), pause_s=pause_s, page=False)
        frontier.give_back(lease, self._now(), self._ending(None, fetched, ROBOTS_TXT) if rules.unreachable else None)
        self._give_up_if_failing(lease, fetched)

    def _robots_pause_s(self, lease: Lease, rules: Rules, fetched: Fetched) -> float:
        """Returns how long the host rests, beyond its delay, after its robots.txt was asked for."""
        schedule, settings = self._parts.frontier.schedule, self.config.fetch
        if not rules.unreachable:
            schedule.answered(lease.host)
            schedule.raise_crawl_delay(lease.host, rules.crawl_delay_s or 0.0)
            return _rule_pause_s(rules, fetched)
        pause_s = max(schedule.failed(lease.host), settings.robots_retry_s if fetched.status else 0.0)
        return min(max(pause_s, fetched.retry_after_s or 0.0), settings.max_backoff_s)

    def _failed(self, lease: Lease, fetched: Fetched, *, asked: bool = True) -> None:
        """Ends or retries a lease that brought no page. A host that caused the failure rests for longer than its delay."""
        frontier, now_s = self._parts.frontier, self._now()
        pause_s = 0.0
        if fetched.outcome.blames_host:
            pause_s = frontier.schedule.failed(lease.host)
            if fetched.retry_after_s:  # 0 would ask for what the host just refused
                pause_s = min(fetched.retry_after_s, self.config.fetch.max_backoff_s)
        frontier.release(lease, now_s, pause_s=pause_s, page=asked and not lease.again)
        drop = Drop.NOT_IN_WEB if fetched.outcome is Outcome.NOT_IN_WEB else Drop.FETCH_FAILED
        ending = self._ending(drop, fetched, fetched.detail)
        if fetched.outcome.worth_retrying and not (lease.again and lease.tries + 1 >= self.config.fetch.tries):
            frontier.retry(lease, ending, now_s)
        elif lease.again:
            self._parts.revisits.note(lease, Found.FAILED, now_s)
        else:
            frontier.finish(lease, ending, now_s)
        self._give_up_if_failing(lease, fetched)

    def _give_up_if_failing(self, lease: Lease, fetched: Fetched) -> None:
        if fetched.outcome.blames_host:
            words = CAUSES[fetched.outcome].words
            self.trouble = words.format(host=lease.host, status=fetched.status, depth=lease.depth)
        if self._parts.frontier.schedule.is_failing(lease.host):
            count = self._parts.frontier.close_host(lease.host, Drop.HOST_DEAD, fetched.outcome)
            self._emit("host", lease, outcome=fetched.outcome, detail=f"given up with {count} queued links")

    def _ending(self, drop: Drop | None, fetched: Fetched, detail: str) -> Ending:
        """Builds an ending with the crawl's present time. A document has the time at which its answer was recorded."""
        return Ending(drop, fetched.outcome, fetched.status, self._now(), detail=detail[:1000])

    def _emit(self, stage: str, lease: Lease, **fields: object) -> None:
        self._parts.events.emit(self._now(), stage, url=lease.url, host=lease.host, **fields)

    def _now(self) -> float:
        return self._parts.clock.now()


def _rule_pause_s(rules: Rules, fetched: Fetched) -> float:
    """Returns how long a host rests because of the length of its rules, which are read in this process. Rules of 50 kB cost no
    more than the usual delay. Recorded hosts are not asked."""
    return _RULE_REST_S * len(rules.source) if fetched.address else 0.0
