"""`bench frontier`: the durable frontier at one and at ten million URLs, each size in a process of its own."""

import tempfile
import time
from typing import Any, Final

from .child import measure_apart
from .form import Goal, Report

_MILLION: Final = 1_000_000
_SIZES: Final = (_MILLION, 10 * _MILLION)
_COLUMNS: Final = (
    "URLs",
    "adds/s",
    "leases/s",
    "disk bytes/URL",
    "memory bytes/URL",
    "memory MB",
    "resume s",
    "resume MB",
)


def run(urls: int = 0, hosts: int = 0) -> Report:
    """`urls` measures that size alone; the default is one and ten million, which takes about five minutes."""
    sizes = (urls,) if urls else _SIZES
    figures = [_measure(size, hosts or max(10, size // 1000)) for size in sizes]
    rows = [
        (
            one["urls"],
            round(one["adds_per_s"]),
            round(one["leases_per_s"]),
            round(one["disk_bytes_per_url"]),
            round(one["memory_bytes_per_url"]),
            round(one["memory_mb"]),
            round(one["resume_s"], 2),
            round(one["resume_memory_mb"]),
        )
        for one in figures
    ]
    smallest, largest = figures[0], figures[-1]
    goals = [
        Goal("adds, durable", min(one["adds_per_s"] for one in figures), 10_000, "URLs/s"),
        Goal("leases, durable", min(one["leases_per_s"] for one in figures), 2_000, "leases/s"),
        Goal(f"memory at {largest['urls']:,} URLs", largest["memory_mb"], 400, "MB", at_least=False),
        Goal(f"resume to the first lease, {smallest['queued']:,} queued", smallest["resume_s"], 2, "s", at_least=False),
    ]
    return Report("frontier", _COLUMNS, rows, goals)


def _measure(urls: int, hosts: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="opilio-frontier-") as folder:
        filled = _child("fill", folder, str(urls), str(hosts))
        started_s = time.perf_counter()
        resumed = _child("resume", folder)
        resume_s = time.perf_counter() - started_s  # with the start of the interpreter and all imports
    return {**filled, "resume_s": resume_s, "queued": resumed["queued"], "resume_memory_mb": resumed["memory_mb"]}


def _child(*arguments: str) -> dict[str, Any]:
    figures: dict[str, Any] = measure_apart("bench.frontier_child", *arguments)
    return figures
