"""`bench iterator`: a Python program that leaves its loop over a crawl again and again, and is killed at random instants.

Every kept document must be handed out exactly once. The only repeat that is allowed is the document that the program had in its
hands when it was killed: it had finished with it, but not yet asked for the next one.
"""

import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import opilio
from opilio.webs.server import LoopbackServer

from . import Progress
from .child import command, environment
from .crash import prepare, wait_for_lock
from .form import Goal, Report

_LONGEST_S: Final = 3.0
_PATIENCE_S: Final = 300.0
_MORE_PAGES: Final = 300  # fetched in the end, without a kill
_LEFT: Final = "#"


class Checked(NamedTuple):
    handed_out: int
    left: int  # loops
    in_hands: int  # documents handed out again, because the program was killed before it asked for the next one
    repeated: list[str]
    lost: list[str]
    strange: list[str]  # handed out, but not in the corpus


def run(kills: int = 50, seed: int = 0, progress: Progress = lambda _done, _all: None) -> Report:
    random = Random(seed)
    with tempfile.TemporaryDirectory(prefix="opilio-iterator-") as scratch:
        folder, journal = Path(scratch) / "crawl", Path(scratch) / "journal"
        journal.touch()
        with LoopbackServer(f"made:200,{max(200, kills * 20)},{seed}", share=10) as server:
            prepare(folder, server)
            ends = []
            for number in range(kills):
                progress(number, kills)
                _kill_once(folder, journal, seed=number, delay_s=random.uniform(0.0, _LONGEST_S))
                ends.append(len(_lines(journal)))
            pages = opilio.status(folder)["pages"] + _MORE_PAGES
            last = _child(folder, journal, kills, pages)
            subprocess.run(last, check=True, timeout=_PATIENCE_S, env=environment())
            corpus = [document.url for document in opilio.read(folder)]
        return _report(check(_lines(journal), ends, corpus), kills, seed)


def check(lines: Sequence[str], ends: Sequence[int], corpus: Sequence[str]) -> Checked:
    """Compares what was handed out with the corpus. `ends` are the numbers of lines at each kill."""
    seen: set[str] = set()
    repeated, in_hands = [], 0
    for number, url in enumerate(lines):
        if url in seen and url != _LEFT:
            if number in ends and url == lines[number - 1]:
                in_hands += 1
            else:
                repeated.append(url)
        seen.add(url)
    left = lines.count(_LEFT)
    seen.discard(_LEFT)
    lost, strange = sorted({*corpus} - seen), sorted(seen - {*corpus})
    return Checked(len(lines) - left, left, in_hands, repeated, lost, strange)


def _child(folder: Path, journal: Path, seed: int, pages: int) -> list[str]:
    return command("bench.iterator_child", folder, journal, seed, pages)


def _kill_once(folder: Path, journal: Path, seed: int, delay_s: float) -> None:
    process = subprocess.Popen(_child(folder, journal, seed, 0), env=environment())
    try:
        wait_for_lock(folder / "lock", process)
        time.sleep(delay_s)
    finally:
        process.kill()
        process.wait()


def _lines(journal: Path) -> list[str]:
    return journal.read_text("utf-8").splitlines()


def _report(found: Checked, kills: int, seed: int) -> Report:
    rows = [
        ("kills", f"{kills:,}"),
        ("loops left", f"{found.left:,}"),
        ("documents handed out", f"{found.handed_out:,}"),
        ("of them again, because they were in the program's hands when it was killed", f"{found.in_hands:,}"),
        ("random seed", str(seed)),
    ]
    goals = [
        Goal("documents that were never handed out", len(found.lost), 0, "", at_least=False),
        Goal("documents handed out twice", len(found.repeated), 0, "", at_least=False),
        Goal("handed out, but not in the corpus", len(found.strange), 0, "", at_least=False),
        Goal("loops left", found.left, kills, "", at_least=True),
    ]
    notes = [f"never handed out: {url}" for url in found.lost] + [f"twice: {url}" for url in found.repeated]
    return Report("iterator", ("what", "figure"), rows, goals, notes=notes[:20])
