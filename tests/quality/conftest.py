"""What several quality tests are measured on."""

import os
from pathlib import Path

import pytest

from bench.schools import Schools, read_schools


@pytest.fixture(scope="session")
def schools_web() -> Path:
    """The recorded web; its labels lie beside it."""
    web = Path(os.environ.get("OPILIO_DATA") or "nowhere") / "webs" / "schools.warc.gz"
    if not web.exists():
        pytest.skip("OPILIO_DATA names no folder with webs/schools.warc.gz and its labels")
    return web


@pytest.fixture(scope="session")
def schools(schools_web: Path) -> Schools:
    """A quarter of its pages."""
    return read_schools(every=4)
