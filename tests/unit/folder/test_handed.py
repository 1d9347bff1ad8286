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


@pytest.mark.parametrize("content", [b"", b"opilio handed 2\n", b"something else"])
def test_another_file_is_refused_with_what_to_do(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "handed").write_bytes(content)
    with pytest.raises(StorageError, match="If you delete it, every document of the corpus is handed out again"):
        HandedLinks(tmp_path / "handed")
