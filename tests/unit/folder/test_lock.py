"""One process per crawl folder, as long as that process lives and no longer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from opilio.core.errors import ConfigError, CrawlDirError
from opilio.folder import CrawlFolder, Database, FolderLock

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


def _fail(folder: CrawlFolder, *names: str, begun: bool = False) -> None:
    """Makes what a crawl makes before it has begun, and these files, and fails."""
    with FolderLock(folder):
        database = Database(folder.database, [])
        database.meta.clean = False
        if begun:
            database.commit()
        database.close()
        for name in ("events.jsonl", *names):
            (folder.path / name).touch()
        raise ConfigError("no samples")


def test_a_command_that_could_not_begin_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        _fail(CrawlFolder(tmp_path / "a" / "b"))
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_could_not_begin_leaves_a_folder_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_text("[stop]\npages = 1\n", "utf-8")
    (tmp_path / "events.jsonl").write_text("{}\n", "utf-8")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ConfigError):
        _fail(CrawlFolder(tmp_path))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_what_somebody_else_has_put_into_the_folder_stays(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        _fail(CrawlFolder(tmp_path / "c"), "notes.txt")
    assert [path.name for path in (tmp_path / "c").iterdir()] == ["notes.txt"]


def test_a_crawl_that_has_begun_stays_when_it_fails(tmp_path: Path) -> None:
    folder = CrawlFolder(tmp_path / "c")
    for begun in (True, False):
        with pytest.raises(ConfigError):
            _fail(folder, begun=begun)
        assert folder.database.exists()


def test_a_lock_file_that_was_removed_keeps_nobody_out_and_is_not_taken(tmp_path: Path) -> None:
    folder = CrawlFolder(tmp_path)
    lock = FolderLock(folder)
    lock._file = folder.lock_file.open("a+")
    folder.lock_file.unlink()
    with pytest.raises(CrawlDirError, match="Run this one again"):
        lock._check_place()
