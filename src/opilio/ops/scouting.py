"""A scout at work: sources find, short URLs are asked where they lead, URLs are drawn and probed; all of it in one directory.

Rules:
* Sources run side by side. A `SourceError` ends its source and is told; the others go on.
* A source's batch and its memory are committed together, in one go without a wait in between.
* Drawing begins when all sources have ended for now, so that a killed scout that is run again draws what it would have drawn.
* The first Ctrl-C, or SIGTERM, stops cleanly: requests of sources are let go, pages under way are finished.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from opilio.core.config import Config
from opilio.core.items import Fetched
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, split
from opilio.discover import Ask, BudgetSpent, Question, Source, SourceError
from opilio.discover.blocklist import read_blocklist
from opilio.discover.directory import Directory, Listed
from opilio.discover.short_url import is_shortener
from opilio.discover.standing import SourceStanding, Standing
from opilio.discover.url_filter import Refusal, UrlFilter
from opilio.engine.access import build_asker
from opilio.engine.asking import Spending
from opilio.engine.loop import Crawl

from .probing import Probing
from .watching import heed_signals, keep_ticking

_ASKED_AT_ONCE: Final = 50  # short URLs
_MOST_SHORT_PER_HOST: Final = 1_000  # in a run, since they are asked one after the other; the rest is for the next run
_NO_SOURCES: Final[Mapping[str, Source]] = {}
_STOPPED: Final = "stopped by the operator"


class ScoutWatch:
    """Sees nothing. Derive from it, and override what you want to be told."""

    interval_s: float = 3600.0

    def start(self, standing: Standing) -> None:
        """Begins to watch."""

    def tick(self) -> None:
        """Is called whenever the interval has passed."""

    def end(self) -> None:
        """Is called when the scout has ended, even by an error."""


class Scouting:
    def __init__(
        self,
        directory: Directory,
        config: Config,
        work: Path,
        web: Sequence[Path] = (),
        samples: Mapping[str, str] | None = None,
        watch: ScoutWatch | None = None,
        *,
        from_archive: bool = False,
    ) -> None:
        """`samples` has the texts of samples that are URLs. With `from_archive`, pages that Common Crawl has are probed, from its
        archive, and no site is asked; all other URLs wait for a run without it."""
        self._directory = directory
        self._config = config
        self._work = work
        self._web = web
        self._samples = samples or {}
        self._watch = watch or ScoutWatch()
        self._from_archive = from_archive
        self._rules = UrlFilter(read_blocklist(config.scout.blocklist))
        self._crawl: Crawl | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._spending = Spending(config.scout.budget)
        self.standing = Standing(requests=lambda: self._spending.requests)

    # --- from outside

    async def run(self, sources: Mapping[str, Source] = _NO_SOURCES, *, draws: bool = True) -> Standing:
        """Finds, resolves, draws and probes. Without `draws`, only what is drawn already is probed."""
        self.standing.sources = [SourceStanding(name) for name in sources]
        self._watch.start(self.standing)
        ticker = asyncio.create_task(keep_ticking(self._watch))
        try:
            async with heed_signals(self.stop):
                if draws:
                    await self._resolve()  # what an earlier run has left, lest sources spend the budget every time
                    await self._find(sources)
                    await self._resolve()
                await self._probe(draws=draws)
        finally:
            ticker.cancel()
            with suppress(asyncio.CancelledError):
                await ticker
            self._watch.end()
        return self.standing

    def stop(self) -> None:
        self.standing.stopped = True
        for task in self._tasks:
            task.cancel()
        if self._crawl is not None:
            self._crawl.stop(_STOPPED)

    # --- sources

    async def _find(self, sources: Mapping[str, Source]) -> None:
        if not sources:
            return
        self.standing.step = "asking sources"
        asker = build_asker(self._config, self._web, self._directory.connection, self._spending)
        try:
            await self._together(self._drain(each, sources[each.name], asker) for each in self.standing.sources)
        finally:
            await asker.fetcher.close()
        self._directory.commit()  # rules of robots.txt

    async def _drain(self, standing: SourceStanding, source: Source, ask: Ask) -> None:
        memory = self._directory.memory(standing.name)
        scout = self._config.scout
        standing.state = "asking"
        try:
            async for finds in source.finds(ask, memory):
                taken = self._directory.take(
                    standing.name, finds, self._rules, scout.short_url_chars, messages=scout.keep_messages
                )
                memory.save()
                self._directory.commit()
                standing.taken = standing.taken.plus(taken)
            memory.save()
            self._directory.commit()
            standing.state = "done"
        except BudgetSpent:
            standing.state = "budget spent"
        except SourceError as error:
            standing.state, standing.error = "failed", str(error)
        except asyncio.CancelledError:
            standing.state = "stopped"

    # --- short URLs

    async def _resolve(self) -> None:
        waiting = _bounded(self._directory.unresolved())
        if not waiting or self.standing.stopped or self._from_archive:
            return
        self.standing.step = "asking where short URLs lead"
        self.standing.short_urls = len(waiting)
        asker = build_asker(self._config, self._web, self._directory.connection, self._spending)
        room = asyncio.Semaphore(_ASKED_AT_ONCE)
        try:
            await self._together(self._ask(asker, one, room) for one in waiting)
        finally:
            await asker.fetcher.close()
        self._directory.commit()

    async def _ask(self, ask: Ask, short: Listed, room: asyncio.Semaphore) -> None:
        try:
            async with room:
                fetched = await ask(Question(short.url, method="HEAD", robots=True))
        except BudgetSpent:
            return  # the next run goes on
        self._resolved(short, fetched)
        self.standing.short_urls -= 1
        self._directory.commit()

    def _resolved(self, short: Listed, fetched: Fetched) -> None:
        target = self._rules.read(fetched.url)
        if isinstance(target, Url) and target.href == short.url:
            if fetched.outcome is not Outcome.OK and is_shortener(target.host):
                drop = Drop.ROBOTS if fetched.outcome is Outcome.ROBOTS_REFUSED else Drop.FETCH_FAILED
                self._directory.drop(short.id, drop, f"it could not be asked where it leads: {fetched.outcome.words}")
            else:
                self._directory.keep(short.id)
        elif fetched.outcome is Outcome.REDIRECT:
            self._directory.drop(short.id, Drop.REDIRECT_LIMIT)
        elif isinstance(target, Refusal):
            self._directory.lead(short.id, fetched.url, target)
        else:
            self._directory.lead(short.id, target.href, None)

    # --- probe

    async def _probe(self, *, draws: bool) -> None:
        probing = Probing(
            self._directory,
            self._config,
            self._work,
            self._web,
            self._samples,
            self._begin,
            from_archive=self._from_archive,
        )
        while not self.standing.stopped:
            if draws:
                self._directory.draw(
                    self._config.scout.per_domain, self._config.crawl.seed, archived=self._from_archive
                )
                self._directory.commit()
            drawn = len(self._directory.drawn())
            self.standing.drawn += drawn
            self.standing.step = "probing" if drawn else self.standing.step
            finished = await probing.run(self._rules)
            self._crawl = self.standing.probe = None
            if not finished or not drawn:
                return

    def _begin(self, crawl: Crawl) -> None:
        self._crawl, self.standing.probe = crawl, crawl.status
        if self.standing.stopped:
            crawl.stop(_STOPPED)

    # --- waiting

    async def _together(self, works: Iterable[Any]) -> None:
        """Waits for all of them. If one fails by a mistake of ours, or of a plug-in, the others are let go."""
        if self.standing.stopped:
            return
        self._tasks = {asyncio.create_task(work) for work in works}
        try:
            done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            self._tasks = set()
        for task in done:
            if not task.cancelled() and (error := task.exception()) is not None:
                raise error


def _bounded(short: Sequence[Listed]) -> list[Listed]:
    per_host: dict[str, list[Listed]] = {}
    for one in short:
        url = split(one.url)
        per_host.setdefault(url.host if isinstance(url, Url) else "", []).append(one)
    return [one for several in per_host.values() for one in several[:_MOST_SHORT_PER_HOST]]
