"""A crawl's folder for whoever only looks. Each part is asked of the package that owns its tables; what belongs together is
joined here.

Rule: a view never writes, so it may be opened beside a running crawl. Every question is answered from the last commit, so two
answers may be one commit apart.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from opilio.core.config import Config, load_config
from opilio.core.outcome import Drop
from opilio.enqueue import LinkReader, StoredLink
from opilio.fetch import Rules, stored_rules
from opilio.keep import CorpusReader, StoredPage

from .database import open_readonly, unreadable
from .marks import Marks
from .meta import Meta
from .paths import CrawlFolder

_BATCH: Final = 1_000  # pages whose links are read by one query
_PAGES_WITH_TEXT: Final = (Drop.NOT_RELEVANT, Drop.MARKED_NO, Drop.TOO_SHORT, Drop.DUPLICATE)


class Site(NamedTuple):
    """What came from one host."""

    host: str
    fetched: int  # pages
    kept: int  # documents
    words: int  # kept
    drops: dict[Drop, int]  # links, the most frequent reason first


class View:
    def __init__(self, folder: CrawlFolder) -> None:
        self._connection = open_readonly(folder.database)
        self.folder = folder
        self.meta = Meta(self._connection)
        self.links = LinkReader(self._connection)
        self.documents = CorpusReader(self._connection, folder.path)

    def __enter__(self) -> "View":
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        self.close()
        if isinstance(error, sqlite3.DatabaseError):
            raise unreadable(self.folder.database, error) from error

    def close(self) -> None:
        self._connection.close()

    @property
    def config(self) -> Config:
        """Returns the settings of the last run, or the defaults if there was none."""
        return self.meta.config or load_config()

    @property
    def marks(self) -> Marks:
        return Marks(self._connection)

    def robots(self, origin: str) -> Rules | None:
        """Returns what the robots.txt of an origin said when it was last read, or None if it was not."""
        return stored_rules(self._connection, origin, self.config.operator.name)

    def stored(self) -> Iterator[tuple[StoredLink, StoredPage]]:
        """Yields every page that was stored, kept or not, with its link, in the order of the links. Pages that opt out are among
        them, without a title or a score. `documents.at` reads the document of a page, with its text and the reasons of its
        verdict."""
        return self._with_links(self.documents.rows.all())

    def kept(self) -> Iterator[tuple[StoredLink, StoredPage]]:
        """Yields every page of the corpus with its link, in the order of the links."""
        return self._with_links(page for page in self.documents.rows.all() if page.drop is None)

    def count_not_stored(self) -> int:
        """Counts the pages with text that were fetched and refused, and are not stored."""
        return sum(map(self.links.count_dropped, _PAGES_WITH_TEXT)) - self.documents.rows.count_refused()

    def sites(self) -> list[Site]:
        """Returns the hosts that gave a page, in the order in which they were met."""
        kept: Counter[int] = Counter()
        words: Counter[int] = Counter()
        for link, page in self.kept():
            kept[link.host] += 1
            words[link.host] += page.tokens
        fetched, drops = self.links.fetched_by_host(), self.links.drops_by_host()
        return [
            Site(host.name, fetched[host.id], kept[host.id], words[host.id], drops.get(host.id, {}))
            for host in self.links.hosts()
            if host.id in fetched
        ]

    def _with_links(self, pages: Iterator[StoredPage]) -> Iterator[tuple[StoredLink, StoredPage]]:
        while batch := list(islice(pages, _BATCH)):
            yield from zip(self.links.read_all([page.link for page in batch]), batch, strict=True)
