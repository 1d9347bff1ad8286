"""The verb `read`: yields the corpus of a crawl."""

from collections.abc import Iterator
from pathlib import Path

from opilio.core.items import Record
from opilio.folder import CrawlFolder, View


def read(folder: str | Path) -> Iterator[Record]:
    """Yields the documents of a crawl's corpus in the order in which they were kept, even while the crawl runs."""
    with View(CrawlFolder(Path(folder))) as view:
        yield from view.documents
