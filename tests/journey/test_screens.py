"""What people see on a terminal of 80 columns and 24 lines, on a real folder: nothing is wider but a URL."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from pathlib import Path
from typing import Final

import pytest
from rich.cells import cell_len

import opilio
from opilio.folder import CrawlFolder, View
from opilio.report.why import why_lines
from tests.builders import demo_seeds, opilio_command, opilio_environment, run_opilio, write_demo_web, write_samples

COLUMNS: Final = 80
LINES: Final = 24
PATIENCE_S: Final = 60
ESCAPES: Final = re.compile(r"\x1b\[[?\d;]*[A-Za-z]")


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """The command that crawls the demo web for pages on cats."""
    place = tmp_path_factory.mktemp("screens")
    web, like = write_demo_web(place / "web.warc.gz"), write_samples(place / "like", "cats.en")
    return ["--web", web, "--like", like, *demo_seeds(), "--pages", 120, "--workers", 1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, crawl: list[object]) -> Path:
    place = tmp_path_factory.mktemp("c") / "cats"
    run_opilio("crawl", place, *crawl, "--quiet")
    return place


def _too_wide(lines: list[str]) -> list[str]:
    """Returns the lines that are wider than the terminal although they could be broken."""
    return [line for line in lines if cell_len(line) > COLUMNS and not re.fullmatch(r"\s*\S+://\S+( \\)?", line)]


@pytest.mark.parametrize("command", [["status"], ["pages"], ["pages", "--refused", "--near"]])
def test_the_screen_of_a_verb_fits(folder: Path, command: list[str]) -> None:
    verb, *options = command
    lines = run_opilio(verb, folder.name, *options, folder=folder.parent, COLUMNS=str(COLUMNS)).stdout.splitlines()
    assert len(lines) > 5
    assert _too_wide(lines) == []


def test_every_kind_of_story_fits(folder: Path) -> None:
    with View(CrawlFolder(folder)) as view:
        ends = {
            (link.state, link.drop): link.url
            for link in view.links.read_all(range(1, sum(view.links.states().values())))
        }
    assert len(ends) >= 4
    for url in (*ends.values(), "http://cats-en.test/never-met", "mailto:nobody"):
        lines = "\n".join(line.plain for line in why_lines(opilio.why(folder, url), COLUMNS)).splitlines()
        assert lines[0].startswith("verdict  ")
        assert _too_wide(lines) == []


def test_what_is_not_a_terminal_gets_80_columns_too(folder: Path) -> None:
    with View(CrawlFolder(folder)) as view:
        url = view.links.read(3).url
    environment = {name: value for name, value in opilio_environment().items() if name != "COLUMNS"}
    done = subprocess.run(
        opilio_command("why", folder, url), env=environment, capture_output=True, text=True, check=True
    )
    assert _too_wide(done.stdout.splitlines()) == []


def test_the_live_view_fits_and_shows_the_last_titles_and_what_it_goes_by(tmp_path: Path, crawl: list[object]) -> None:
    shown = ESCAPES.sub("", _on_terminal("crawl", tmp_path / "c", *crawl))
    views = [
        view.split("\n") for view in re.split(r"(?=^pages  )", re.sub(r"\n+", "\n", shown), flags=re.MULTILINE)[1:]
    ]
    assert views
    assert max(map(len, views)) <= LINES
    assert all(
        cell_len(line) <= COLUMNS for view in views for line in view[:11]
    )  # below the last one, it says why it stopped
    for label in (
        r"last kept +\d\.\d\d  \S",
        r"last refused +\d\.\d\d  \S",
        r"goes by +your 3 samples \(judge \w+\)",
        "links by +what",
    ):
        assert re.search(f"^{label}", "\n".join(views[-1]), re.MULTILINE)


def _on_terminal(*arguments: object) -> str:
    """Returns what a command writes to a terminal, as it is."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    environment = {
        name: value for name, value in opilio_environment(TERM="xterm").items() if name not in ("COLUMNS", "LINES")
    }
    written = b""
    with subprocess.Popen(
        opilio_command(*arguments), env=environment, stderr=theirs, stdin=theirs, stdout=theirs
    ) as process:
        os.close(theirs)
        try:
            until_s = time.monotonic() + PATIENCE_S
            while (process.poll() is None or select.select([ours], [], [], 0)[0]) and time.monotonic() < until_s:
                if select.select([ours], [], [], 0.1)[0]:
                    written += os.read(ours, 65_536)
        except OSError:  # the terminal is gone with the process
            pass
        finally:
            process.kill()
            os.close(ours)
    return written.decode().replace("\r", "\n")
