"""ARPA files of other programs, and how one is written."""

import gzip
from pathlib import Path

import pytest

from opilio.core.errors import ModelError
from opilio.model import Training, read_arpa, train, write_arpa

ARPA = """\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-1\t<UNK>\t-0.5
-1\t<s>\t-0.25
-0.5\t</s>
-0.5\ta\t-0.5

\\2-grams:
-0.125\t<s> <UNK>
-0.25\t<UNK> a

\\end\\
"""


def test_the_unknown_word_may_be_written_large_in_every_order(tmp_path: Path) -> None:
    (tmp_path / "large.arpa").write_text(ARPA)
    (tmp_path / "small.arpa").write_text(ARPA.replace("<UNK>", "<unk>"))
    large, small = read_arpa(tmp_path / "large.arpa"), read_arpa(tmp_path / "small.arpa")
    assert large.token_log10("zebra a")[0][:2].tolist() == [-0.125, -0.25]
    assert large.score("zebra a\na zebra") == small.score("zebra a\na zebra")


def test_compression_is_told_by_the_content_and_not_by_the_name(tmp_path: Path) -> None:
    (tmp_path / "plain.gz").write_text(ARPA)
    (tmp_path / "packed.arpa").write_bytes(gzip.compress(ARPA.encode()))
    assert read_arpa(tmp_path / "plain.gz").score("a") == read_arpa(tmp_path / "packed.arpa").score("a")


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ("<UNK> a", "<UNK> käfer", "line 13: “käfer” is not among"),
        ("-0.25\t<UNK>", "nan\t<UNK>", "line 13: .* not a number"),
        ("a\t-0.5", "a\tnan", "line 9: .* not a number"),
        ("a\t-0.5", "a\tinf", "line 9: .* not a number"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, old: str, new: str, cause: str) -> None:
    (tmp_path / "bad.arpa").write_text(ARPA.replace(old, new), "utf-8")
    with pytest.raises(ModelError, match=cause):
        read_arpa(tmp_path / "bad.arpa")


def test_a_file_is_replaced_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    model = train(["the cat sat\nthe dog sat"], Training(order=2))
    path = tmp_path / "a.arpa"
    path.write_text("older")
    write_arpa(model, path)
    assert read_arpa(path).counts == model.counts
    assert [each.name for each in tmp_path.iterdir()] == ["a.arpa"]
