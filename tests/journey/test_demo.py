"""`opilio demo` as a newcomer meets it: it runs, its proposals run too, and it spoils nobody's folder."""

import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest

from opilio.folder import CrawlFolder
from opilio.folder.control import socket_path
from tests.builders import opilio_command, opilio_environment, run_opilio

PAGES = "12"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    folder = tmp_path_factory.mktemp("demo")
    done = run_opilio("demo", "--pages", PAGES, folder=folder, COLUMNS="160")
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
    answers = {command[0]: run_opilio(*command, folder=folder, COLUMNS="160").stdout for command in proposed}
    assert "not kept: " in answers["why"]
    assert "does not belong" in answers["judge"]
    assert re.search(r"cats-de\.test +│ +1\d\d │ +1\d\d │", answers["demo"])  # --pages 0: everything there is
    assert (folder / "demo.jsonl").read_text("utf-8").count("\n") >= 5
    assert sorted(path.name for path in folder.iterdir()) == ["demo.jsonl", "opilio-demo", "opilio-demo-2"]


def test_a_signal_ends_the_demo_and_not_only_its_first_crawl(tmp_path: Path) -> None:
    command, environment, pipe = opilio_command("demo", "--pages", 450), opilio_environment(), subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=pipe, stderr=pipe) as process:
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
