"""Jobs over several processes."""

import os
import sys
from pathlib import Path

import pytest

from opilio.lab import workers
from opilio.lab.protocol import Failure, Job, Run
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
