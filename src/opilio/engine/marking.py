"""How the operator corrects a crawl: this page belongs, that one does not.

Rules: a mark overrules any judge, now and later. It is only about belonging: robots.txt, opt-outs, lengths and
duplicates count as before. A page marked no leaves the corpus, and a stored page marked yes enters it, at once and without a
download. A page that was not stored (keep.refused) is queued again if it is marked yes. If the page is stored, the judge is
told and may learn from it.

All of it happens in the crawl's open transaction; the caller commits.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.items import Page, Record, Verdict
from opilio.core.outcome import Drop
from opilio.core.url import parse
from opilio.enqueue import Frontier, StoredLink
from opilio.folder.marks import Marks
from opilio.keep import StoredPage, pack

from .documents import Documents
from .refusal import Refusal, overrule, with_verdict
from .stored_page import page_of

Teach = Callable[[Page, bool], bool]
_VERDICT_DROPS: Final = (Drop.NOT_RELEVANT, Drop.MARKED_NO)
_TEXT_DROPS: Final = (*_VERDICT_DROPS, Drop.BELOW_CUT, Drop.LAYER_CUT)


class Marked(msgspec.Struct, frozen=True):
    """What became of a page that was marked."""

    url: str
    belongs: bool
    words: str  # what became of the page, for people
    learned: bool  # whether the judge has learned from it
    not_learned: str = ""  # why the judge cannot learn, if it cannot


class Marking:
    def __init__(
        self,
        connection: sqlite3.Connection,
        frontier: Frontier,
        documents: Documents,
        teach: Teach,
    ) -> None:
        self.frontier = frontier
        self.documents = documents
        self._teach = teach
        self.marks = Marks(connection)

    def mark(self, raw: str, belongs: bool, now_s: float) -> Marked:
        url = parse(raw)
        link = 0 if isinstance(url, Drop) else self.frontier.find(url.href)
        if not link:
            raise ConfigError(f"this crawl has never met {raw[:200]}. `opilio crawl DIR --url URL` adds it as a seed.")
        row = self.frontier.links.read(link)
        self.marks.put(link, belongs, now_s)
        words, record = self._accept(row, now_s) if belongs else self._reject(row)
        learned = record is not None and self._teach(page_of(record), belongs)
        return Marked(row.url, belongs, words, learned)

    def recall(self, urls: Sequence[str]) -> Iterator[tuple[Page, bool]]:
        """Yields the pages with these URLs that are marked and stored, each with its mark."""
        for link in map(self.frontier.find, urls):
            belongs, page = self.marks.get(link), self.documents.find(link)
            if belongs is not None and page is not None:
                yield page_of(self.documents.corpus.read(page)), belongs

    def _accept(self, row: StoredLink, now_s: float) -> tuple[str, Record | None]:
        if not row.is_fetched:
            return "it will be kept when it is fetched, whatever the judge says", None
        page = self.documents.find(row.id)
        if page is not None and page.drop is None:
            return "it stays in the corpus", self.documents.corpus.read(page)
        if page is not None and page.drop in _VERDICT_DROPS:
            return self._take_in(page)
        if row.drop in _TEXT_DROPS:
            if self.frontier.revive(row.id, now_s):
                return "it is queued again, since it was not stored", None
            return "it stays out of the corpus: it was not stored, and nothing more is fetched from its host", None
        return f"it stays out of the corpus: {_words(row.drop)}", None

    def _take_in(self, page: StoredPage) -> tuple[str, Record]:
        record = self.documents.corpus.read(page)
        if twin := self.documents.kept_twin(page):
            self._move(
                page, record, Refusal(Drop.DUPLICATE, f"same text as {self.frontier.links.url(twin)}"), belongs=True
            )
            return "it stays out of the corpus: duplicate", record
        again = " again" if page.drop is Drop.MARKED_NO else ""
        self._move(page, record, Refusal(None), belongs=True)
        return f"it is in the corpus{again}", record

    def _reject(self, row: StoredLink) -> tuple[str, Record | None]:
        if not row.is_fetched:
            return "it will not be kept when it is fetched", None
        page = self.documents.find(row.id)
        if page is None or page.drop not in (None, *_VERDICT_DROPS):
            return f"it was not in the corpus: {_words(row.drop)}", None
        record = self.documents.corpus.read(page)
        self._move(page, record, Refusal(Drop.MARKED_NO, "by the operator"), belongs=False)
        return (
            "it is no longer in the corpus" if page.drop is None else f"it was not in the corpus: {_words(page.drop)}",
            record,
        )

    def _move(self, page: StoredPage, record: Record, refusal: Refusal, *, belongs: bool) -> None:
        verdict = overrule(Verdict(record.score, belongs, record.opinions), belongs)
        packed = pack(with_verdict(record, verdict))
        self.documents.replace(page, refusal.drop, packed, verdict.score, len(record.text.encode()))
        self.frontier.overrule(page.link, *refusal)


def _words(drop: Drop | None) -> str:
    return "" if drop is None else drop.words
