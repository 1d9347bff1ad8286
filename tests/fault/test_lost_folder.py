"""A folder that is taken away from a running crawl, or left by one that has hardly begun: one sentence, and nothing is lost."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import opilio
from opilio.webs.server import LoopbackServer
from tests.builders import opilio_command, opilio_environment, run_opilio, write_web


def delete(folder: Path) -> None:
    shutil.rmtree(folder)


def move(folder: Path) -> None:
    folder.rename(folder.with_name("moved"))


def close_to_writing(folder: Path) -> None:
    """Refuses new files, whoever asks, as an immutable folder does."""
    shutil.rmtree(folder / "pages", ignore_errors=True)
    (folder / "pages").write_text("not a folder", "utf-8")


@pytest.mark.parametrize("act", [delete, move, close_to_writing])
def test_a_crawl_whose_folder_is_taken_away_ends_in_words(tmp_path: Path, act: Callable[[Path], None]) -> None:
    with LoopbackServer("demo") as server:
        hosts = ", ".join(f'"{name}" = "{address}"' for name, address in server.hosts.items())
        settings = ("fetch.allow_private_addresses=true", f"fetch.hosts={{{hosts}}}", "keep.shard_bytes=20000")
        options = [part for setting in settings for part in ("--set", setting)]
        urls = [part for host in server.hosts for part in ("--url", f"{server.origin(host)}/")]
        command = opilio_command("crawl", tmp_path / "c", *urls, "--quiet", *options, "--set", "fetch.delay_s=0.2")
        with subprocess.Popen(command, env=opilio_environment(), stderr=subprocess.PIPE) as process:
            kept = _wait_for_documents(tmp_path / "c")
            act(tmp_path / "c")
            time.sleep(5.0)
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            _, words = process.communicate(timeout=30)
    assert process.returncode in (0, 2), words
    assert b"Traceback" not in words, words.decode()
    if act is move:
        assert opilio.status(tmp_path / "moved")["documents"] >= kept


def _wait_for_documents(folder: Path) -> int:
    deadline_s = time.monotonic() + 60
    while time.monotonic() < deadline_s:
        time.sleep(0.2)
        if (folder / "pages").exists() and (kept := int(opilio.status(folder)["documents"])):
            return kept
    raise AssertionError("nothing was kept")


def test_an_empty_database_is_begun_anew(tmp_path: Path) -> None:
    web = write_web(tmp_path / "web.warc.gz", {"http://a.test/": f"<p>{'A sentence about sheep. ' * 30}</p>"})
    (tmp_path / "c").mkdir()
    os.close(os.open(tmp_path / "c/crawl.db", os.O_CREAT | os.O_WRONLY))
    words = run_opilio("crawl", tmp_path / "c", "--web", web, "--url", "http://a.test/").stderr
    assert "begun anew" in words
    assert opilio.status(tmp_path / "c")["documents"] == 1
