"""What a source remembers."""

from pathlib import Path

import pytest

from opilio.discover.directory import Directory


def test_memory_is_a_map_in_the_order_of_its_keys(tmp_path: Path) -> None:
    with Directory(tmp_path / "scout.db") as directory:
        memory = directory.memory("a")
        for number in range(250, 0, -1):
            memory[f"{number:03}"] = b"x"
        memory.save()
        memory["000"], memory["1005"] = b"new", b"new"
        del memory["002"]
        keys = list(memory)
        assert keys == sorted(keys)
        assert (keys[:3], len(memory)) == (["000", "001", "003"], 251)
        assert "002" not in memory
        assert memory.get("002") is None
        with pytest.raises(KeyError):
            del memory["002"]


def test_a_memory_belongs_to_one_source(tmp_path: Path) -> None:
    with Directory(tmp_path / "scout.db") as directory:
        one, other = directory.memory("one"), directory.memory("other")
        one["at"] = b"1"
        one.save()
        assert not other
        assert directory.memory("one")["at"] == b"1"


def test_what_a_source_wrote_since_its_last_batch_is_not_in_the_commit_of_another(tmp_path: Path) -> None:
    with Directory(tmp_path / "scout.db") as directory:
        one, other = directory.memory("one"), directory.memory("other")
        one["at"] = b"1"
        other["at"] = b"2"
        other.save()
        directory.commit()
    with Directory(tmp_path / "scout.db") as directory:
        assert not directory.memory("one")
        assert directory.memory("other")["at"] == b"2"
