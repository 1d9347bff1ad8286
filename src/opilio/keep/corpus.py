"""Stored pages on disk: each as a document line and, unless only texts are stored, as a WARC record.

The corpus and the refused pages have shards of their own, so that `pages/` and `warc/` hold the corpus alone. Order of a commit:
bytes are appended to the shards, fsynced, and only then named in the transaction that also ends the lease. A text that is
already in the corpus is not kept twice.
"""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

from opilio.core.fingerprints import FingerprintMap
from opilio.core.items import Gleaned, Record
from opilio.core.outcome import Drop

from .record import unpack
from .shards import SHARD_SCHEMA, Place, Shards
from .stored import STORED_SCHEMA, FirstShards, StoredPage, StoredPages

SCHEMA: Final = SHARD_SCHEMA + STORED_SCHEMA
_NOWHERE: Final = Place(0, 0, 0)
Head = Callable[[str], bytes]


class Shelf(NamedTuple):
    """The two kinds of shard that pages lie in."""

    pages: Shards
    warc: Shards


class CorpusShards(NamedTuple):
    """The shards of the corpus and those of the refused pages; `head` makes the first record of each WARC file."""

    kept: Shelf
    refused: Shelf

    @classmethod
    def of(
        cls, connection: sqlite3.Connection, folder: Path, max_bytes: int = 0, head: Head = lambda _name: b""
    ) -> "CorpusShards":
        def shelf(above: str) -> Shelf:
            pages = Shards(connection, folder, f"{above}pages", ".jsonl.zst", max_bytes, lambda _name: b"")
            return Shelf(pages, Shards(connection, folder, f"{above}warc", ".warc.gz", max_bytes, head))

        return cls(shelf(""), shelf("refused/"))

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
        return self._texts.find([text_key])[0]

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
                shelf.warc.append(gleaned.warc) if gleaned.warc else _NOWHERE,
            )
        )
        if drop in (None, Drop.MARKED_NO):
            self._texts.add(key, link)

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
        first = first or FirstShards(*(shelf.pages.next() for shelf in self._shards))
        for shelf, number in zip(self._shards, first, strict=True):
            shelf.pages.begin(number)
        self._texts = FingerprintMap()
        self._texts.extend(self.rows.texts(first))
        return first

    def sweep(self, commit: Callable[[], None]) -> None:
        """Rewrites the shards in which records are dead, and removes the old files, so that the shards hold exactly what the
        rows name. Each shard is a transaction of its own; the same call goes on after a kill."""
        for shelf, kept in zip(self._shards, (True, False), strict=True):
            self._sweep(shelf.pages, "page", commit, kept=kept)
            self._sweep(shelf.warc, "warc", commit, kept=kept)

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
            warc = target.warc.append(source.warc.read(old.warc)) if bytes_too else _NOWHERE
            source.warc.bury(old.warc)
        self.rows.put(new._replace(page=place, warc=warc))

    def _sweep(self, shards: Shards, kind: Literal["page", "warc"], commit: Callable[[], None], *, kept: bool) -> None:
        shards.sync()
        for number in (holed := shards.with_holes()):
            if holed[-1] == shards.next() - 1:
                shards.begin(shards.next())
            for row in self.rows.in_shard(kind, number, kept=kept):
                if kind == "page":
                    self.rows.put(row._replace(page=shards.append(shards.read(row.page))))
                else:
                    self.rows.put(row._replace(warc=shards.append(shards.read(row.warc))))
            shards.forget(number)
            shards.sync()
            commit()
            shards.remove(number)


def _key(digest: bytes) -> int:
    return int.from_bytes(digest[:8], "little", signed=True)
