"""Crawls in cycles on a real web, `schools` of OPILIO_DATA, divided into days by topic (docs/made-webs.md): as `bench cycles`."""

import tempfile
from pathlib import Path
from typing import Final

from . import Progress, Report
from .cycles import counted_days, report
from .cycles_crawl import explore
from .cycles_web import schools_days

_FRESH_FROM: Final = 2  # on day 1 the web has most of what was never met anyway


def run(pages: int = 400, rounds: int = 8, seed: int = 7, progress: Progress | None = None) -> Report:
    """`rounds` is the number of days after the first, and `pages` that of a cycle."""
    with tempfile.TemporaryDirectory(prefix="opilio-cycles-") as name:
        found = explore(Path(name), counted_days(schools_days(rounds, seed), rounds + 1, progress), pages)
    return report("cycles_schools", found, fresh_from=_FRESH_FROM)
