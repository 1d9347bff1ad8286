"""One lead, measured in a process of its own and printed as a JSON object:

python -m bench.lead_child NAME PAGES SEED [LINKS]

The lead is called as `engine/follow.py` calls it. CPU is that of its methods alone, without the first pages, in which
kernels are compiled. Memory is the most that was held since then, above what was held before the lead was made. Where a
lead wants everything to be scored again, the open targets at hand are scored and counted for all that a frontier would
hold.
"""

import gc
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from opilio.core.config import load_config
from opilio.core.items import Target
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.core.recipes import recipe_names
from opilio.lead import Judged, Lead, Stale
from opilio.webs.demo import articles

from .lead_stream import LINKS, Stream

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_WARM_UP_PAGES: Final = 50  # pages before anything is measured
_LAYER: Final = 100  # pages from one boundary to the next
_SAMPLES: Final = 5
POINTS: Final = (0.1, 0.2, 0.5, 1.0)  # of the pages, at which memory is read

Answer = TypeVar("Answer")


class Measured:
    def __init__(self, lead: Lead, seed: int, links: int) -> None:
        self._lead = lead
        self.stream = Stream(seed, lead.sightings, links)
        self.cpu_s: dict[str, float] = defaultdict(float)

    def page(self, number: int) -> None:
        met, lead = self.stream.next(), self._lead
        target = met.target if lead.sightings else met.target._replace(sightings=())
        stale = self._timed("learn", lambda: lead.learn(Judged(target, met.page, met.verdict, met.verdict.belongs)))
        self._score("score", [*met.new, *met.again] if lead.sightings else met.new)
        self._score_again(stale)
        self._timed("again", lead.fresh)
        if number % _LAYER == 0:
            self._end_layer(number)

    def _end_layer(self, number: int) -> None:
        lead = self._lead
        lead.count(self.stream.links - number)
        self._score_again(self._timed("again", lead.boundary))
        self._timed("save", lead.save)

    def _score_again(self, stale: Stale) -> None:
        opened = self.stream.open
        if stale.everything:
            before_s = self.cpu_s["again"]
            self._score("again", list(opened.values()))
            self.cpu_s["again"] += (self.cpu_s["again"] - before_s) * (self.stream.links / len(opened) - 1)
        elif stale.links:
            self._score("again", [opened[number] for number in stale.links if number in opened])

    def _score(self, name: str, targets: Sequence[Target]) -> None:
        if targets:
            self._timed(name, lambda: self._lead.score(targets))

    def _timed(self, name: str, ask: Callable[[], Answer]) -> Answer:
        started_s = time.process_time()
        answer = ask()
        self.cpu_s[name] += time.process_time() - started_s
        return answer


def measure(name: str, pages: int, seed: int, links: int = LINKS) -> dict[str, Any]:
    config = load_config(recipe=name if name in recipe_names() else "perplexity")
    samples = tuple(Sample(each.title, each.text) for each in articles("cats.en")[:_SAMPLES])
    gc.collect()
    before_mb = _memory_mb("VmRSS:")
    lead: Lead = build_plugin("lead", {"name": name}, Context(config, None, samples))
    measured = Measured(lead, seed, links)
    for number in range(1, _WARM_UP_PAGES + 1):
        measured.page(number)
    measured.cpu_s.clear()
    _CLEAR.write_text("5", "ascii")  # what compiling took is not part of the peak
    memory, points = [], [int(point * pages) for point in POINTS]
    for number in range(1, pages + 1):
        measured.page(_WARM_UP_PAGES + number)
        if number in points:
            memory.append(round(_memory_mb("VmHWM:") - before_mb, 1))
    cpu = {part: 1_000 * measured.cpu_s[part] / pages for part in ("learn", "score", "again", "save")}
    return {"targets": measured.stream.links, "cpu_ms": cpu, "memory_mb": memory}


def _memory_mb(kind: str) -> float:
    line = next(line for line in _STATUS.read_text("ascii").splitlines() if line.startswith(kind))
    return int(line.split()[1]) * 1024 / 1e6


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], *map(int, sys.argv[2:]))))  # noqa: T201
