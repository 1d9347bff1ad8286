"""Options become jobs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from opilio.core.errors import ConfigError
from opilio.lab.topics import Scope
from opilio.lab.verdicts.experiment import JudgeQuestion, plan
from opilio.lab.verdicts.job import Way
from tests.journey.lab_web import write_lab_web

_TEXTS = {"Farm.Sheep": ("s1", "s2", "s3"), "Farm.Trains": ("t1", "t2"), "Nothing": ("n1",)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    write_lab_web(folder)
    lines = (msgspec.json.encode({"topic": topic, "text": text}) for topic, texts in _TEXTS.items() for text in texts)
    (folder / "texts.jsonl").write_bytes(b"\n".join(lines))
    return folder


def _question(folder: Path, scope: Mapping[str, Any] | None = None, **options: Any) -> JudgeQuestion:
    """Asks with texts, unless `scope` says otherwise."""
    own = {"webs": (folder / "web.warc.gz",), "texts": folder / "texts.jsonl", **(scope or {})}
    return JudgeQuestion(Scope(**own), **options)


def test_the_topics_of_the_texts_are_tried_and_the_others_texts_are_strangers(folder: Path) -> None:
    found = plan(_question(folder, samples=(2,)))
    assert [(job.topic, job.texts, job.fellows) for job in found.jobs] == [
        ("Farm.Sheep", ("s1", "s2"), ("s3",)),
        ("Farm.Trains", ("t1", "t2"), ()),
    ]
    assert found.jobs[0].strangers == ("t1", "t2", "n1")
    assert any('no page has the topic "Nothing"' in note for note in found.notes)


def test_every_text_is_the_first_in_turn_and_no_set_is_tried_twice(folder: Path) -> None:
    found = plan(_question(folder, {"topics": ("Farm.Sheep",)}, samples=(1, 2, 3), each=True))
    tried = [job.texts for job in found.jobs]
    assert tried == [("s1",), ("s2",), ("s3",), ("s1", "s2"), ("s2", "s3"), ("s3", "s1"), ("s1", "s2", "s3")]


def test_ways_are_all_combinations(folder: Path) -> None:
    question = _question(folder, origins=("texts", "pages"), samples=(1,), forms=("files", "html"), words=(0, 50))
    assert len(question.ways) == 8
    assert question.ways[0] == Way("texts", 1, "files", 0)


def test_a_topic_with_fewer_texts_is_left_out_and_said(folder: Path) -> None:
    found = plan(_question(folder, samples=(3,)))
    assert [job.topic for job in found.jobs] == ["Farm.Sheep"]
    assert "Farm.Trains has 2 texts; 3 samples of it are left out." in found.notes


def test_without_texts_the_samples_are_pages_of_the_web(folder: Path) -> None:
    jobs = plan(_question(folder, {"topics": ("Farm.Sheep",), "repeat": 2, "texts": None})).jobs
    assert [(job.way.origin, job.repetition, job.texts, job.strangers) for job in jobs] == [
        ("pages", 1, (), ()),
        ("pages", 2, (), ()),
    ]


@pytest.mark.parametrize(
    ("scope", "options", "said"),
    [
        ({}, {"forms": ("pdf",)}, '"pdf" is not a value of --form. It takes: files, one-file'),
        ({}, {"origins": ("memory",)}, '"memory" is not a value of --origin'),
        ({"texts": None}, {"origins": ("texts",)}, "needs --texts FILE"),
        ({"topics": ("Nothing",)}, {}, "there is nothing to run"),
    ],
)
def test_a_wrong_question_is_answered_with_what_to_do(
    folder: Path, scope: dict[str, Any], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        plan(_question(folder, scope, **options))
