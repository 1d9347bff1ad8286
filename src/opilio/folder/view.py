"""A crawl's folder for whoever only looks. Each part is asked of the package that owns its tables; what belongs together is
joined here.

Rule: a view never writes, so it may be opened beside a running crawl. Every question is answered from the last commit, so two
answers may be one commit apart.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from types import TracebackType
from typing import Final, NamedTuple

from opilio.core.config import Config, load_config
from opilio.core.outcome import Drop
from opilio.enqueue import LinkReader, StoredLink
from opilio.keep import CorpusReader
from opilio.keep.reader import Entry

from .database import open_readonly
from .marks import Marks
from .meta import Meta
from .paths import CrawlFolder

_BATCH: Final = 1_000  # documents whose links are read by one query


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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._connection.close()

    @property
    def config(self) -> Config:
        """Returns the settings of the last run, or the defaults if there was none."""
        return self.meta.config or load_config()

    @property
    def marks(self) -> Marks:
        return Marks(self._connection)

    def kept(self) -> Iterator[tuple[StoredLink, Entry]]:
        """Yields every document with its link."""
        entries = self.documents.entries()
        while batch := list(islice(entries, _BATCH)):
            yield from zip(self.links.read_all([entry.link for entry in batch]), batch, strict=True)

    def sites(self) -> list[Site]:
        """Returns the hosts that gave a page, in the order in which they were met."""
        kept: Counter[int] = Counter()
        words: Counter[int] = Counter()
        for link, entry in self.kept():
            kept[link.host] += 1
            words[link.host] += entry.tokens
        fetched, drops = self.links.fetched_by_host(), self.links.drops_by_host()
        return [
            Site(host.name, fetched[host.id], kept[host.id], words[host.id], drops.get(host.id, {}))
            for host in self.links.hosts()
            if host.id in fetched
        ]
