"""`opilio demo` as a newcomer meets it: it runs, its proposals run too, and it spoils nobody's folder."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from opilio.folder import CrawlFolder
from opilio.folder.control import socket_path

PAGES = "12"


def _demo(folder: Path, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "opilio", *arguments]
    environment = os.environ | {"COLUMNS": "160"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=100, check=False
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    folder = tmp_path_factory.mktemp("demo")
    done = _demo(folder, "demo", "--pages", PAGES)
    return folder, done.stdout, done.stderr


def test_the_demo_shows_three_crawls_beside_the_paper(shown: tuple[Path, str, str]) -> None:
    folder, said, words = shown
    assert said.count("in the paper") == 3
    for row in ("no focus", "English cats", "German cats"):
        [cells] = re.findall(rf"│ {row} +│(.*)│", said)
        assert sum(int(cell) for cell in cells.split("│")) == int(PAGES)
    assert "opilio-demo/focus.png" in words
    assert (folder / "opilio-demo" / "focus.png").stat().st_size > 10_000


def test_every_command_that_the_demo_proposes_runs(shown: tuple[Path, str, str]) -> None:
    folder, said, _ = shown
    proposed = [shlex.split(line) for line in re.findall(r"^  opilio (.+)$", said, re.MULTILINE)]
    assert {command[0] for command in proposed} == {"status", "why", "judge", "export", "demo"}
    answers = {command[0]: _demo(folder, *command).stdout for command in proposed}
    assert "not kept: " in answers["why"]
    assert "does not belong" in answers["judge"]
    assert re.search(r"cats-de\.test +│ +1\d\d │ +1\d\d │", answers["demo"])  # --pages 0: everything there is
    assert (folder / "demo.jsonl").read_text("utf-8").count("\n") > 5
    assert sorted(path.name for path in folder.iterdir()) == ["demo.jsonl", "opilio-demo", "opilio-demo-2"]


def test_a_signal_ends_the_demo_and_not_only_its_first_crawl(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "opilio", "demo", "--pages", "450"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            until_s = time.monotonic() + 30
            running = socket_path(CrawlFolder(tmp_path / "opilio-demo" / "unfocused"))
            while not running.exists() and time.monotonic() < until_s:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130
    assert not (tmp_path / "opilio-demo" / "german-cats").exists()
