"""The verb `export`: the corpus in another format."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from opilio.core.items import Record
from opilio.core.predicate import predicate
from opilio.folder import CrawlFolder, View
from opilio.keep import export_corpus
from opilio.keep.export import Selection

Progress = Callable[[int, int], None]  # documents written, and all of them


class Exported(NamedTuple):
    path: Path
    documents: int


def export(
    folder: str | Path,
    format: str = "jsonl.zst",  # noqa: A002 - the option's name
    output: str | Path | None = None,
    progress: Progress = lambda _done, _total: None,
    *,
    where: str = "",
) -> Exported:
    """Writes the corpus as jsonl, jsonl.zst, parquet or text to `output`, or to a file in the folder. A crawl may be running.
    `where` chooses among the documents by their fields (`core/predicate.py`)."""
    chosen = predicate(where, Record) if where else None
    place = CrawlFolder(Path(folder))
    path = Path(output) if output else place.path / f"corpus.{'txt' if format == 'text' else format}"
    with View(place) as view:
        total = len(view.documents)
        documents = Selection(view.documents, chosen) if chosen else view.documents
        return Exported(path, export_corpus(documents, format, path, lambda done: progress(done, total)))
