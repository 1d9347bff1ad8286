"""A judge some of whose verdicts are turned round: alone, in runs of the lab, and on its command line."""

import json
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from opilio.cli.lab import lab
from opilio.core.items import Opinion, Page, Verdict
from opilio.lab.flip import Flipped
from opilio.lab.protocol import Job, Run
from opilio.lab.runner import Runner
from tests.builders import page
from tests.journey.lab_web import PAGES, write_lab_web

ADDRESSES = [f"http://a.test/{number}" for number in range(2_000)]


class ByNumber:
    """Pages with an even number belong; what it measures is the number."""

    def judge(self, page: Page) -> Verdict:
        number = int(page.url.rpartition("/")[2])
        score = 0.25 if number % 2 else 0.75
        return Verdict(score, score > 0.5, (Opinion("number", score, "", float(number)),))


def verdicts(share: float, repetition: int = 1) -> list[Verdict]:
    judge = Flipped(ByNumber(), share, repetition)
    return [judge.judge(page(url=url)) for url in ADDRESSES]


def turned(share: float, repetition: int = 1) -> list[int]:
    return [number for number, verdict in enumerate(verdicts(share, repetition)) if verdict.belongs == bool(number % 2)]


def test_as_many_verdicts_are_turned_as_was_asked_for() -> None:
    assert not turned(0.0)
    assert len(turned(1.0)) == len(ADDRESSES)
    assert 150 < len(turned(0.1)) < 250


def test_each_repetition_turns_others_and_always_the_same() -> None:
    assert turned(0.1) == turned(0.1) != turned(0.1, 2)
    assert set(turned(0.1)) < set(turned(0.2))


def test_a_turned_verdict_says_the_contrary_with_the_measure_of_a_page_of_that_side() -> None:
    found = verdicts(0.1)
    for number in turned(0.1):
        verdict = found[number]
        assert verdict.score == (0.75 if number % 2 else 0.25)
        measures = [opinion.measure for opinion in verdict.opinions if opinion.judge == "number"]
        assert measures == ([float(number - 1)] if number else [])


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_lab_web(tmp_path_factory.mktemp("flip"))


def _run(web: Path, recipe: str, **changes: object) -> Run:
    job = Job(str(web), str(web.with_name("web.labels.tsv")), "Farm.Sheep", recipe, 1)
    run = Runner().run(msgspec.structs.replace(job, **changes))
    assert isinstance(run, Run), run
    return run


@pytest.mark.parametrize("recipe", ["learned", "perplexity", "preemptive"])
def test_a_judge_that_never_errs_judges_as_ever(web: Path, recipe: str) -> None:
    assert _run(web, recipe, flip=1e-30) == _run(web, recipe)


def test_labels_as_judges_err_too(web: Path) -> None:
    true, flipped = (_run(web, "perplexity", gold=True, budget=2 * PAGES, flip=flip) for flip in (0.0, 1.0))
    assert true.kept == true.kept_relevant > 0
    assert flipped.kept > flipped.kept_relevant == 0


def test_recipes_that_keep_every_page_have_no_verdicts_to_turn(web: Path) -> None:
    assert _run(web, "breadth-first", flip=1.0) == _run(web, "breadth-first")


def test_the_json_says_how_many_were_turned(web: Path, tmp_path: Path) -> None:
    asked = ["--web", str(web), "--topic", "Farm.Sheep", "--recipe", "perplexity", "--flip", "0.1", "--processes", "1"]
    done = CliRunner().invoke(lab, ["run", *asked, "-q", "-o", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert json.loads((tmp_path / "lab.json").read_text("utf-8"))["flip"] == 0.1
    assert "10% of the judges' verdicts" in (tmp_path / "index.html").read_text("utf-8")
