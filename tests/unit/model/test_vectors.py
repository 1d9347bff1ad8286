"""Word vectors from a tiny table, written as model2vec and other tools write it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opilio.core.errors import ModelError
from opilio.model.term_index import TermIndex
from opilio.model.vectors import IndexedVectors, Vectors, _installed, find_vectors

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


def rows(table: Vectors, terms: list[str]) -> list[list[float]]:
    """The vector of each term."""
    index = TermIndex()
    indexed = IndexedVectors(table, index)
    return [indexed.sum(index.count(term).places, np.ones(1)).round(3).tolist() for term in terms]


@pytest.mark.parametrize("kind", ["F32", "F16"])
@pytest.mark.parametrize("style", STYLES)
def test_a_term_has_the_mean_of_its_longest_pieces(tmp_path: Path, style: str, kind: str) -> None:
    found = rows(vectors(tmp_path, STYLES[style], kind), ["cat", "catear", "ear", "cear"])
    assert found == [[1, 0], [0.5, 0.5], [3, 3], [2.5, 0.5]]


def test_letters_that_no_piece_has_are_passed_over(tmp_path: Path) -> None:
    assert rows(vectors(tmp_path), ["catxear", "xyz"]) == [[0.5, 0.5], [0, 0]]


def test_a_sum_weighs_the_terms_of_an_index_that_grows(tmp_path: Path) -> None:
    index = TermIndex(["ear"])
    indexed = IndexedVectors(vectors(tmp_path), index)
    assert indexed.sum(index.count("ear").places, np.array([2.0])) == pytest.approx([6, 6])
    assert indexed.sum(index.count("cat xyz ear").places, np.array([2.0, 1.0, 0.5])) == pytest.approx([3.5, 1.5])


def test_pieces_beyond_the_table_are_not_used(tmp_path: Path) -> None:
    assert rows(vectors(tmp_path, {"▁cat": 0, "▁cats": 4}), ["cats"]) == [[1, 0]]


def test_a_heading_among_the_pieces_is_not_taken_for_a_mark_of_continuation(tmp_path: Path) -> None:
    pieces = {"▁cat": 0, "ear": 1, "##": 2, "cat": 3}
    assert rows(vectors(tmp_path, pieces), ["cat", "catear"]) == [[1, 0], [0.5, 0.5]]


def test_the_sum_of_no_terms_is_zero(tmp_path: Path) -> None:
    index = TermIndex()
    assert IndexedVectors(vectors(tmp_path), index).sum(index.count("").places, np.zeros(0)).tolist() == [0, 0]


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
