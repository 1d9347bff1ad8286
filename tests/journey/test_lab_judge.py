"""Judges against labels on a small web."""

import csv
import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

import opilio
from opilio.cli.lab import lab
from opilio.core.errors import OpilioError
from tests.builders import run_opilio
from tests.journey.lab_web import PAGES, lab_text, page_url, write_lab_web


def _write_texts(folder: Path) -> Path:
    """Three texts of each topic, none of which is on the web."""
    path = folder / "texts.jsonl"
    named = [
        (f"Farm.{topic.title()}", lab_text(topic, Random(f"own {topic} {n}")))
        for topic in ("sheep", "trains")
        for n in range(3)
    ]
    path.write_bytes(b"\n".join(msgspec.json.encode({"topic": topic, "text": text}) for topic, text in named))
    return path


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


def test_verdicts_are_measured_by_form_and_number_and_the_same_again(tmp_path: Path) -> None:
    web, texts = write_lab_web(tmp_path), _write_texts(tmp_path)
    asked = (
        "lab",
        "judge",
        "--web",
        web,
        "--texts",
        texts,
        "--samples",
        "1:3",
        "--form",
        "files",
        "--form",
        "one-file",
    )
    done = run_opilio(*asked, "-o", tmp_path / "out", "--json", tmp_path / "one.json")
    for shown in ("3 texts, one-file", "Trains", "What only one of two forms keeps", "By how much F1 falls"):
        assert shown in done.stdout
    assert "12 of 12 runs" in done.stderr
    run_opilio(*asked, "--json", tmp_path / "two.json", "--processes", 1, "--quiet")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"judge.json", "runs.csv", "web-verdicts.png"}
    with (tmp_path / "out" / "runs.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 12
    found = _read(tmp_path / "one.json")
    run = next(run for run in found["runs"] if run["way"]["samples"] == 3)
    assert (run["topic"], run["judged"], run["relevant"]) == ("Farm.Sheep", 2 * PAGES + 1, PAGES)
    assert run["auc"] == 1.0  # the two topics share no word of their own
    assert run["best_f1"] == 1.0 >= run["f1"] > 0.5
    assert run["strangers"] is not None
    assert len(found["means"]) == 6
    assert len(found["differences"]) == 3
    assert len(found["falls"]) == 4


def test_samples_of_the_web_itself_do_not_count(tmp_path: Path) -> None:
    result = opilio.lab.judge(write_lab_web(tmp_path), topic="Farm.Sheep", samples=2, repeat=2, processes=1)
    assert [run.judged for run in result.runs] == [2 * PAGES - 1] * 2
    assert [run.relevant for run in result.runs] == [PAGES - 2] * 2
    assert result.runs[0].samples != result.runs[1].samples
    assert (result.runs[0].strangers, result.runs[0].way.name) == (None, "2 pages, files")


def test_a_judge_that_cannot_be_built_fails_alone(tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text('[judge]\nname = "language"\n', "utf-8")  # in which language?
    recipes = ["breadth-first", str(tmp_path / "wrong.toml")]
    result = opilio.lab.judge(write_lab_web(tmp_path), topic="Farm.Sheep", recipe=recipes, processes=1)
    assert [failure.recipe for failure in result.failures] == ["wrong"]
    assert [(run.judge, run.recall, run.kept) for run in result.runs] == [("everything", 1.0, 2 * PAGES - 4)]


def test_a_judge_may_meet_fewer_pages_and_still_judges_all(tmp_path: Path) -> None:
    (run,) = opilio.lab.judge(write_lab_web(tmp_path), topic="Farm.Sheep", meet=10, processes=1).runs
    assert run.judged == 2 * PAGES + 1 - 5
    assert run.meeting.judged <= 10


def test_the_figures_of_all_pages_are_estimated_from_some(tmp_path: Path) -> None:
    web = write_lab_web(tmp_path)
    (run,) = opilio.lab.judge(web, topic="Farm.Sheep", recipe="breadth-first", others=7, processes=1).runs
    assert (run.judged, run.relevant) == (PAGES - 5 + 7, PAGES - 5)
    assert run.kept == 2 * PAGES + 1 - 5  # it keeps everything


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--samples", "many"], "is not a range of samples. Write --samples 1:5"),
        (["--form", "pdf"], "is not a value of --form"),
        (["--texts", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_a_wrong_question_is_answered_with_what_to_do(tmp_path: Path, asked: list[str], said: str) -> None:
    done = CliRunner().invoke(lab, ["judge", "--web", str(write_lab_web(tmp_path)), *asked])
    assert isinstance(done.exception, OpilioError)
    assert said in str(done.exception)


def test_a_crawl_of_the_lab_takes_texts_of_ones_own_and_says_what_its_verdicts_were_worth(tmp_path: Path) -> None:
    web, texts = write_lab_web(tmp_path), _write_texts(tmp_path)
    asked = ("lab", "run", "--web", web, "--texts", texts, "--topic", "Farm.Sheep", "--recipe", "learned")
    done = run_opilio(*asked, "--json", tmp_path / "out.json")
    assert "the verdicts on what was fetched" in done.stdout
    assert "best F1: F1 at the best line. At the score that would have been best" in " ".join(done.stdout.split())
    runs = {run["recipe"]: run for run in _read(tmp_path / "out.json")["runs"]}
    learned = runs["learned"]
    assert learned["samples"] == []  # none of them is a page of the web
    assert learned["seeds"][0] in {page_url("sheep", number) for number in range(PAGES)}
    assert 0.0 < learned["kept_f1"] <= learned["best_f1"] <= 1.0
    assert runs["breadth-first"]["kept_f1"] is None  # it judges nothing
