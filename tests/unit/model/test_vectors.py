"""Word vectors from a tiny table, written as model2vec and other tools write it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opilio.core.errors import ModelError
from opilio.model.vectors import Vectors, _installed, find_vectors

TABLE = np.array([[1, 0], [0, 1], [3, 3], [5, 0]], np.float32)
STYLES: dict[str, Any] = {
    "sentencepiece": {"▁cat": 0, "ear": 1, "▁ear": 2, "▁c": 3},
    "byte-level": {"Ġcat": 0, "ear": 1, "Ġear": 2, "Ġc": 3},
    "wordpiece": {"cat": 0, "##ear": 1, "ear": 2, "c": 3},
    "unigram": [["▁cat", -1.0], ["ear", -2.0], ["▁ear", -3.0], ["▁c", -4.0]],
}


def write(folder: Path, vocabulary: Any = STYLES["wordpiece"], kind: str = "F32") -> str:
    """A folder of model2vec with this vocabulary."""
    data = TABLE.astype({"F32": "<f4", "F16": "<f2"}[kind]).tobytes()
    offsets = [4, 4 + len(data)]  # the table is not the first tensor
    tensors = {"weights": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}
    head = {"__metadata__": {}, **tensors, "rows": {"dtype": kind, "shape": [4, 2], "data_offsets": offsets}}
    encoded = json.dumps(head).encode()
    (folder / "model.safetensors").write_bytes(len(encoded).to_bytes(8, "little") + encoded + b"\0" * 4 + data)
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocabulary}}), encoding="utf-8")
    return str(folder)


def vectors(folder: Path, *said: Any) -> Vectors:
    found = find_vectors(write(folder, *said))
    assert found is not None
    return found


@pytest.mark.parametrize("kind", ["F32", "F16"])
@pytest.mark.parametrize("style", STYLES)
def test_a_term_has_the_mean_of_its_longest_pieces(tmp_path: Path, style: str, kind: str) -> None:
    found = vectors(tmp_path, STYLES[style], kind).of(["cat", "catear", "ear", "cear"])
    assert found.tolist() == [[1, 0], [0.5, 0.5], [3, 3], [2.5, 0.5]]


def test_letters_that_no_piece_has_are_passed_over(tmp_path: Path) -> None:
    assert vectors(tmp_path).of(["catxear", "xyz"]).tolist() == [[0.5, 0.5], [0, 0]]


def test_a_term_has_the_same_vector_however_often_and_beside_whatever_it_is_asked_for(tmp_path: Path) -> None:
    table = vectors(tmp_path)
    many = [f"{'cat' if number % 2 else 'ear'}{number}" for number in range(3_000)]
    assert table.of(many)[:2].tolist() == [[3, 3], [1, 0]]
    assert table.of(["cat1", "ear0"]).tolist() == [[1, 0], [3, 3]]


def test_terms_that_were_forgotten_are_looked_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opilio.model.vectors._MOST_TERMS", 2)
    table = vectors(tmp_path)
    table.of(["ear", "c", "catear"])
    assert table.of(["cat", "ear"]).tolist() == [[1, 0], [3, 3]]


def test_pieces_beyond_the_table_are_not_used(tmp_path: Path) -> None:
    assert vectors(tmp_path, {"▁cat": 0, "▁cats": 4}).of(["cats"]).tolist() == [[1, 0]]


def test_a_heading_among_the_pieces_is_not_taken_for_a_mark_of_continuation(tmp_path: Path) -> None:
    pieces = {"▁cat": 0, "ear": 1, "##": 2, "cat": 3}
    assert vectors(tmp_path, pieces).of(["cat", "catear"]).tolist() == [[1, 0], [0.5, 0.5]]


def test_no_term_has_no_row(tmp_path: Path) -> None:
    assert vectors(tmp_path).of([]).shape == (0, 2)


@pytest.mark.parametrize("broken", ["nothing", "no tokenizer", "no table", "no vocabulary", "no matrix"])
def test_a_folder_without_word_vectors_is_refused_and_the_remedy_is_named(tmp_path: Path, broken: str) -> None:
    if broken != "nothing":
        write(tmp_path)
    if broken == "no tokenizer":
        (tmp_path / "tokenizer.json").unlink()
    if broken == "no table":
        (tmp_path / "model.safetensors").write_bytes(b"")
    if broken == "no vocabulary":
        (tmp_path / "tokenizer.json").write_text("{}")
    if broken == "no matrix":
        (tmp_path / "model.safetensors").write_bytes((2).to_bytes(8, "little") + b"{}")
    with pytest.raises(ModelError, match=r'is not a folder of word vectors .*judge\.vectors = "none"'):
        find_vectors(str(tmp_path))


def test_none_does_without() -> None:
    assert find_vectors("none") is None


def test_without_the_package_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opilio.model.vectors._PACKAGE", "a_package_that_nobody_has")
    monkeypatch.setattr("opilio.model.vectors._installed", _installed.__wrapped__)  # which remembers nothing
    assert find_vectors() is None
