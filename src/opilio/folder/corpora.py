"""The corpus of a folder: that of its crawl, or one corpus over all of its cycles.

Over cycles, each text is there once, as the cycle has it that met it first; `fetched` of a document says when that was.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from opilio.core.items import Record
from opilio.keep import CorpusReader

from .cycles import CyclesFolder
from .paths import CrawlFolder
from .view import View


class Corpora:
    """Reads documents, even beside a running crawl: those of the corpus, or with `least` all with at least that score."""

    def __init__(self, folder: Path, least: float | None = None) -> None:
        self._opened = ExitStack()
        views = [
            self._opened.enter_context(View(place)) for place in CyclesFolder(folder).crawls() or [CrawlFolder(folder)]
        ]
        self._readers = [view.documents if least is None else view.documents.from_score(least) for view in views]

    def __enter__(self) -> "Corpora":
        return self

    def __exit__(self, *_error: object) -> None:
        self._opened.close()

    def __len__(self) -> int:
        """Returns how many documents there are; a text that several cycles have counts for each of them."""
        return sum(map(len, self._readers))

    def __iter__(self) -> Iterator[Record]:
        return (document for reader in self._distinct() for document in reader)

    def lines(self) -> Iterator[bytes]:
        """Yields a JSON line for each document."""
        return (line for reader in self._distinct() for line in reader.lines())

    def _distinct(self) -> Iterator[CorpusReader]:
        known: set[int] = set()
        return (reader.without(known) for reader in self._readers)
