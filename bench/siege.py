"""`bench siege`: whether good hosts keep their pages beside hostile ones, by the servers' log.

Ten good hosts are crawled politely, alone and then beside each crowd of hostile hosts (`siege_attacks`). What counts is how
many of their pages they keep, how long they are silent together, and how much memory and processor time the crawl's processes
take more than without the crowd. `minutes` is the length of a soak beside a mixed crowd, in which the good hosts must be as
fast in the last tenth as in the second; `hosts` is how many hosts of each attack stand alone against the good ones.
"""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from opilio.webs.listener import Ready

from . import Goal, Progress, Report
from .child import command, environment
from .siege_attacks import ATTACKS
from .siege_server import Plan

_GOOD: Final = 10
_DELAY_S: Final = 0.5
_START_S: Final = 3.0  # after its first good page, a crawl has begun
_CASE_S, _CROWD_S = 12.0, 40.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_CROWDS: Final = {
    "300 hosts at 1 byte/s": {"trickle": 300},
    "1,000 slow bodies": {"slow": 1_000},
    "30 % hostile": {"heavy": 2, "error": 1, "slow": 1},
    "30 heavy hosts": {"heavy": 30},
}
_SOAK: Final = {
    "heavy": 2,
    "error": 1,
    "slow": 20,
    "trickle": 20,
    "bomb_br": 1,
    "links": 1,
    "flood": 1,
    "loop": 3,
    "rules": 1,
}


class Outcome(NamedTuple):
    pages: list[float]  # when good pages were given, in seconds since the first
    peak_mb: float
    cpu_s: float
    seconds: float

    @property
    def counted(self) -> int:
        return sum(when >= _START_S for when in self.pages)

    def figures(self, alone: "Outcome") -> tuple[int, float, float, float, float]:
        """Returns good pages, their share of those without hostile hosts, silence, and what memory and time grew by."""
        share = 100 * self.counted / max(1, alone.counted)
        return self.counted, share, self.silence_s, self.peak_mb - alone.peak_mb, self.cpu_s - alone.cpu_s

    @property
    def silence_s(self) -> float:
        """The longest time without a good page, once the crawl has begun."""
        moments = [_START_S, *(when for when in self.pages if when > _START_S), self.seconds]
        return max(after - before for before, after in pairwise(moments))


def run(hosts: int = 1, minutes: int = 6, progress: Progress = lambda _done, _all: None) -> Report:
    plans = {name: (crowd, _CROWD_S) for name, crowd in _CROWDS.items()}
    plans |= {name: ({name: hosts if name != "loop" else 3}, _CASE_S) for name in ATTACKS}
    alone = {seconds: besiege({}, seconds) for seconds in (_CASE_S, _CROWD_S)}
    rows, found = [], {}
    for done, (name, (crowd, seconds)) in enumerate(plans.items()):
        progress(done, len(plans))
        outcome, before = besiege(crowd, seconds), alone[seconds]
        found[name] = outcome.figures(before)[1:4]
        rows.append((name, *outcome.figures(before)))
    goals = [
        Goal("good pages beside 300 hosts at 1 byte/s", found["300 hosts at 1 byte/s"][0], 90, "%"),
        Goal("good pages beside 1,000 slow bodies", found["1,000 slow bodies"][0], 90, "%"),
        Goal("memory for 1,000 slow bodies", found["1,000 slow bodies"][2], 100, "MB", at_least=False),
        Goal("good pages with 30 % hostile hosts", found["30 % hostile"][0], 95, "%"),
        Goal("good pages beside 30 heavy hosts", found["30 heavy hosts"][0], 90, "%"),
        Goal("silence beside an attack", max(found[name][1] for name in ATTACKS), 2, "s", at_least=False),
        Goal("memory for an attack", max(found[name][2] for name in ATTACKS), 150, "MB", at_least=False),
    ]
    if minutes:
        soak = besiege(_SOAK, 60.0 * minutes)
        second, last = _tenth(soak, 1), _tenth(soak, 9)
        rows.append(
            (f"soak of {minutes} min", soak.counted, 100.0 * last / second, soak.silence_s, soak.peak_mb, soak.cpu_s)
        )
        goals.append(Goal("last tenth of the soak, of the second", 100.0 * last / second, 95, "%"))
    columns = ("beside", "good pages", "% of alone", "silence s", "memory MB +", "CPU s +")
    notes = [f"Alone: {outcome.counted} pages in {seconds:g} s." for seconds, outcome in alone.items()]
    return Report("siege", columns, rows, goals, notes)


