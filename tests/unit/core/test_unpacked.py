"""Files come out unpacked, whatever they are packed with and called."""

import gzip
from pathlib import Path

import pytest
import zstandard

from opilio.core.unpacked import UNPACKING_ERRORS, unpacked

DATA = b"some bytes, and more of them" * 9_000
TWO_FRAMES = zstandard.compress(DATA[:500]) + zstandard.compress(DATA[500:])
TWO_MEMBERS = gzip.compress(DATA[:500], mtime=0) + gzip.compress(DATA[500:], mtime=0)


@pytest.mark.parametrize("packed", [DATA, TWO_FRAMES, TWO_MEMBERS])
def test_the_bytes_are_those_that_were_packed(tmp_path: Path, packed: bytes) -> None:
    (tmp_path / "file").write_bytes(packed)
    with (tmp_path / "file").open("rb") as file:
        assert unpacked(file).read() == DATA


@pytest.mark.parametrize("packed", [TWO_FRAMES[:-1], TWO_FRAMES[:4] + b"nothing", TWO_MEMBERS[:-9], TWO_MEMBERS[:4]])
def test_a_file_that_was_cut_off_or_damaged_raises(tmp_path: Path, packed: bytes) -> None:
    (tmp_path / "file").write_bytes(packed)
    with (tmp_path / "file").open("rb") as file, pytest.raises(UNPACKING_ERRORS):
        unpacked(file).read()
