"""The benchmarks, tiny: that they measure something and keep to the common form. How fast anything is, is not asked here."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import opilio
from opilio.bench.form import Goal

_PEERS = ("scrapy", "trafilatura", "warcio", "uvloop")


def bench(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """In the made web, whether or not there are recorded pages on this machine."""
    environment = {name: value for name, value in os.environ.items() if name != "OPILIO_DATA"}
    environment["PYTHONPATH"] = str(Path(opilio.__file__).parent.parent)
    return subprocess.run(
        [sys.executable, "-m", "opilio", "bench", *arguments],
        capture_output=True, text=True, cwd=folder, timeout=100, env=environment, check=False,
    )  # fmt: skip


def report(*arguments: str, folder: Path) -> dict[str, Any]:
    done = bench(*arguments, "--json", folder=folder)
    assert done.returncode == 0, done.stderr
    tree: dict[str, Any] = json.loads(done.stdout)
    assert {"benchmark", "machine", "rows", "goals"} <= tree.keys()
    assert tree["machine"]["cores"] >= 1
    assert all(goal.keys() >= {"name", "figure", "goal", "unit", "met"} for goal in tree["goals"])
    return tree


@pytest.mark.parametrize(
    ("figure", "at_least", "met"), [(2, True, True), (1, True, False), (2, False, True), (3, False, False)]
)
def test_a_goal_is_met_up_to_its_bound(figure: float, at_least: bool, met: bool) -> None:
    assert Goal("any", figure, 2, "things", at_least=at_least).met is met


def test_a_small_crawl_is_polite_by_the_servers_log(tmp_path: Path) -> None:
    tree = report("politeness", "--pages", "300", "--hosts", "60", folder=tmp_path)
    figures = {goal["name"]: goal["figure"] for goal in tree["goals"]}
    assert figures.pop("pages fetched") >= 300
    assert set(figures.values()) == {0}, figures
    assert (tmp_path / "bench-results" / "politeness.png").stat().st_size > 0


def test_a_few_kills_lose_nothing(tmp_path: Path) -> None:
    tree = report("crash", "--kills", "3", folder=tmp_path)
    figures = {goal["name"]: goal["figure"] for goal in tree["goals"]}
    assert figures["violations of I1 to I5"] == 0, tree["notes"]
    assert figures["pages fetched again, worst kill"] <= 100
    assert figures["kills in recovery"] > 0


def test_a_small_frontier_resumes(tmp_path: Path) -> None:
    [row] = report("frontier", "--urls", "20000", folder=tmp_path)["rows"]
    assert row["URLs"] == 20_000
    assert min(row["adds/s"], row["leases/s"], row["disk bytes/URL"]) > 0


@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in _PEERS), reason='the peers need pip install "opilio[bench]"'
)
def test_every_contender_fetches_the_pages_it_is_measured_by(tmp_path: Path) -> None:
    tree = report("speed", "--pages", "60", "--hosts", "20", "--out", "charts", folder=tmp_path)
    ours, links, tuned, stack = tree["rows"]
    assert ours["pages"] == ours["kept"] == 60
    assert links["kept"] is tuned["kept"] is None
    assert stack["pages"] == stack["kept"] >= 60
    assert min(row["CPU ms/page"] for row in tree["rows"]) > 0
    assert [goal["unit"] for goal in tree["goals"]] == ["times faster"] * 2
    assert (tmp_path / "charts" / "speed.png").stat().st_size > 0


def test_a_small_text_is_trained_and_asked(tmp_path: Path) -> None:
    tree = report("lm", "--pages", "40", folder=tmp_path)
    assert all(row["Opilio"] > 0 for row in tree["rows"])
    goals = {goal["name"]: goal for goal in tree["goals"]}
    if importlib.util.find_spec("kenlm") is None:
        assert "kenlm cannot be imported" in tree["notes"][-1]
    else:
        assert goals["largest difference to kenlm"]["met"]
    assert (tmp_path / "bench-results" / "lm.png").stat().st_size > 0


def test_an_unknown_benchmark_is_told_the_list(tmp_path: Path) -> None:
    done = bench("politenes", folder=tmp_path)
    assert done.returncode == 2
    assert 'Did you mean "politeness"?' in done.stderr
    assert "speed" in done.stderr


def test_an_option_of_another_benchmark_is_refused(tmp_path: Path) -> None:
    done = bench("politeness", "--kills", "3", folder=tmp_path)
    assert done.returncode == 2
    assert "--pages, --hosts" in done.stderr
