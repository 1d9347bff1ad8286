"""`bench scout`: how fast the external links of a Wikipedia dump are read, next to unpacking it alone, and in how much memory.

Both read the same file in processes of their own, by turns, and the best of each counts. A thread unpacks ahead of the source, so
that with two cores their times overlap; CPU time has the sum.
"""

import tempfile
from pathlib import Path
from typing import Any, Final

from . import Progress
from .child import measure_apart
from .form import Goal, Report
from .scout_dump import sample_dump, write_dump

_SAMPLE_LINKS: Final = 5_033  # external links of the sample, counted by whoever made it
_MEGABYTE: Final = 1_000_000


def run(size: int = 1_000, rounds: int = 2, progress: Progress = lambda _done, _all: None) -> Report:
    """`size` is that of the dump before packing, in MB."""
    steps = 2 * rounds + 2
    sample = measure_apart("bench.scout_child", "links", sample_dump())
    progress(1, steps)
    with tempfile.TemporaryDirectory(prefix="opilio-scout-") as name:
        dump = Path(name) / "enwiki-made-pages-articles.xml.bz2"
        size_bytes = write_dump(dump, size * _MEGABYTE)
        progress(2, steps)
        taken: dict[str, list[dict[str, Any]]] = {"bz2": [], "links": []}
        for number in range(2 * rounds):
            kind = ("bz2", "links")[number % 2]
            taken[kind].append(measure_apart("bench.scout_child", kind, dump))
            progress(number + 3, steps)
    alone, ours = (min(taken[kind], key=lambda one: float(one["seconds"])) for kind in ("bz2", "links"))
    return _report(sample["links"], size_bytes, alone, ours)


def _report(sample_links: int, size_bytes: int, alone: dict[str, Any], ours: dict[str, Any]) -> Report:
    megabytes = size_bytes / _MEGABYTE
    rows = [
        (what, megabytes / each["seconds"], megabytes / each["cpu_s"], each["peak_mb"], links)
        for what, each, links in (("unpacking alone", alone, None), ("links of all pages", ours, ours["links"]))
    ]
    goals = [
        Goal("links of the sample", sample_links, 4_900, f"of {_SAMPLE_LINKS:,}"),
        Goal("speed, next to unpacking alone", alone["seconds"] / ours["seconds"], 0.6, "times"),
        Goal("memory", ours["peak_mb"], 200, "MB", at_least=False),
    ]
    columns = (f"dump of {megabytes:,.0f} MB", "MB/s", "MB per CPU second", "memory, MB", "links")
    return Report("scout", columns, rows, goals)
