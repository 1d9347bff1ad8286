"""Stored pages on disk: each as a document line and, unless only texts are stored, as a WARC record.

The corpus, the refused pages and the history have shards of their own, so that `pages/` and `warc/` hold the corpus alone.
Order of a commit: bytes are appended to the shards, fsynced, and only then named in the transaction that also ends the lease. A
text that is already in the corpus is not kept twice.
"""

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, Literal, NamedTuple, Protocol, TypeVar

from opilio.core.fingerprints import FingerprintMap
from opilio.core.items import Gleaned, Record
from opilio.core.outcome import Drop

from .record import unpack
from .shards import NOWHERE, SHARD_SCHEMA, Shards
from .stored import STORED_SCHEMA, FirstShards, StoredPage, StoredPages
from .visits import VISIT_SCHEMA, Visited, Visits

SCHEMA: Final = SHARD_SCHEMA + STORED_SCHEMA + VISIT_SCHEMA
Head = Callable[[str], bytes]
_Row = TypeVar("_Row", StoredPage, Visited)
_In_contra = TypeVar("_In_contra", StoredPage, Visited, contravariant=True)
_InShard = Callable[[Literal["page", "warc"], int], list[_Row]]


class _Rows(Protocol[_In_contra]):
    """A table whose rows name places in shards."""

    def put(self, row: _In_contra, /) -> None: ...


class Shelf(NamedTuple):
    """The two kinds of shard that pages lie in."""

    pages: Shards
    warc: Shards


class CorpusShards(NamedTuple):
    """The shards of the corpus, those of the refused pages, and those of the history: what later visits have replaced, and the
    records of those that found no change. `head` makes the first record of each WARC file."""

    kept: Shelf
    refused: Shelf
    history: Shelf

    @classmethod
    def of(
        cls, connection: sqlite3.Connection, folder: Path, max_bytes: int = 0, head: Head = lambda _name: b""
    ) -> "CorpusShards":
        def shelf(above: str) -> Shelf:
            pages = Shards(connection, folder, f"{above}pages", ".jsonl.zst", max_bytes, lambda _name: b"")
            return Shelf(pages, Shards(connection, folder, f"{above}warc", ".warc.gz", max_bytes, head))

        return cls(shelf(""), shelf("refused/"), shelf("history/"))

    def shelf(self, drop: Drop | None) -> Shelf:
        return self.kept if drop is None else self.refused

    def every(self) -> Iterator[Shards]:
        return (shards for shelf in self for shards in shelf)


class Packed(NamedTuple):
    """A page as it lies in the shards."""

    record: bytes
    warc: bytes


