"""Texts come out of files whatever they are packed and encoded in."""

import gzip
from pathlib import Path

import msgspec
import pytest
import zstandard

from opilio.core.errors import ConfigError
from opilio.model.texts import read_texts

TEXT = "Ein Käfer.\nΚαι μια γάτα.\n猫もいる。" * 50
LINES = b"".join(msgspec.json.encode({"url": "x", "text": line}) + b"\n\n" for line in TEXT.split("\n"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.txt", TEXT.encode()),
        ("plain", TEXT.encode("utf-8-sig")),
        ("plain.txt", TEXT.encode("utf-16")),
        ("plain.txt", b"\xfe\xff" + TEXT.encode("utf-16-be")),
        ("plain.txt", TEXT.encode("utf-32")),
        ("packed.txt.gz", gzip.compress(TEXT.encode(), mtime=0)),
        ("packed", gzip.compress(TEXT[:700].encode(), mtime=0) + gzip.compress(TEXT[700:].encode(), mtime=0)),
        ("packed.zst", zstandard.compress(TEXT.encode("utf-16"))),
        ("records.jsonl", LINES),
        ("records.jsonl", b"\xef\xbb\xbf" + LINES),
        ("records.jsonl", LINES.decode().encode("utf-16")),
        ("records.jsonl.gz", gzip.compress(LINES, mtime=0)),
        ("records.jsonl.zst", zstandard.compress(LINES[:300]) + zstandard.compress(LINES[300:])),
    ],
)
def test_every_form_gives_the_same_text(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    told: list[int] = []
    pieces = list(read_texts(path, told.append))
    assert ("\n" if "jsonl" in name else "").join(pieces) == TEXT
    assert told == sorted(told)
    assert path.stat().st_size - told[-1] <= 1  # an empty line at the end is nobody's piece


def test_pieces_of_a_large_file_end_at_line_breaks(tmp_path: Path) -> None:
    text = "word " * 100 + "\n"
    (tmp_path / "large.txt").write_text(text * 10_000)
    pieces = list(read_texts(tmp_path / "large.txt"))
    assert len(pieces) > 3
    assert all(piece.endswith("\n") for piece in pieces)
    assert "".join(pieces) == text * 10_000


def test_a_line_without_an_end_is_cut_at_a_space(tmp_path: Path) -> None:
    text = "word " * 5_000_000
    (tmp_path / "line.txt").write_text(text)
    pieces = list(read_texts(tmp_path / "line.txt"))
    assert len(pieces) == 2
    assert pieces[0].endswith(" ")
    assert "".join(pieces) == text


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("latin.txt", "Käfer".encode("latin-1"), "latin.txt is not UTF-8: .* Convert it"),
        ("half.txt", TEXT.encode("utf-16")[:-1], "half.txt is not UTF-16"),
        ("cut.gz", gzip.compress(TEXT.encode(), mtime=0)[:-10], "cut.gz cannot be read"),
        ("cut.zst", b"\x28\xb5\x2f\xfdnothing more", "cut.zst cannot be read"),
        ("end.zst", zstandard.compress(TEXT.encode())[:-1], "end.zst cannot be read: it was cut off"),
        (
            "second.zst",
            zstandard.compress(b"a") + zstandard.compress(b"b")[:-3],
            "second.zst cannot be read: it was cut",
        ),
        ("bad.jsonl", b'{"text": "a"}\n{"words": 1}\n', "line 2 of .*bad.jsonl"),
        ("bytes.jsonl", b'{"text": "\xff"}\n', "bytes.jsonl is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError, match=words):
        list(read_texts(tmp_path / name))


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="missing cannot be read: No such file"):
        list(read_texts(tmp_path / "missing"))
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        list(read_texts(tmp_path))
