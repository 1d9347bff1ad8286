"""Author, date and title of a hundred pages: floors that only go up, for the pages where others say something else."""

import os
from pathlib import Path

import pytest

from bench import run_benchmark

if not (Path(os.environ.get("OPILIO_DATA") or "nowhere") / "gold").exists():
    pytest.skip("there are no gold pages", allow_module_level=True)
pytest.importorskip("trafilatura", reason="the extra `extract` is not installed")

FLOORS = {"title": 37, "author": 31, "date": 9}


def test_where_answers_differ_ours_are_right_as_often_as_ever() -> None:
    report = run_benchmark("metadata", {})
    right = {row[0]: row[6] for row in report.rows}
    assert report.met
    assert all(int(right[field] or 0) >= least for field, least in FLOORS.items())
