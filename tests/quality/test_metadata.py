"""Author, date and title of a hundred pages: floors that only go up, for the pages where others say or said something else."""

import os
from pathlib import Path

import pytest

from bench import run_benchmark

if not (Path(os.environ.get("OPILIO_DATA") or "nowhere") / "gold").exists():
    pytest.skip("OPILIO_DATA names no folder with gold pages", allow_module_level=True)
pytest.importorskip("trafilatura", reason="the extra `extract` is not installed")

FLOORS = {"title": 40, "author": 35, "date": 12}


def test_where_somebody_has_looked_ours_are_right_as_often_as_ever() -> None:
    report = run_benchmark("metadata", {})
    right = {row[0]: row[6] for row in report.rows}
    assert report.met
    assert all(int(right[field] or 0) >= least for field, least in FLOORS.items())
