"""Hands out the documents of a crawl to whoever iterates over it: each document of the corpus, once, however often the loop is
left and the crawl resumed.

Rules:
* A document counts as handed out when the next one is asked for, or when the loop is left. Before anything else happens, that
  is written down (`HandedLinks`). After a kill, the one document that was in the caller's hands is handed out again, and so it
  is after an error in a `with` block. Without one it counts: a generator is closed in the same way by `break` and by an error.
* Documents come in the order in which they were kept. One that enters the corpus later, by a mark or another verdict, comes
  later; one that has left it before its turn does not come; one that was handed out, left and came back does not come again.
* Only committed documents are handed out. They are read from the disk as a view sees it, so nothing waits in memory.
"""

from opilio.core.items import Record

from .handed import HandedLinks
from .paths import CrawlFolder
from .view import View


class Handout:
    """Whoever uses it holds the folder's lock: two at a time would hand out the same document."""

    def __init__(self, folder: CrawlFolder) -> None:
        self._handed = HandedLinks(folder.handed)
        self._view = View(folder)
        self._place = -1, -1  # shard and offset: every document up to here was handed out
        self._in_hands = 0  # the link of the document that the caller has, or 0

    def __enter__(self) -> "Handout":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        if kind is GeneratorExit:  # the loop was left; after an error, the document is handed out again
            self._settle()
        self._handed.sync()
        self._handed.close()
        self._view.close()

    def next(self) -> Record | None:
        """Returns the next document, or None if there is none until the crawl commits again."""
        self._settle()
        documents = self._view.documents
        for link, shard, offset in documents.rows.kept_after(*self._place):
            self._place = shard, offset
            if link not in self._handed:
                self._in_hands = link
                return documents.get(link)
        self._handed.sync()
        return None

    def _settle(self) -> None:
        if self._in_hands:
            self._handed.add(self._in_hands)
            self._in_hands = 0
