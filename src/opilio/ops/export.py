"""The verb `export`: the corpus in another format."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final, NamedTuple

from opilio.core.errors import ConfigError
from opilio.core.items import Record
from opilio.core.predicate import predicate
from opilio.folder.corpora import Corpora
from opilio.keep import FORMATS, export_corpus
from opilio.keep.export import Selection

from .writing import STANDARD_OUTPUT, output_path

_READABLE: Final = ("jsonl", "text", "markdown")
_ENDINGS: Final = {"text": "txt", "markdown": "md"}  # of the files whose format has another name
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
    min_score: float | None = None,
    where: str = "",
) -> Exported:
    """Writes the corpus as jsonl, jsonl.zst, parquet, text or markdown to `output`, or to a file in the folder; "-" is standard
    output. A crawl may be running. Of a folder of cycles, it is one corpus over all of them, with each text once.
    With `min_score`, the pages with at least that score are written instead, whether they are kept or not. `where` chooses
    among the documents by their fields (`core/predicate.py`)."""
    if min_score is not None and not 0.0 <= min_score <= 1.0:
        raise ConfigError(f"a score is a number from 0 to 1, not {min_score}.")
    chosen = predicate(where, Record) if where else None
    place = Path(folder)
    path = output_path(output, streams=True) if output else place / f"corpus.{_ENDINGS.get(format, format)}"
    target = _standard_output(format) if path == STANDARD_OUTPUT else path
    with Corpora(place, min_score) as found:
        total = len(found)
        documents = Selection(found, chosen) if chosen else found
        return Exported(path, export_corpus(documents, format, target, lambda done: progress(done, total)))


def _standard_output(style: str) -> IO[bytes]:
    if style in FORMATS and style not in _READABLE and sys.stdout.isatty():
        raise ConfigError(
            f"a terminal cannot show {style}. Choose --format {' or '.join(_READABLE)}, or send it to a file or a program."
        )
    return sys.stdout.buffer
