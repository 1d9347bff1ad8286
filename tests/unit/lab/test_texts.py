"""Texts of one's own, by topic."""

from pathlib import Path

import pytest

from opilio.core.errors import ConfigError
from opilio.lab.texts import read_texts


def test_texts_are_read_by_topic_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    lines = [
        '\ufeff{"topic": "a", "text": "one", "style": "note"}',
        '{"topic": "b", "text": "two"}',
        "",
        '{"topic": "a", "text": "3"}',
    ]
    path.write_text("\n".join(lines), "utf-8")
    assert read_texts(path) == {"a": ("one", "3"), "b": ("two",)}


@pytest.mark.parametrize(
    ("content", "said"),
    [("", "has no texts"), ('{"topic": "a"}', "line 1 of"), ('{"topic": "a", "text": "b"}\nnonsense', "line 2 of")],
)
def test_a_file_that_cannot_be_used_is_named_with_what_it_needs(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text(content, "utf-8")
    with pytest.raises(ConfigError, match=f"{said}.*“topic” and a “text”|texts.jsonl {said}"):
        read_texts(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.jsonl"):
        read_texts(tmp_path / "nowhere.jsonl")
