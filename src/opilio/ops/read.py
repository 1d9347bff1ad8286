"""The verb `read`: yields the corpus of a crawl."""

from collections.abc import Iterator
from pathlib import Path

from opilio.core.items import Record
from opilio.folder.corpora import Corpora


def read(folder: str | Path) -> Iterator[Record]:
    """Yields the documents of a crawl's corpus in the order in which they were kept, even while the crawl runs. Of a folder of
    cycles, it yields those of all cycles, each text once."""
    with Corpora(Path(folder)) as documents:
        yield from documents
