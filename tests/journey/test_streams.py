"""Endings in words: a crawl does not end because nobody reads what it says, and a machine that refuses is one declared error."""

import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import opilio
from tests.builders import demo_seeds, opilio_command, opilio_environment, run_opilio, write_demo_web


def crawl(
    folder: Path, prepare: Callable[[], None], workers: int = 1, **outputs: int
) -> subprocess.CompletedProcess[bytes]:
    web = write_demo_web(folder / "web.warc.gz")
    options = ("--web", web, *demo_seeds(), "--pages", 20, "--workers", workers)
    command = opilio_command("crawl", folder / "c", *options)
    # What measures the coverage needs files and outputs of its own, and complains without them.
    environment = {name: value for name, value in opilio_environment().items() if not name.startswith("COVERAGE")}
    return subprocess.run(command, env=environment, preexec_fn=prepare, timeout=110, check=False, **outputs)  # type: ignore[call-overload,no-any-return]


def close_outputs() -> None:
    for number in (0, 1, 2):
        os.close(number)


def break_words() -> None:
    """Both outputs become a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.dup2(writer, 1)
    os.dup2(writer, 2)
    os.close(reader)


@pytest.mark.parametrize("prepare", [close_outputs, break_words])
def test_a_crawl_goes_on_when_nobody_reads_what_it_says(tmp_path: Path, prepare: Callable[[], None]) -> None:
    assert crawl(tmp_path, prepare).returncode == 0
    facts = opilio.status(tmp_path / "c")
    assert (facts["state"], facts["stop_reason"], facts["pages"]) == ("stopped", "pages reached", 20)


@pytest.mark.parametrize("files", [12, 16, 20, 24, 32])
def test_too_few_descriptors_are_one_declared_error_or_enough(tmp_path: Path, files: int) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    done = crawl(tmp_path, limit, workers=2, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    words = done.stderr.decode()
    assert "Traceback" not in words
    assert done.returncode in (0, 2), words
    assert done.returncode == 0 or "opilio: " in words
    run_opilio(
        "crawl", tmp_path / "c", "--web", tmp_path / "web.warc.gz", *demo_seeds(), "--pages", 20
    )  # nothing is spoilt
    assert opilio.status(tmp_path / "c")["pages"] == 20


def test_escape_sequences_of_a_seeds_file_do_not_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("http://\x1b]0;evil\x07\x9b31m x\n", "utf-8")
    words = run_opilio("crawl", tmp_path / "c", "--seeds", tmp_path / "seeds.txt", code=2).stderr
    assert "is not a valid URL" in words
    assert words.replace("\n", "").isprintable()
