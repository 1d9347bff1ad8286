"""Which documents were handed out, as it lies on the disk."""

from pathlib import Path

import pytest

from opilio.core.errors import StorageError
from opilio.folder.handed import HandedLinks


def test_a_link_is_known_at_once_to_whoever_opens_the_file_next(tmp_path: Path) -> None:
    first = HandedLinks(tmp_path / "handed")
    for link in (1, 7, 8, 9_000):
        first.add(link)  # neither synced nor closed, as after a kill
    known = HandedLinks(tmp_path / "handed")
    assert [link for link in range(10_000) if link in known] == [1, 7, 8, 9_000]
    known.add(2)
    assert [link in HandedLinks(tmp_path / "handed") for link in (1, 2, 3)] == [True, True, False]


def test_it_takes_a_bit_for_each_link(tmp_path: Path) -> None:
    handed = HandedLinks(tmp_path / "handed")
    handed.add(8_000)
    handed.sync()
    handed.close()
    assert (tmp_path / "handed").stat().st_size < 1_100


@pytest.mark.parametrize("content", [b"opilio handed 2\n", b"something else"])
def test_another_file_is_refused_with_what_to_do(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "handed").write_bytes(content)
    with pytest.raises(StorageError, match="If you delete it, every document of the corpus is handed out again"):
        HandedLinks(tmp_path / "handed")


def test_a_file_that_a_kill_has_left_without_its_head_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "handed").write_bytes(b"opilio")
    HandedLinks(tmp_path / "handed").add(3)
    known = HandedLinks(tmp_path / "handed")
    assert [link for link in range(100) if link in known] == [3]


def test_there_is_no_file_before_a_document_was_handed_out(tmp_path: Path) -> None:
    handed = HandedLinks(tmp_path / "handed")
    assert 1 not in handed
    handed.sync()
    handed.close()
    assert not (tmp_path / "handed").exists()
