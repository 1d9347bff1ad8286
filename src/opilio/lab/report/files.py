"""Writes an experiment's result to files: JSON with everything, CSV with a line per run, charts, and a page with them.

JSON and CSV depend on the result alone: the same runs give the same bytes."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from opilio.core.errors import StorageError
from opilio.lab.experiment import Result
from opilio.lab.protocol import Run
from opilio.lab.summary import summarise

from .charts import draw_charts
from .page import page

_LONG_FIELDS: Final = frozenset(
    {"seeds", "samples", "curve", "coverage_curve", "time_curve", "bins"}
)  # too long for a spreadsheet


def result_json(result: Result) -> bytes:
    """Returns everything but the costs, so that the same question always gives the same bytes."""
    values = msgspec.to_builtins(result)
    del values["costs"]
    return json_bytes(values | {"means": msgspec.to_builtins(summarise(result.runs, result.against))})


def result_csv(result: Result) -> str:
    names = [field.name for field in msgspec.structs.fields(Run) if field.name not in _LONG_FIELDS]
    return csv_of(names, ([getattr(run, name) for name in names] for run in result.runs))


def write_json(result: Result, path: Path) -> None:
    with writing_file(path):
        path.write_bytes(result_json(result))


def write_result(result: Result, folder: Path) -> list[Path]:
    """Writes everything and returns the files. Without matplotlib there are no charts, and the page says so."""
    with writing_folder(folder):
        charts = draw_charts(result.runs, folder) if result.runs else []
        files = {
            "lab.json": result_json(result),
            "runs.csv": result_csv(result).encode(),
            "index.html": page(result, charts).encode(),
        }
        for name, content in files.items():
            (folder / name).write_bytes(content)
    return [*(folder / name for name in files), *charts]


def json_bytes(values: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(values), indent=1) + b"\n"


def csv_of(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue()


@contextmanager
def writing_file(path: Path) -> Iterator[None]:
    """Turns what the disk refuses into an error for the operator."""
    try:
        yield
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}. Choose another file.") from error


@contextmanager
def writing_folder(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(exist_ok=True)
        yield
    except OSError as error:
        raise StorageError(f"cannot write to {folder}: {error.strerror or error}. Choose another folder.") from error
