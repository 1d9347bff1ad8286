"""How the operator corrects a crawl: this page belongs, that one does not.

Rules: a mark overrules any judge, now and later. It is only about belonging: robots.txt, opt-outs, lengths and
duplicates count as before. A page marked no leaves the corpus, but its bytes stay where they are, so that marking it yes
brings it back. The bytes of a page that was dropped for its text were not kept; marked yes, it is queued again. If the
text of the page is known, the judge is told and may learn from it.

All of it happens in the crawl's open transaction; the caller commits.
"""

import sqlite3
from collections.abc import Callable
from typing import Final

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.items import Page, Record
from opilio.core.outcome import Drop
from opilio.core.url import parse, split
from opilio.enqueue import Frontier, State, StoredLink
from opilio.folder.marks import Marks

from .documents import Documents

Teach = Callable[[Page, bool], bool]
_TEXT_DROPS: Final = (Drop.NOT_RELEVANT, Drop.MARKED_NO, Drop.BELOW_CUT, Drop.LAYER_CUT)


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
        self._frontier = frontier
        self._documents = documents
        self._teach = teach
        self.marks = Marks(connection)

    def mark(self, raw: str, belongs: bool, now_s: float) -> Marked:
        url = parse(raw)
        link = 0 if isinstance(url, Drop) else self._frontier.find(url.href)
        if not link:
            raise ConfigError(f"this crawl has never met {raw[:200]}. `opilio crawl DIR --url URL` adds it as a seed.")
        row = self._frontier.read(link)
        self.marks.put(link, belongs, now_s)
        words, record = self._accept(row, now_s) if belongs else self._reject(row)
        learned = record is not None and self._teach(_page(record), belongs)
        return Marked(row.url, belongs, words, learned)

    def _accept(self, row: StoredLink, now_s: float) -> tuple[str, Record | None]:
        if row.state is not State.DONE:
            return "it will be kept when it is fetched, whatever the judge says", None
        if row.drop is None:
            return "it stays in the corpus", self._documents.read(row.id)
        if row.drop is Drop.MARKED_NO and (record := self._documents.take_back(row.id)) is not None:
            self._frontier.overrule(row.id, None, "")
            return "it is in the corpus again", record
        if row.drop in _TEXT_DROPS:
            if self._frontier.revive(row.id, now_s):
                return "it is queued again, since its bytes were not kept", None
            return (
                "it stays out of the corpus: its bytes were not kept, and nothing more is fetched from its host",
                None,
            )
        return f"it stays out of the corpus: {row.drop.replace('_', ' ')}", None

    def _reject(self, row: StoredLink) -> tuple[str, Record | None]:
        if row.state is not State.DONE:
            return "it will not be kept when it is fetched", None
        if row.drop is not None:
            return f"it was not in the corpus: {row.drop.replace('_', ' ')}", None
        record = self._documents.set_aside(row.id)
        self._frontier.overrule(row.id, Drop.MARKED_NO, "by the operator")
        return "it is no longer in the corpus", record


def _page(record: Record) -> Page:
    """Rebuilds a page from its record, as far as possible."""
    url = split(record.url)
    return Page(
        record.url, "" if isinstance(url, Drop) else url.host, record.depth, record.title, record.text, record.tokens,
        record.language, record.language_confidence, record.charset, record.canonical, "", (), (), (), record.signals,
        nofollow=False, truncated=False, refused_links={},
    )  # fmt: skip
