"""One process per crawl folder, as long as that process lives and no longer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from opilio.core.errors import CrawlDirError
from opilio.folder import CrawlFolder, FolderLock

_HOLDER = """
import sys, time
from pathlib import Path
from opilio.folder import CrawlFolder, FolderLock
with FolderLock(CrawlFolder(Path(sys.argv[1]))):
    print("locked", flush=True)
    sys.stdin.read()
"""


def _holder(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _HOLDER, str(folder)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "locked\n"
    return process


def test_a_second_process_is_refused_and_told_who_holds_the_folder(tmp_path: Path) -> None:
    with _holder(tmp_path) as process:
        sentence = rf"is being crawled by process {process.pid}\..*opilio control"
        with pytest.raises(CrawlDirError, match=sentence), FolderLock(CrawlFolder(tmp_path)):
            pass
        process.communicate("")
    with FolderLock(CrawlFolder(tmp_path)):
        assert (tmp_path / "lock").read_text() == str(os.getpid())


def test_a_kill_leaves_nothing_to_clean_up(tmp_path: Path) -> None:
    with _holder(tmp_path) as process:
        process.kill()
        process.communicate()
    with FolderLock(CrawlFolder(tmp_path)):
        pass


def test_a_folder_is_made_when_it_is_missing(tmp_path: Path) -> None:
    with FolderLock(CrawlFolder(tmp_path / "a" / "b")):
        assert (tmp_path / "a" / "b").is_dir()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(CrawlDirError, match=r"cannot write to .*file"),
        FolderLock(CrawlFolder(tmp_path / "file" / "b")),
    ):
        pass
