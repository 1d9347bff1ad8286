"""A file is whole or absent."""

from pathlib import Path

import pytest

from opilio.core.durable import replacing


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text("old")
    with replacing(path) as part:
        part.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text("old")
    with pytest.raises(FileNotFoundError):
        write_half(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def write_half(path: Path) -> None:
    with replacing(path) as part:
        part.write_text("half")
        (path.parent / "missing").read_text()


def test_a_contested_file_is_written_under_a_name_of_the_process(tmp_path: Path) -> None:
    path = tmp_path / "model.lm"
    with replacing(path, contested=True) as mine, replacing(path) as other:
        assert mine != other
        mine.write_text("mine")
        other.write_text("other")
    assert path.read_text() == "mine"
