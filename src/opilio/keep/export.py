"""Writes the corpus in common formats: JSON lines, Parquet, plain text, Markdown.

An export is written beside its destination and renamed when it is whole, so a broken one never looks finished.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final, Protocol

import msgspec
import zstandard

from opilio.core.durable import replacing
from opilio.core.errors import ConfigError, StorageError
from opilio.core.items import Record

from .markdown import as_markdown
from .record import decode_line

_BATCH_DOCUMENTS: Final = 1_000
Progress = Callable[[int], None]


class Documents(Protocol):
    """What is exported."""

    def lines(self) -> Iterator[bytes]: ...

    def __iter__(self) -> Iterator[Record]: ...


class Selection:
    """The documents that a predicate chooses."""

    def __init__(self, documents: Documents, chosen: Callable[[Record], bool]) -> None:
        self._documents = documents
        self._chosen = chosen

    def lines(self) -> Iterator[bytes]:
        return (line for line in self._documents.lines() if self._chosen(decode_line(line)))

    def __iter__(self) -> Iterator[Record]:
        return filter(self._chosen, self._documents)


def export_corpus(
    corpus: Documents, style: str, target: Path | IO[bytes], progress: Progress = lambda _documents: None
) -> int:
    """Writes every document to a file, or to a stream that is open, and returns how many there were."""
    if style not in FORMATS:
        raise ConfigError(f'there is no format "{style}". Formats: {", ".join(FORMATS)}.')
    try:
        return _export(corpus, style, target, progress)
    except BrokenPipeError:  # the reader has seen enough
        raise
    except OSError as error:
        place = target if isinstance(target, Path) else "standard output"
        raise StorageError(
            f"cannot write {place}: {error.strerror or error}. The corpus itself is untouched."
        ) from error


def _export(corpus: Documents, style: str, target: Path | IO[bytes], progress: Progress) -> int:
    if isinstance(target, Path):
        with replacing(target) as part, part.open("wb") as out:
            return FORMATS[style](corpus, out, progress)
    count = FORMATS[style](corpus, target, progress)
    target.flush()  # only now is it known whether there was room for everything
    return count


def _jsonl(corpus: Documents, out: IO[bytes], progress: Progress) -> int:
    return _write(corpus.lines(), out, progress)


def _jsonl_zst(corpus: Documents, out: IO[bytes], progress: Progress) -> int:
    with zstandard.ZstdCompressor(level=9).stream_writer(out, closefd=False) as packed:
        return _write(corpus.lines(), packed, progress)


def _text(corpus: Documents, out: IO[bytes], progress: Progress) -> int:
    """Writes a paragraph per line, and an empty line after each document."""
    return _write((f"{record.text}\n\n".encode() for record in corpus), out, progress)


def _markdown(corpus: Documents, out: IO[bytes], progress: Progress) -> int:
    """Writes each document with its marks, after a few lines about it."""
    return _write((f"{as_markdown(record)}\n".encode() for record in corpus), out, progress)


def _parquet(corpus: Documents, out: IO[bytes], progress: Progress) -> int:
    try:
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError as error:
        raise ConfigError('Parquet needs pyarrow: install "opilio[parquet]", or export to jsonl.zst.') from error
    opinion = pa.struct(
        [("judge", pa.string()), ("score", pa.float64()), ("reason", pa.string()), ("measure", pa.float64())]
    )
    signal = pa.struct([("source", pa.string()), ("name", pa.string()), ("value", pa.string())])
    kinds: Mapping[Any, Any] = {int: pa.int64(), float: pa.float64(), str: pa.string(), float | None: pa.float64()}
    block = pa.struct([("kind", pa.string()), ("start", pa.int64()), ("end", pa.int64()), ("aside", pa.bool_())])
    comment = pa.struct([("text", pa.string()), ("author", pa.string()), ("date", pa.string())])
    share = pa.struct([("language", pa.string()), ("share", pa.float64())])
    lists = {
        "opinions": pa.list_(opinion), "signals": pa.list_(signal), "blocks": pa.list_(block), "comments": pa.list_(comment),
        "languages": pa.list_(share),
    }  # fmt: skip
    fields = msgspec.structs.fields(Record)
    schema = pa.schema([(field.name, lists.get(field.name) or kinds[field.type]) for field in fields])
    count = 0
    with pq.ParquetWriter(out, schema, compression="zstd") as table:
        records = iter(corpus)
        while batch := [msgspec.to_builtins(record) for record in islice(records, _BATCH_DOCUMENTS)]:
            table.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
            progress(count)
    return count


def _write(chunks: Iterator[bytes], out: IO[bytes], progress: Progress) -> int:
    count = 0
    for chunk in chunks:
        out.write(chunk)
        count += 1
        if count % _BATCH_DOCUMENTS == 0:
            progress(count)
    return count


FORMATS: Final[Mapping[str, Callable[[Documents, IO[bytes], Progress], int]]] = {
    "jsonl": _jsonl,
    "jsonl.zst": _jsonl_zst,
    "parquet": _parquet,
    "text": _text,
    "markdown": _markdown,
}
