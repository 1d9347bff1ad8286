"""Jobs over several processes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from opilio.lab import workers
from opilio.lab.protocol import Failure, Job, Run
from tests.builders import install_plugin
from tests.journey.lab_web import write_lab_web


def test_processes_change_nothing_but_the_time(tmp_path: Path) -> None:
    web = write_lab_web(tmp_path)
    labels = str(web.with_name("web.labels.tsv"))
    jobs = [
        Job(str(web), labels, topic, recipe, 1)
        for topic in ("Farm.Sheep", "Farm.Trains", "Farm.None")
        for recipe in ("random", "oracle")
    ]
    seen: list[Run | Failure] = []
    two = workers.run_jobs(jobs, 2, seen.append)
    assert workers.run_jobs(jobs, 1) == two
    assert [(each.topic, each.recipe) for each in two] == [(job.topic, job.recipe) for job in jobs]
    assert len(seen) == len(jobs)
    assert [isinstance(each, Failure) for each in two] == [False] * 4 + [True] * 2


def test_a_process_that_dies_costs_only_the_run_that_it_was_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    web = write_lab_web(tmp_path)
    deadly = (
        "import os; from opilio.core.child import connect_to_owner; from opilio.lab import runner, worker\n"
        "run = runner.Runner.run\n"
        "worker.Runner.run = lambda self, job: os._exit(9) if job.repetition == 2 else run(self, job)\n"
        "with connect_to_owner() as connection: worker.serve(connection)"
    )
    (tmp_path / "deadly.py").write_text(deadly)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))
    monkeypatch.setattr(workers, "_MODULE", "deadly")
    labels = str(web.with_name("web.labels.tsv"))
    came = workers.run_jobs([Job(str(web), labels, "Farm.Sheep", "random", number) for number in (1, 2, 3)], 1)
    assert [type(each) for each in came] == [Run, Failure, Run]
    assert isinstance(came[1], Failure)
    assert (came[1].topic, came[1].repetition) == ("Farm.Sheep", 2)
    assert "has died" in came[1].reason


def _workers(owner: int) -> list[int]:
    """Processes of the lab whose owner this was; the kernel gives the children of a dead one to another."""
    found = []
    for place in Path("/proc").iterdir():
        try:
            words = (place / "cmdline").read_bytes().split(b"\0") if place.name.isdigit() else []
            environment = (place / "environ").read_bytes() if b"opilio.lab.worker" in words else b""
        except OSError:  # it has just ended
            continue
        found += [int(place.name)] if f"OPILIO_TEST_OWNER={owner}".encode() in environment.split(b"\0") else []
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs the list of processes that Linux has")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_whatever_ends_an_experiment_ends_its_workers_in_the_middle_of_a_run(
    tmp_path: Path, sent: signal.Signals
) -> None:
    web, scratch = write_lab_web(tmp_path), tmp_path / "scratch"
    scratch.mkdir()
    (tmp_path / "busy.py").write_text(
        "import time\nfrom opilio.judge import Judge\nfrom opilio.core.items import Verdict\n"
        "class Busy(Judge):\n"
        "    def judge(self, page):\n"
        "        time.sleep(1)  # so that a run takes 40 s\n"
        "        return Verdict(1.0, belongs=True)\n"
    )
    install_plugin(tmp_path, "judge", "busy", "busy:Busy")
    recipe = tmp_path / "slow.toml"
    recipe.write_text('[judge]\nname = "busy"\n', "utf-8")
    started = (
        "import os, sys; os.environ['OPILIO_TEST_OWNER'] = str(os.getpid()); from opilio.cli.app import main; main()"
    )
    asked = ["lab", "run", "--web", str(web), "--topic", "Farm.Sheep", "--recipe", str(recipe), "--no-baselines"]
    owner = subprocess.Popen(
        [sys.executable, "-c", started, *asked, "--repeat", "50", "--processes", "2", "--quiet"],
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)]), "TMPDIR": str(scratch)},
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 60
        while len(list(scratch.iterdir())) < 2 and time.monotonic() < deadline:  # both are at work
            time.sleep(0.05)
        assert len(_workers(owner.pid)) == 2
        owner.send_signal(sent)
        owner.wait(20)
        deadline = time.monotonic() + 10
        while _workers(owner.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert _workers(owner.pid) == []
        assert list(scratch.iterdir()) == []  # and nothing of theirs is left
    finally:
        owner.kill()
        owner.wait()
