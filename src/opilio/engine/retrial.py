"""Judges the stored pages again, and moves them into the corpus or out of it.

Rules:
* Every stored page is judged, kept or not, except those that opt out. The operator's marks hold, and so do the rules for short
  texts and duplicates. Pages of the corpus come first, so that of two pages with the same text the one that is there stays.
* A pass stores every document anew, because each has a new score and new reasons, in new shards. Then the shards in which
  something is dead are swept, so that `pages/` and `warc/` hold exactly the corpus again.
* A pass goes on after a kill: the first of its shards are noted in the transaction that begins it, so the pages that are left
  are those in older shards. Batches do not depend on time, so an interrupted pass writes the same as an undisturbed one. A pass
  with another judge begins anew.

Whoever calls it holds the folder's lock.
"""

import asyncio
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Final

import msgspec

from opilio.core.config import Config
from opilio.core.errors import ConfigError
from opilio.core.items import Gleaned, Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.enqueue import Frontier, LinkReader
from opilio.folder import Database, Marks, Tally
from opilio.folder.meta import Pass
from opilio.judge import Judge
from opilio.keep import Corpus, FirstShards, StoredPage, unpack

from .court import Court
from .documents import Documents
from .stored_page import stored_page
from .work import Appeal

_BATCH_PAGES: Final = 256
_MET_PAGES: Final = 1_000
Progress = Callable[[int, int], None]  # pages judged, and all of them


class Changes(msgspec.Struct, frozen=True):
    """What became of the stored pages."""

    judged: int
    moved_in: int
    moved_out: int
    kept: int  # pages of the corpus now
    failed: int  # pages that the judge could not judge; they stay where they are

    @property
    def unchanged(self) -> int:
        return self.judged - self.moved_in - self.moved_out


class Retrial:
    def __init__(
        self, database: Database, documents: Documents, frontier: Frontier, marks: Marks, court: Court, tally: Tally
    ) -> None:
        self._database = database
        self._documents = documents
        self._corpus = documents.corpus
        self._frontier = frontier
        self._marks = marks
        self._court = court
        self._tally = tally

    async def close(self) -> None:
        await self._court.close()
        self._corpus.close()

    async def run(self, config: Config, progress: Progress = lambda _done, _all: None) -> Changes:
        """Judges all stored pages by the court's judge. Raises before anything has changed if it cannot."""
        judge = self._court.judge
        self._check(judge)
        count = self._begin(_digest(config, judge))
        links = self._corpus.rows.older(FirstShards(count.kept, count.refused))
        done, total = count.judged, count.judged + len(links)
        for start in range(0, len(links), _BATCH_PAGES):
            count = await self._batch(links[start : start + _BATCH_PAGES], count, markup=judge.reads_markup)
            self._commit(count)
            progress(done + min(start + _BATCH_PAGES, len(links)), total)
        self._corpus.sweep(lambda: self._commit(count))
        self._tally.relevant = LinkReader(self._database.connection).judged().belong
        self._commit(None)
        return Changes(count.judged, count.moved_in, count.moved_out, self._tally.kept, count.failed)

    def _check(self, judge: Judge) -> None:
        if judge.reads_markup and (missing := self._corpus.rows.without_bytes()):
            raise ConfigError(
                f"this judge looks at the markup of pages, and {missing:,} stored pages have only their text (keep.refused). "
                "Choose a judge that reads texts, or crawl the pages again with keep.refused=bytes."
            )

    def _begin(self, judge: str) -> Pass:
        """Begins a pass, or takes up the one that was interrupted."""
        begun = self._database.meta.judging
        if begun is not None and begun.judge == judge:
            self._corpus.begin_again(FirstShards(begun.kept, begun.refused))
            return begun
        fresh = Pass(judge, *self._corpus.begin_again(None))
        self._commit(fresh)
        return fresh

    async def _batch(self, links: Sequence[int], count: Pass, *, markup: bool) -> Pass:
        pages = [page for link in links if (page := self._documents.find(link)) is not None]
        appeals = (
            Appeal(*self._corpus.packed(page, with_warc=markup), marked=self._marks.get(page.link)) for page in pages
        )
        answers = await asyncio.gather(*map(self._court.run, appeals))
        for page, gleaned in zip(pages, answers, strict=True):
            drop = self._settle(page, gleaned)
            count = msgspec.structs.replace(
                count,
                judged=count.judged + 1,
                moved_in=count.moved_in + (page.drop is not None and drop is None),
                moved_out=count.moved_out + (page.drop is None and drop is not None),
                failed=count.failed + (gleaned.verdict is None),
            )
        return count

    def _settle(self, page: StoredPage, gleaned: Gleaned) -> Drop | None:
        """Stores a page with its new verdict, and returns why it is not in the corpus."""
        verdict = gleaned.verdict
        if verdict is None:
            self._documents.carry(page)
            return page.drop
        drop, detail = gleaned.drop, gleaned.detail
        twin = self._documents.twin(page) if drop in (None, Drop.MARKED_NO) else 0
        if twin:
            drop, detail = Drop.DUPLICATE, f"same text as {self._frontier.links.url(twin)}"
        self._documents.replace(page, drop, gleaned.record, verdict.score, gleaned.text_bytes)
        self._frontier.overrule(page.link, drop, detail, (verdict.score, verdict.belongs))
        return drop

    def _commit(self, count: Pass | None) -> None:
        self._corpus.sync()
        self._database.meta.tally = self._tally
        self._database.meta.judging = count
        self._database.commit()


def acquaint(judge: Judge, corpus: Corpus, marks: Marks, limits: Limits) -> None:
    """Shows a judge that learns the stored pages, evenly chosen if there are many, in the order in which they were met; and then
    all pages that the operator has marked. A judge that learns keeps a few hundred pages to compare others with, so more than a
    thousand would cost time and teach it nothing."""

    def read(link: int) -> Page | Drop:
        row = corpus.rows.get(link)
        assert row is not None
        record, warc = corpus.packed(row, with_warc=judge.reads_markup)
        return stored_page(unpack(record), warc, limits)

    links = corpus.rows.links()
    for link in links[:: -(-len(links) // _MET_PAGES) or 1]:
        if not isinstance(page := read(link), Drop):
            judge.watch(page, judge.judge(page))
    for link in links:
        if (marked := marks.get(link)) is not None and not isinstance(page := read(link), Drop):
            judge.teach(page, marked)


def _digest(config: Config, judge: Judge) -> str:
    """Names everything that verdicts depend on, so that an interrupted pass is only continued by the same judge."""
    settings = msgspec.json.encode((config.judge, config.corpus, config.keep.min_chars, config.keep.opted_out))
    return blake2b(settings + (judge.state() or b""), digest_size=16).hexdigest()
