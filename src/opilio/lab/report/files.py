"""Writes an experiment's result to files: JSON with everything, CSV with a line per run, charts, and a page with them.

JSON and CSV depend on the result alone: the same runs give the same bytes."""

import csv
import io
from pathlib import Path
from typing import Final

import msgspec

from opilio.core.errors import StorageError
from opilio.lab.experiment import Result
from opilio.lab.protocol import Run
from opilio.lab.summary import summarise

from .charts import draw_charts
from .page import page

_LONG_FIELDS: Final = frozenset({"seeds", "samples", "curve", "coverage_curve"})  # too long for a spreadsheet


def result_json(result: Result) -> bytes:
    lines = msgspec.to_builtins(summarise(result.runs))
    return msgspec.json.format(msgspec.json.encode(msgspec.to_builtins(result) | {"means": lines}), indent=1) + b"\n"


def result_csv(result: Result) -> str:
    out = io.StringIO()
    names = [field.name for field in msgspec.structs.fields(Run) if field.name not in _LONG_FIELDS]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([getattr(run, name) for name in names] for run in result.runs)
    return out.getvalue()


def write_json(result: Result, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(result_json(result))
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}. Choose another file.") from error


def write_result(result: Result, folder: Path) -> list[Path]:
    """Writes everything and returns the files. Without matplotlib there are no charts, and the page says so."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        charts = draw_charts(result.runs, folder) if result.runs else []
        files = {
            "lab.json": result_json(result),
            "runs.csv": result_csv(result).encode(),
            "index.html": page(result, charts).encode(),
        }
        for name, content in files.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        raise StorageError(f"cannot write to {folder}: {error.strerror or error}. Choose another folder.") from error
    return [*(folder / name for name in files), *charts]
