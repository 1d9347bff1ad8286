"""A model's file is opened only if its head can be believed, whatever its checksum says."""

import struct
import zlib
from pathlib import Path

import msgspec
import pytest

from opilio.core.errors import ModelError
from opilio.model.file import open_file
from opilio.model.language_model import LanguageModel
from opilio.model.learn import train

_START = struct.Struct("<8sIII")
_GOOD = {"smoothing": "katz", "counts": [3], "sizes": [8], "lengths": [16, 4, 8, 16], "checksum": 0}


def model_file(path: Path, head: bytes, body: bytes = bytes(4096)) -> Path:
    path.write_bytes(_START.pack(b"OPILIOlm", 1, len(head), zlib.crc32(head)) + head + body)
    return path


@pytest.mark.parametrize(
    "head",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe", b"{}",
        msgspec.json.encode(_GOOD | {"counts": []}),
        msgspec.json.encode(_GOOD | {"counts": [], "sizes": [], "lengths": [0, 1, 0, 0]}),
        msgspec.json.encode(_GOOD | {"counts": [-1], "lengths": [16, 0, 8, 16]}),
        msgspec.json.encode(_GOOD | {"sizes": [-8], "lengths": [16, 4, 8, -16]}),
        msgspec.json.encode(_GOOD | {"sizes": [8, 8]}),
        msgspec.json.encode(_GOOD | {"lengths": [-1, 4, 8, 16]}),
        msgspec.json.encode(_GOOD | {"lengths": [16, 4, 7, 16]}),
        msgspec.json.encode(_GOOD | {"lengths": [16, 4, 6, 16]}),
        msgspec.json.encode(_GOOD | {"lengths": [2**62, 4, 8, 16]}),
        msgspec.json.encode(_GOOD | {"lengths": [16, 4, 8]}),
        msgspec.json.encode(_GOOD | {"smoothing": 5}),
        msgspec.json.encode(_GOOD | {"more": 5}),
        msgspec.json.encode(_GOOD),
        b'{"smoothing":"katz","counts":[' + b"9" * 400 + b"]}",
    ],
)  # fmt: skip
def test_a_bad_head_with_a_right_checksum_is_one_declared_error(tmp_path: Path, head: bytes) -> None:
    path = model_file(tmp_path / "model.lm", head)
    with pytest.raises(ModelError, match=r"model\.lm"):
        open_file(path)


def test_a_saved_model_is_opened(tmp_path: Path) -> None:
    model = train(["the cat sat on the mat\nthe dog sat on the cat\n" * 20])
    model.save(tmp_path / "model.lm")
    assert LanguageModel.open(tmp_path / "model.lm").counts == model.counts