class Corpus:
    def __init__(self, connection: sqlite3.Connection, shards: CorpusShards) -> None:
        self._shards = shards
        self._texts = FingerprintMap()
        self.rows = StoredPages(connection)
        self.visits = Visits(connection)

    def recover(self) -> int:
        """Repairs the shards after any kind of stop. Returns how many bytes of incomplete records were cut off."""
        torn = sum(shards.recover() for shards in self._shards.every())
        for page in self.rows.set_aside():
            self._place(page._replace(drop=None), page, self._shards.kept.pages.read(page.page))
        self._texts.extend(self.rows.texts())
        return torn

    def find_text(self, digest: bytes) -> int:
        """Returns the link whose page has this text and is kept, or is marked no; or 0."""
        return self.find_key(_key(digest))

    def find_key(self, text_key: int) -> int:
        link = self._texts.find([text_key])[0]
        page = self.rows.get(link) if link else None
        return (
            link if page is not None and page.text_key == text_key else 0
        )  # a later visit may have brought another text

    def add(self, link: int, gleaned: Gleaned, drop: Drop | None = None) -> None:
        """Stores a page, in the corpus if there is no reason to drop it."""
        page, verdict, key = gleaned.page, gleaned.verdict, _key(gleaned.text_digest)
        shelf = self._shards.shelf(drop)
        opted_out = drop is Drop.OPTED_OUT
        self.rows.put(
            StoredPage(
                link,
                drop,
                verdict.score if verdict and not opted_out else 0.0,
                page.title if page and not opted_out else "",
                page.language if page and not opted_out else "",
                gleaned.tokens,
                key,
                shelf.pages.append(gleaned.record),
                shelf.warc.append(gleaned.warc) if gleaned.warc else NOWHERE,
            )
        )
        if drop in (None, Drop.MARKED_NO):
            self._texts.add(key, link)

    def renew(self, visit: Visited, gleaned: Gleaned, drop: Drop | None) -> None:
        """Stores the new version of a page, or nothing if it has no record, and moves the former one into the history. A page
        that opts out has none: what was stored of it before is dead from now on."""
        old = self.rows.get(visit.link)
        assert old is not None
        shelf, history = self._shards.shelf(old.drop), self._shards.history
        if drop is Drop.OPTED_OUT:
            self._forget_history(visit.link)
        else:
            visit = visit._replace(page=history.pages.append(shelf.pages.read(old.page)))
            if old.warc.length:
                visit = visit._replace(warc=history.warc.append(shelf.warc.read(old.warc)))
        shelf.pages.bury(old.page)
        if old.warc.length:
            shelf.warc.bury(old.warc)
        self.visits.put(visit)
        if gleaned.record:
            self.add(visit.link, gleaned, drop)
        else:
            self.rows.remove(visit.link)

    def note(self, visit: Visited, warc: bytes = b"") -> None:
        """Notes a visit that has replaced nothing. `warc` is the record that says so, if the standard has one for it."""
        self.visits.put(visit._replace(warc=self._shards.history.warc.append(warc)) if warc else visit)
        for old in self.visits.trim(visit.link):
            if old.warc.length:
                self._shards.history.warc.bury(old.warc)

    def read(self, page: StoredPage) -> Record:
        """Returns the document of a page, even of one that was stored a moment ago."""
        return unpack(self.packed(page, with_warc=False).record)

    def packed(self, page: StoredPage, *, with_warc: bool) -> Packed:
        shelf = self._shards.shelf(page.drop)
        warc = shelf.warc.read(page.warc) if with_warc and page.warc.length else b""
        return Packed(shelf.pages.read(page.page), warc)

    def replace(self, page: StoredPage, drop: Drop | None, score: float, record: bytes) -> None:
        """Gives a stored page another document, which has the new score, and moves it into the corpus or out of it."""
        new = page._replace(drop=drop, score=score)
        self._place(page, new._replace(title="", language="", tokens=0) if drop is Drop.OPTED_OUT else new, record)
        if drop in (None, Drop.MARKED_NO) and not self.find_key(page.text_key):
            self._texts.add(page.text_key, page.link)

    def begin_again(self, first: FirstShards | None) -> FirstShards:
        """Begins a pass that stores the document of every page anew, in new shards, or goes on with one that began with these
        shards. Only the texts of pages that have passed count as taken."""
        self.sync()
        shelves = self._shards.kept, self._shards.refused
        first = first or FirstShards(*(shelf.pages.next() for shelf in shelves))
        for shelf, number in zip(shelves, first, strict=True):
            shelf.pages.begin(number)
        self._texts = FingerprintMap()
        self._texts.extend(self.rows.texts(first))
        return first

    def sweep(self, commit: Callable[[], None]) -> None:
        """Rewrites the shards in which records are dead, and removes the old files, so that the shards hold exactly what the
        rows name. Each shard is a transaction of its own; the same call goes on after a kill."""
        for shelf, kept in ((self._shards.kept, True), (self._shards.refused, False)):
            self._sweep(shelf, self.rows, partial(self.rows.in_shard, kept=kept), commit)
        self._sweep(self._shards.history, self.visits, self.visits.in_shard, commit)

    def sync(self) -> None:
        for shards in self._shards.every():
            shards.sync()

    def close(self) -> None:
        for shards in self._shards.every():
            shards.close()

    def _place(self, old: StoredPage, new: StoredPage, record: bytes) -> None:
        source, target = self._shards.shelf(old.drop), self._shards.shelf(new.drop)
        place, warc = target.pages.append(record), old.warc
        source.pages.bury(old.page)
        if source is not target and warc.length:
            bytes_too = new.drop is not Drop.OPTED_OUT
            warc = target.warc.append(source.warc.read(old.warc)) if bytes_too else NOWHERE
            source.warc.bury(old.warc)
        self.rows.put(new._replace(page=place, warc=warc))

    def _forget_history(self, link: int) -> None:
        for visit in self.visits.of(link):
            for shards, place in zip(self._shards.history, (visit.page, visit.warc), strict=True):
                if place.length:
                    shards.bury(place)
            self.visits.put(visit._replace(page=NOWHERE, warc=NOWHERE))

    def _sweep(self, shelf: Shelf, rows: _Rows[_Row], in_shard: _InShard[_Row], commit: Callable[[], None]) -> None:
        kind: Literal["page", "warc"]
        for kind, shards in (("page", shelf.pages), ("warc", shelf.warc)):
            shards.sync()
            for number in (holed := shards.with_holes()):
                if holed[-1] == shards.next() - 1:
                    shards.begin(shards.next())
                for row in in_shard(kind, number):
                    if kind == "page":
                        rows.put(row._replace(page=shards.append(shards.read(row.page))))
                    else:
                        rows.put(row._replace(warc=shards.append(shards.read(row.warc))))
                shards.forget(number)
                shards.sync()
                commit()
                shards.remove(number)


def _key(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "little", signed=True)
