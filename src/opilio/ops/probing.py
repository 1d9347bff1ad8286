"""The probe: a crawl of drawn URLs that follows no link, whose pages are described in the directory.

Rules:
* What is known of a page is committed to the directory before the crawl commits the page (`Lead.save`). After a kill, the same
  row may be written again, and is never missing.
* URLs that end without a page get their reason from the crawl's folder, all in one transaction. Then the folder is removed,
  so that a URL can be probed again later.
"""

import shutil
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from opilio.core.clock import SystemClock, iso_time
from opilio.core.config import Config, change_config
from opilio.core.draw import hash_share
from opilio.core.errors import ConfigError
from opilio.core.items import Headers, Page, Seed
from opilio.core.limits import Limits
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, is_url, registered_domain, split
from opilio.discover.directory import Directory, Listed
from opilio.discover.page_facts import RawFacts, describe, raw_facts
from opilio.discover.probe import Probe
from opilio.discover.probe_rows import Pair
from opilio.discover.url_filter import Refusal, UrlFilter
from opilio.engine.access import accept_language, build_fetcher, check_contact
from opilio.engine.build import Blueprint, build_crawl
from opilio.engine.loop import Crawl
from opilio.engine.sample_pages import remember
from opilio.enqueue import State
from opilio.enqueue.reader import MetLink
from opilio.fetch import Fetcher
from opilio.fetch.archive import BASE, Archive
from opilio.folder import CrawlFolder, View
from opilio.glean import glean
from opilio.lead import FRESH, Judged, PlainLead, Stale

from .visiting import SEEDS_ALONE

_SETTINGS: Final = (
    *SEEDS_ALONE, "policy.bounds=[]", "stop.seconds=0", "stop.layers=0", "keep.min_chars=0", "keep.refused=nothing",
    "crawl.workers=1",
)  # fmt: skip
_EVERYTHING: Final = "everything"  # the judge that has no opinion
_NO_TURN: Final = "its host asks for a longer pause than the scout waits"
_LENGTH_DIFFERENCE: Final = 0.5  # of two versions of a page, as a share of the longer one
Begun = Callable[[Crawl], None]


class _Looker(PlainLead):
    """Sees every page of a small crawl, as its gleaner and as its lead."""

    goes_by = "chance"

    def __init__(self, directory: Directory, config: Config) -> None:
        self.now: Callable[[], float] = SystemClock().now
        self._directory = directory
        self._config = config
        self._facts: dict[str, RawFacts] = {}  # of pages that were gleaned and not judged yet

    def glean(
        self, url: Url, depth: int, headers: Headers, body: bytes, limits: Limits, *, context: bool
    ) -> Page | Drop:
        page = glean(url, depth, headers, body, limits, context=context)
        if isinstance(page, Page):
            self._facts[page.url] = raw_facts(page, body)
        return page

    def learn(self, judged: Judged) -> Stale:
        page, raw = judged.page, self._facts.pop(judged.page.url)
        self.look(
            judged, describe(page, raw, self._config.scout, iso_time(self.now()), judged.address, judged.size_bytes)
        )
        return FRESH

    def save(self) -> None:
        self._directory.commit()

    @abstractmethod
    def look(self, judged: Judged, probe: Probe) -> None:
        """Takes note of a page."""


class Prober(_Looker):
    """Writes what it sees into the directory."""

    def look(self, judged: Judged, probe: Probe) -> None:
        if self._config.judge.get("name") != _EVERYTHING:
            probe = replace(probe, score=judged.verdict.score, belongs=judged.verdict.belongs)
        links = [Pair(link.url, registered_domain(link.host)) for link in judged.page.links]
        self._directory.probes.put(self._directory.meet_probed(judged.page.url), probe, links)


class SecondLooker(_Looker):
    """Compares what another Accept-Language is shown with what was shown before."""

    def look(self, judged: Judged, probe: Probe) -> None:
        row = self._directory.row(judged.page.url)
        before = self._directory.probes.get(row) if row is not None else None
        if row is None or before is None:
            return
        longer = max(before.tokens, probe.tokens)
        if before.language != probe.language:
            self._directory.probes.note_cloaking(
                row, f"{probe.language or 'unknown'} instead of {before.language or 'unknown'}"
            )
        elif abs(before.tokens - probe.tokens) > _LENGTH_DIFFERENCE * longer:
            self._directory.probes.note_cloaking(row, f"{probe.tokens:,} instead of {before.tokens:,} words")


