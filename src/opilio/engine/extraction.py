"""Takes the texts of kept pages out of their stored bytes once more, with more care than a crawl has time for.

Rules:
* Every page of the corpus that has its bytes and whose text was not made by this version of the extractor gets a new text, new
  blocks, language, number of words, and the comments of its readers. Pages do not move in or out: the crawl's judge has
  decided that, and `opilio judge again` judges by the new texts. A row's `text_key` stays that of the crawl's own text, by
  which a crawl that goes on knows duplicates.
* A page whose bytes give no text, or cost too much, keeps the text that it has, and is counted.
* A run goes on after a kill, since each document says what has made its text. At the end, shards with dead documents are swept.

Whoever calls it holds the folder's lock.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from opilio.folder import Database, Tally
from opilio.keep import StoredPage, unpack

from .documents import Documents
from .pool import Pool
from .second_look import EXTRACTOR
from .work import Extraction

_BATCH_PAGES: Final = 128
Progress = Callable[[int, int], None]  # pages looked at, and all of them


class Extracts(msgspec.Struct):
    """What became of the pages of the corpus."""

    extracted: int = 0
    changed: int = 0  # those whose text is another now
    words_before: int = 0  # of the pages that were extracted
    words_after: int = 0
    comments: int = 0
    with_comments: int = 0  # pages
    failed: int = 0
    without_bytes: int = 0
    up_to_date: int = 0  # those that this version had extracted before


class CorpusExtraction:
    def __init__(self, database: Database, documents: Documents, pool: Pool, tally: Tally) -> None:
        self._database = database
        self._documents = documents
        self._corpus = documents.corpus
        self._pool = pool
        self._tally = tally

    async def close(self) -> None:
        await self._pool.close()
        self._corpus.close()

    async def run(self, progress: Progress = lambda _done, _all: None) -> Extracts:
        links = [page.link for page in self._corpus.rows.kept()]
        count = Extracts()
        for start in range(0, len(links), _BATCH_PAGES):
            await self._batch(links[start : start + _BATCH_PAGES], count)
            self._commit()
            progress(min(start + _BATCH_PAGES, len(links)), len(links))
        self._corpus.sweep(self._commit)
        self._commit()
        return count

    async def _batch(self, links: Sequence[int], count: Extracts) -> None:
        pages = [page for link in links if (page := self._documents.find(link)) is not None]
        with_bytes = [page for page in pages if page.warc.length]
        old = [page for page in with_bytes if self._corpus.read(page).extractor != EXTRACTOR]
        count.without_bytes += len(pages) - len(with_bytes)
        count.up_to_date += len(with_bytes) - len(old)
        orders = (Extraction(*self._corpus.packed(page, with_warc=True)) for page in old)
        for page, answer in zip(old, await asyncio.gather(*map(self._pool.run, orders)), strict=True):
            self._store(page, answer.record, count)

    def _store(self, page: StoredPage, packed: bytes, count: Extracts) -> None:
        if not packed:
            count.failed += 1
            return
        before, after = self._corpus.read(page), unpack(packed)
        self._documents.rewrite(page, before, after, packed)
        count.extracted += 1
        count.changed += before.text != after.text
        count.words_before += before.tokens
        count.words_after += after.tokens
        count.comments += len(after.comments)
        count.with_comments += bool(after.comments)

    def _commit(self) -> None:
        self._corpus.sync()
        self._database.meta.tally = self._tally
        self._database.commit()
