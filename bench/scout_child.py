"""One reading of a dump in a process of its own, printed as a JSON object:

python -m bench.scout_child links DUMP     reads it as the source does
python -m bench.scout_child bz2 DUMP       only unpacks it
"""

import asyncio
import bz2
import json
import sys
import time
from pathlib import Path
from typing import Any

from opilio.core.items import Fetched
from opilio.discover import Question
from opilio.discover.wikipedia import Wikipedia

from .child import memory_mb

_PIECE_BYTES = 2**20


async def read_links(dump: str) -> int:
    async def ask(question: Question) -> Fetched:
        raise AssertionError(f"a file needs no request: {question.url}")

    return sum([len(batch) async for batch in Wikipedia(dump).finds(ask, {})])


def unpack(dump: str) -> int:
    with bz2.open(dump) as file:
        while file.read(_PIECE_BYTES):
            pass
    return 0


def main(kind: str, dump: str) -> dict[str, Any]:
    started_s, started_cpu_s = time.perf_counter(), time.process_time()
    links = unpack(dump) if kind == "bz2" else asyncio.run(read_links(dump))
    spent_s, cpu_s = time.perf_counter() - started_s, time.process_time() - started_cpu_s
    return {"links": links, "seconds": spent_s, "cpu_s": cpu_s, "peak_mb": memory_mb("VmHWM")}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], str(Path(sys.argv[2])))))  # noqa: T201