class Probing:
    """The probe of the URLs that are drawn now. `begun` is told of every crawl that begins, so that it can be watched and
    stopped."""

    def __init__(
        self,
        directory: Directory,
        config: Config,
        folder: Path,
        web: Sequence[Path] | Fetcher,
        samples: Mapping[str, str],
        begun: Begun,
        *,
        from_archive: bool = False,
    ) -> None:
        """If `from_archive` is true, pages are read from the archive of Common Crawl, and sites are not asked."""
        self._directory = directory
        self._config = change_config(config, _SETTINGS)
        self._folder = folder
        self._web = web
        self._samples = samples
        self._begun = begun
        self._from_archive = from_archive

    async def run(self, rules: UrlFilter) -> bool:
        """Probes to the end. Returns False if the operator has stopped it; then the next call goes on."""
        drawn = self._directory.drawn()
        if not drawn:
            self._clear()
            return True
        if not await self._crawl("probe", self._config, Prober(self._directory, self._config), drawn):
            return False
        cloaking = 0.0 if self._from_archive else self._config.scout.cloaking  # an archive shows everybody the same
        again = [one for one in drawn if hash_share(one.url, 6) < cloaking]
        if again and not await self._crawl("again", self._other(), SecondLooker(self._directory, self._config), again):
            return False
        self._settle(drawn, rules)
        self._directory.commit()
        self._clear()
        return True

    async def _crawl(self, name: str, config: Config, looker: _Looker, drawn: Sequence[Listed]) -> bool:
        folder = self._folder / name
        folder.mkdir(parents=True, exist_ok=True)
        if self._samples:
            remember(folder, self._samples)
        web, clock = (self._archive(config), SystemClock()) if self._from_archive else (self._web, None)
        crawl = build_crawl(Blueprint(config, folder, lead=looker, web=web, gleaner=looker.glean, clock=clock))
        looker.now = crawl.parts.clock.now
        self._begun(crawl)
        async for _ in crawl.stream([Seed(url, "scout") for _, url in drawn]):
            pass
        return not crawl.is_called_off

    def _archive(self, config: Config) -> Fetcher:
        check_contact(config, recorded=False)
        base = config.scout.archive.rstrip("/") + "/"
        if not is_url(base):
            raise ConfigError(f'scout.archive is "{config.scout.archive}", which is not a URL, such as {BASE}.')
        clock = SystemClock()
        fetcher = build_fetcher(config, (), clock)
        return Archive(fetcher, self._directory.place, clock, config.limits, delay_s=config.fetch.delay_s, base=base)

    def _other(self) -> Config:
        """Returns the settings of a visitor who prefers another language."""
        languages = self._config.corpus.languages
        header = accept_language(() if "en" in languages else ("en",))
        return change_config(
            self._config, [f'fetch.accept_language="{header}"', "corpus.like=[]", "judge.name=everything"]
        )

    def _settle(self, drawn: Sequence[Listed], rules: UrlFilter) -> None:
        with View(CrawlFolder(self._folder / "probe")) as view:
            links = {met.link.url: met for met in view.links.everything()}
            for row, url in drawn:
                self._end(row, _way(links, url), rules, view)

    def _end(self, row: int, way: Sequence[MetLink], rules: UrlFilter, view: View) -> None:
        link, ending = way[-1]
        final = self._directory.row(link.url)
        if final is not None and _has_page(way[-1]):
            url = split(link.url)
            known = view.robots(url.origin) if isinstance(url, Url) else None
            if known is not None and known.sitemaps:
                self._directory.probes.note_sitemap(final)
            if self._directory.is_audited(row):
                self._directory.take_over(row, final)
                self._directory.end(row)
            elif final == row:
                self._directory.end(row)
            else:
                read = rules.read(link.url)
                self._directory.lead(row, link.url, read if isinstance(read, Refusal) else None)
        elif self._directory.is_audited(row):
            self._directory.end(row)
        else:
            drop = link.drop if link.state is State.DONE and link.drop else Drop.FETCH_FAILED
            outcome = f"HTTP {ending.status}" if ending.status else ending.outcome.words if ending.outcome else ""
            detail = ending.detail or outcome if link.state is State.DONE else _NO_TURN
            self._directory.drop(row, drop, detail)

    def _clear(self) -> None:
        for name in ("probe", "again"):
            shutil.rmtree(self._folder / name, ignore_errors=True)


def _has_page(met: MetLink) -> bool:
    drop = met.link.drop
    return met.ending.outcome is Outcome.OK and (drop is None or drop is Drop.NO_TEXT or not drop.is_unreadable)


def _way(links: dict[str, MetLink], url: str) -> list[MetLink]:
    """Returns a link and those that its redirects led to, one after the other, each once."""
    way = [links[url]]
    while way[-1].link.drop is Drop.REDIRECTED and (following := links.get(way[-1].ending.detail)) not in (None, *way):
        assert following is not None
        way.append(following)
    return way
