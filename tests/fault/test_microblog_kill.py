"""A traversal of a microblog that is killed again and again, over real HTTP."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from bench.truc_server import NetworkServer, serving
from tests.builders import ROOT, SOURCE
from tests.unit.discover.microblog.villages import villages

KILLS = 4
STEP = 12  # requests between two kills


def test_a_kill_loses_no_find_and_repeats_no_request_but_the_last(tmp_path: Path) -> None:
    with serving(villages()) as server:
        assert run(server, tmp_path / "whole.db") == 0
        whole = list(server.asked)
    with serving(villages()) as server:
        codes = [run(server, tmp_path / "killed.db", until=STEP * number) for number in range(1, KILLS + 1)]
        assert codes == [-signal.SIGKILL] * KILLS
        assert run(server, tmp_path / "killed.db") == 0
        repeated = Counter(server.asked) - Counter(whole)
    assert found(tmp_path / "killed.db") == found(tmp_path / "whole.db")
    assert set(server.asked) == set(whole)
    # A killed run repeats the request under way, and looks at the top of the timeline for what is new.
    assert all(count <= KILLS for count in repeated.values())
    assert sum(repeated.values()) <= 2 * KILLS


def run(server: NetworkServer, database: Path, until: int | None = None) -> int:
    """Runs the traversal to its end, or kills it when the server has been asked this often."""
    path = os.pathsep.join(map(str, (ROOT, SOURCE)))
    command = [sys.executable, "-m", "tests.fault.microblog_child", str(database), str(server.port)]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": path})
    while process.poll() is None:
        if until is not None and len(server.asked) >= until:
            process.kill()
            return process.wait()
        time.sleep(0.001)
    return process.returncode


def found(database: Path) -> Counter[tuple[str, str]]:
    """Every find with its group. The benchmark is drawn with a key of the directory, so it is left out."""
    connection = sqlite3.connect(database)
    rows = connection.execute("SELECT url, grouped FROM finds WHERE grouped != 'random'").fetchall()
    connection.close()
    assert rows
    return Counter(rows)
