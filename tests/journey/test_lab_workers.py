"""Jobs over several processes."""

import sys
from pathlib import Path

import pytest
from lab_web import write_lab_web

from opilio.core.errors import OpilioError
from opilio.lab import workers
from opilio.lab.protocol import Failure, Job, Run


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


def test_a_process_that_dies_is_named_by_its_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_COMMAND", (sys.executable, "-c", ""))
    with pytest.raises(OpilioError, match=r"Farm\.Sheep"):
        workers.run_jobs([Job("web", "labels", "Farm.Sheep", "random", number) for number in range(4)], 2)
