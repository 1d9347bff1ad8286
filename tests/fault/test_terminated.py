"""A crawl that is told to end does so within ten seconds, whatever its pages do to whoever reads them, with one worker too."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

import opilio
from opilio.webs.server import LoopbackServer
from tests.builders import install_plugin, opilio_command, opilio_environment

_STUCK = """
import ctypes

class Stuck:
    def judge(self, page):
        ctypes.PyDLL(None).sleep(300)  # as a library does that is busy with a page: Python has no say meanwhile
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_signal_is_obeyed_while_a_page_is_stuck(tmp_path: Path, workers: int) -> None:
    plugin = install_plugin(tmp_path / "plugin", "judge", "stuck", "stuck:Stuck")
    (plugin / "stuck.py").write_text(_STUCK, "utf-8")
    path = f"{opilio_environment()['PYTHONPATH']}{os.pathsep}{plugin}"
    with LoopbackServer("demo", log=tmp_path / "log") as server:
        hosts = ", ".join(f'"{name}" = "{address}"' for name, address in server.hosts.items())
        settings = ("fetch.allow_private_addresses=true", f"fetch.hosts={{{hosts}}}", 'judge.name="stuck"')
        options = [part for setting in settings for part in ("--set", setting)]
        url = f"{server.origin(next(iter(server.hosts)))}/"
        command = opilio_command("crawl", tmp_path / "c", "--url", url, "--workers", workers, "--quiet", *options)
        with subprocess.Popen(command, env=opilio_environment(PYTHONPATH=path), stderr=subprocess.PIPE) as process:
            _wait_for_a_page(tmp_path / "log")
            process.send_signal(signal.SIGTERM)
            _, words = process.communicate(timeout=10)
    assert (process.returncode, b"Traceback" in words) == (0, False), words
    assert opilio.status(tmp_path / "c")["stop_reason"] == "stopped by the operator"


def _wait_for_a_page(log: Path) -> None:
    deadline_s = time.monotonic() + 60
    while "\t/\t200" not in log.read_text("utf-8"):
        assert time.monotonic() < deadline_s, "no page was asked for"
        time.sleep(0.1)
    time.sleep(2.0)  # its worker starts