def _tenth(outcome: Outcome, number: int) -> int:
    tenth_s = outcome.seconds / 10
    return sum(number * tenth_s <= when < (number + 1) * tenth_s for when in outcome.pages)


def besiege(crowd: dict[str, int], seconds: float, *settings: str) -> Outcome:
    """Crawls the good hosts and this crowd for this many seconds."""
    with tempfile.TemporaryDirectory(prefix="opilio-siege-") as scratch:
        folder, log = Path(scratch) / "crawl", Path(scratch) / "log"
        with _served(Plan(_GOOD, crowd, str(log), 20_000 if "many_names" in crowd else 0)) as ready:
            _prepare(folder, ready)
            options = [part for setting in settings for part in ("--set", setting)]
            with subprocess.Popen(
                command("opilio", "crawl", folder, "--quiet", *options), env=environment(), stderr=subprocess.PIPE
            ) as process:
                peak_mb, cpu_s = _watched(process, log, seconds)
                process.send_signal(signal.SIGTERM)
                _, words = process.communicate(timeout=30)
        if process.returncode:
            raise RuntimeError(f"the crawl ended with code {process.returncode}: {words.decode()[-2000:]}")
        times = [float(line.split()[0]) for line in log.read_text("utf-8").splitlines()]
        pages = [when - times[0] for when in times]
    return Outcome([when for when in pages if when <= seconds], peak_mb, cpu_s, seconds)


@contextmanager
def _served(plan: Plan) -> Iterator[Ready]:
    argument = msgspec.json.encode(plan).decode()
    with subprocess.Popen(
        command("bench.siege_server", argument), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout is not None
        yield msgspec.json.decode(process.stdout.readline(), type=Ready)
        assert process.stdin is not None
        process.stdin.close()


def _prepare(folder: Path, ready: Ready) -> None:
    folder.mkdir()
    hosts = "\n".join(f'"{name}" = "{address}"' for name, address in ready.hosts.items())
    (folder / "crawl.toml").write_text(
        f"[seeds]\nfiles = ['seeds.txt']\n[fetch]\ndelay_s = {_DELAY_S}\nallow_private_addresses = true\n"
        f"[fetch.hosts]\n{hosts}\n",
        "utf-8",
    )
    seeds = (f"http://{name}:{ready.port}/\n" for name in ready.hosts if not name.endswith(".many.test"))
    (folder / "seeds.txt").write_text("".join(seeds), "utf-8")


def _watched(process: subprocess.Popen[bytes], log: Path, seconds: float) -> tuple[float, float]:
    """Watches for this many seconds after the first good page. Returns the most memory that the process and its children had
    together, and the time that they took."""
    while not log.stat().st_size and process.poll() is None:
        time.sleep(0.05)
    peak_mb, until_s = 0.0, time.monotonic() + seconds
    cpu_s: dict[int, float] = {}
    while time.monotonic() < until_s and process.poll() is None:
        together_mb = 0.0
        for pid in _family(process.pid):
            with suppress(OSError):
                together_mb += _memory_mb(pid)
                cpu_s[pid] = _cpu_s(pid)
        peak_mb = max(peak_mb, together_mb)
        time.sleep(0.1)
    return peak_mb, sum(cpu_s.values())


def _family(pid: int) -> list[int]:
    with suppress(OSError):
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split())]
    return []


def _memory_mb(pid: int) -> float:
    """Counts pages that processes share for each by its part."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS
