"""`bench crash`: a real crawl of a loopback web, killed again and again, and inspected after every kill.

Kills fall at uniformly random instants. At least a fifth of them fall within 200 ms after the crawl has taken its
folder's lock, which is when it recovers from the previous kill. Every sixth falls within the first second of a crawl in a
new folder, which the same command then has to resume. The server's log is the witness for what was fetched again.
"""

import shutil
import signal
import subprocess
import tempfile
import time
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from opilio.folder import CrawlFolder, View
from opilio.webs.server import LoopbackServer

from .child import command, environment
from .form import Goal, Report
from .invariants import Inspector
from .witness import Witness

_EARLY_STEP: Final = 4  # one kill in this many falls into recovery
_NEW_STEP: Final = 6  # and one in this many kills a crawl that has just begun
_RECOVERY_S: Final = 0.2
_FIRST_S: Final = 1.0
_LONGEST_S: Final = 2.5
_PATIENCE_S: Final = 60.0

Progress = Callable[[int, int], None]


class Kill(NamedTuple):
    when_s: float  # wall clock
    after_s: float  # since the crawl took its folder's lock
    violations: tuple[str, ...]
    is_first: bool = False  # the crawl was new

    @property
    def in_recovery(self) -> bool:
        return self.after_s <= _RECOVERY_S and not self.is_first

    @property
    def in_first_second(self) -> bool:
        return self.after_s <= _FIRST_S and self.is_first


def run(kills: int = 200, seed: int = 0, progress: Progress = lambda _done, _all: None) -> Report:
    random = Random(seed)
    with tempfile.TemporaryDirectory(prefix="opilio-crash-") as scratch:
        folder, log = Path(scratch) / "crawl", Path(scratch) / "server.log"
        web = f"made:200,{max(200, kills * 5)},{seed}"
        with LoopbackServer(web, log=log, share=10) as server, LoopbackServer("made:20,50,1") as other:
            crawl = prepare(folder, server)
            inspector = Inspector(folder)
            history = []
            for number in range(kills):
                progress(number, kills)
                if number % _NEW_STEP == 1:
                    history.append(_kill_new(Path(scratch) / "new", other, random))
                    continue
                early = number % _EARLY_STEP == 0
                history.append(
                    _kill_once(crawl, folder, inspector, random.uniform(0.0, _RECOVERY_S if early else _LONGEST_S))
                )
            more = f"stop.pages={_pages(folder) + 200}"
            final = subprocess.run([*crawl, "--set", more], check=False, timeout=_PATIENCE_S * 5, env=environment())
            violations = [words for kill in history for words in kill.violations]
            violations += inspector.look(everything=True)
            if final.returncode:
                violations.append(f"I5: the last run ended with code {final.returncode}")
            return _report(history, violations, log, _pages(folder), seed)


def _kill_new(folder: Path, server: LoopbackServer, random: Random) -> Kill:
    """Kills a crawl in its first second, in a folder of its own, and then once more while it recovers. The same command must
    bring it on."""
    crawl, inspector = prepare(folder, server), Inspector(folder)
    first = _kill_once(crawl, folder, inspector, random.uniform(0.0, 0.95 * _FIRST_S))
    again = _kill_once(crawl, folder, inspector, random.uniform(0.0, _RECOVERY_S))
    last = subprocess.run([*crawl, "--set", "stop.pages=5"], check=False, timeout=_PATIENCE_S, env=environment())
    violations = (*first.violations, *again.violations, *inspector.look(everything=True))
    if last.returncode:
        violations += (f"I5: a new crawl that was killed twice ended with code {last.returncode}",)
    shutil.rmtree(folder)
    return first._replace(violations=violations, is_first=True)


def prepare(folder: Path, server: LoopbackServer) -> list[str]:
    folder.mkdir()
    seeds = folder / "seeds.txt"
    seeds.write_text("".join(f"{server.origin(host)}/\n" for host in list(server.hosts)[:20]), "utf-8")
    hosts = "\n".join(f'"{name}" = "{address}"' for name, address in server.hosts.items())
    settings = f"[fetch]\ndelay_s = 0.0\nallow_private_addresses = true\n[fetch.hosts]\n{hosts}\n"
    (folder / "crawl.toml").write_text(settings, "utf-8")
    return command("opilio", "crawl", folder, "--seeds", seeds, "--quiet")


def _kill_once(crawl: list[str], folder: Path, inspector: Inspector, delay_s: float) -> Kill:
    """Starts the crawl, waits until it has locked the folder, and kills it `delay_s` later."""
    process = subprocess.Popen(crawl, stderr=subprocess.PIPE, env=environment())
    try:
        locked_s = wait_for_lock(folder / "lock", process)
        time.sleep(delay_s)
    finally:
        process.kill()
        when_s, after_s = time.time(), time.monotonic() - locked_s
        _, words = process.communicate()
    violations = tuple(inspector.look()) if (folder / "crawl.db").exists() else ()
    if process.returncode != -signal.SIGKILL:
        violations += (f"I5: the crawl ended by itself with code {process.returncode}: {words.decode()[-300:]}",)
    return Kill(when_s, after_s, violations)


def wait_for_lock(lock: Path, process: subprocess.Popen[bytes]) -> float:
    """Waits until the lock file names the process, which is when recovery begins, and returns that moment (monotonic)."""
    deadline_s = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline_s and process.poll() is None:
        if lock.exists() and lock.read_text() == str(process.pid):
            break
        time.sleep(0.001)
    return time.monotonic()


def _pages(folder: Path) -> int:
    with View(CrawlFolder(folder)) as view:
        return view.meta.tally.pages


def _refetched(history: list[Kill], log: Path) -> list[int]:
    """Counts for each kill the pages that the server had answered before it and that were fetched again after it."""
    ends = [kill.when_s for kill in history]
    counts = [0] * len(history)
    last_run: dict[tuple[str, str], int] = {}
    for request in Witness.of(log).requests:
        if request.target == "/robots.txt":
            continue
        page, run = (request.host, request.target), bisect_left(ends, request.start_s)
        before = last_run.get(page, run)
        last_run[page] = run
        if before < run:
            counts[before] += 1
    return counts


def _report(history: list[Kill], violations: list[str], log: Path, pages: int, seed: int) -> Report:
    again = _refetched(history, log)
    early = sum(kill.in_recovery for kill in history)
    rows = [
        ("kills", f"{len(history):,}"),
        ("of them within 200 ms after the lock was taken", f"{early:,}"),
        ("of them within the first second of a new folder", f"{sum(kill.in_first_second for kill in history):,}"),
        ("pages committed in the end", f"{pages:,}"),
        ("pages fetched again, in all", f"{sum(again):,}"),
        ("pages fetched again after the worst kill", f"{max(again, default=0):,}"),
        ("pages fetched again per kill, mean", f"{sum(again) / max(1, len(again)):.1f}"),
        ("random seed", str(seed)),
    ]
    goals = [
        Goal("violations of I1 to I5", len(violations), 0, "", at_least=False),
        Goal("pages fetched again, worst kill", max(again, default=0), 100, "pages", at_least=False),
        Goal("kills in a first second", 100 * sum(kill.in_first_second for kill in history) / len(history), 10, "%"),
        Goal("kills in recovery", 100 * early / max(1, len(history)), 20, "%", at_least=True),
    ]
    return Report("crash", ("what", "figure"), rows, goals, notes=violations[:20])
