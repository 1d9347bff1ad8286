"""The verb `scout ls`: lists the URLs of a directory, the most promising first, and writes them for other programs."""

import csv
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from opilio.core.durable import replacing
from opilio.core.errors import ConfigError
from opilio.core.languages import language_codes
from opilio.core.predicate import predicate
from opilio.core.suggestion import did_you_mean
from opilio.discover.entries import ENTRY_COLUMNS, DirectoryReader, Entry
from opilio.discover.ranking import ranked, with_expected_yield

from .names import each
from .scout_place import scouted_languages
from .writing import STANDARD_OUTPUT, output_path, writing

_DEFAULT_RANK: Final = "yield"
_LIST: Final = "; "  # between several values in a cell
Row = Sequence[Any]


def scout_ls(
    directory: str | Path,
    *,
    where: str = "",
    language: str | Iterable[str] = (),
    rank: str = _DEFAULT_RANK,
    limit: int = 0,
    all: bool = False,  # noqa: A002 - the option's name
    pairs: bool = False,
    format: str = "",  # noqa: A002 - the option's name
    output: str | Path | None = None,
) -> list[Entry]:
    """Lists the URLs that a crawl may begin at, or with `all` every URL that was found, dropped ones too. `language` chooses
    pages in these languages, `where` chooses by any field (`core/predicate.py`). With `format` ("csv", "jsonl" or "parquet") they
    are also written to `output`, or to standard output; with `pairs`, origin and target of every link that was seen are written
    instead. `limit` 0 lists all."""
    style = _style(format, pairs=pairs, output=output)
    codes = language_codes(each(language))
    with DirectoryReader(Path(directory)) as reader:
        if pairs:
            _write(style, ("origin", "target"), reader.pairs(), output)
            return []
        found = choose(reader, where=where, languages=codes, rank=rank, everything=all)
    found = found[:limit] if limit else found
    if style:
        rows = ([_cell(getattr(entry, name)) for name in ENTRY_COLUMNS] for entry in found)
        _write(style, ENTRY_COLUMNS, rows, output)
    return found


def choose(
    reader: DirectoryReader,
    *,
    where: str = "",
    languages: Sequence[str] = (),
    rank: str = _DEFAULT_RANK,
    everything: bool = False,
) -> list[Entry]:
    """Returns the entries that are wanted, the best first."""
    wanted = predicate(where, Entry) if where else lambda _entry: True
    entries = with_expected_yield(
        list(reader.entries()), reader.linked_domains(), languages or scouted_languages(reader)
    )
    return ranked(
        (
            entry
            for entry in entries
            if (everything or entry.is_viable) and (not languages or entry.language in languages) and wanted(entry)
        ),
        rank,
    )


# --- files


def _style(name: str, *, pairs: bool, output: str | Path | None) -> str:
    ending = Path(output).suffix.lstrip(".") if output else ""
    style = name or (ending if ending in _WRITERS else "csv" if pairs or output else "")
    if style and style not in _WRITERS:
        raise ConfigError(
            f'there is no format "{style}".{did_you_mean(style, _WRITERS)} Formats: {", ".join(_WRITERS)}.'
        )
    return style


def _write(style: str, names: Sequence[str], rows: Iterable[Row], output: str | Path | None) -> None:
    path = output_path(output or STANDARD_OUTPUT, streams=True)
    if path == STANDARD_OUTPUT:
        if style == "parquet" and sys.stdout.isatty():
            raise ConfigError("a terminal cannot show parquet. Name a file with -o, or choose --format csv.")
        _WRITERS[style](names, rows, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    with writing(path), replacing(path) as part, part.open("wb") as out:
        _WRITERS[style](names, rows, out)


def _csv(names: Sequence[str], rows: Iterable[Row], out: IO[bytes]) -> None:
    text = io.TextIOWrapper(out, "utf-8", newline="", write_through=True)
    writer = csv.writer(text)
    writer.writerow(names)
    writer.writerows([_LIST.join(cell) if isinstance(cell, list) else cell for cell in row] for row in rows)
    text.detach()


def _jsonl(names: Sequence[str], rows: Iterable[Row], out: IO[bytes]) -> None:
    for row in rows:
        out.write(msgspec.json.encode(dict(zip(names, row, strict=True))) + b"\n")


def _parquet(names: Sequence[str], rows: Iterable[Row], out: IO[bytes]) -> None:
    try:
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError as error:
        raise ConfigError('Parquet needs pyarrow: install "opilio[parquet]", or choose --format csv.') from error
    columns: Iterator[tuple[Any, ...]] = zip(*rows, strict=True)
    pq.write_table(pa.table(dict(zip(names, map(list, columns), strict=False)) or {name: [] for name in names}), out)


def _cell(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


_WRITERS: Final[dict[str, Callable[[Sequence[str], Iterable[Row], IO[bytes]], None]]] = {
    "csv": _csv, "jsonl": _jsonl, "parquet": _parquet,
}  # fmt: skip
