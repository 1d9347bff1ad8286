"""ARPA files against those of other programs, and answers against kenlm's.

kenlm is an oracle, not a dependency: it has to be built. Where it is missing, its tests are skipped; some of its
answers are pinned below.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opilio.core.errors import ModelError, StorageError
from opilio.model import LanguageModel, Training, read_arpa, to_lines, train, write_arpa

QUESTIONS = """looking on a little more loin
also would consider higher looking
on a little more loin also would consider higher looking
screening a little more . foo bar baz
nosuch however nosuch nosuch what i
looking looking on on a a
bar bar bar"""
PINNED: list[float] = [-1.56798, -17.60946, -19.66212, -17.08709, -64.72121, -10.00802, -0.59931]


def vector(name: str) -> Path:
    path = Path(os.environ.get("OPILIO_DATA", "")) / "vectors" / name
    if "OPILIO_DATA" not in os.environ or not path.exists():
        pytest.skip(f"OPILIO_DATA names no folder with vectors/{name}")
    return path


def entries(path: Path) -> dict[str, tuple[float, float]]:
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines() if "\t" in line]
    return {row[1]: (float(row[0]), float(row[2]) if len(row) > 2 else 0.0) for row in rows}


def oracle(path: Path) -> Any:
    kenlm = pytest.importorskip("kenlm", reason="kenlm is not installed, so nothing to compare with")
    return kenlm.Model(str(path))


def difference(model: LanguageModel, other: Any, lines: list[str]) -> float:
    """The largest between two models' answers for a token; they must also agree on which are unknown."""
    log10, oov = model.token_log10("\n".join(lines))
    answers = [answer for line in lines for answer in other.full_scores(line)]
    assert oov.tolist() == [unknown for _, _, unknown in answers]
    return float(np.abs(log10 - [value for value, _, _ in answers]).max())


@pytest.mark.parametrize(("name", "text"), [("toy0", "a a b a\nb a a b"), ("toy1", "a a b b b b b b b\nc")])
def test_kneser_ney_of_a_toy_corpus_is_the_reference(name: str, text: str, tmp_path: Path) -> None:
    expected = entries(vector(f"{name}.arpa"))
    write_arpa(train([text], Training(order=3)), tmp_path / "toy.arpa")
    ours = entries(tmp_path / "toy.arpa")
    assert ours.keys() == expected.keys()
    for gram, values in expected.items():
        assert ours[gram] == pytest.approx(values, abs=1e-6), gram


def test_a_file_with_gaps_answers_as_kenlm_did() -> None:
    """Pinned: the sums kenlm gave for each line of QUESTIONS."""
    model = read_arpa(vector("kenlm-test.arpa"))
    assert (model.order, model.smoothing) == (5, "arpa")
    assert [score.log10 for score in model.score_many(QUESTIONS.split("\n"))] == pytest.approx(PINNED, abs=1e-4)


def test_a_file_with_gaps_answers_as_kenlm() -> None:
    path = vector("kenlm-test.arpa")
    model = read_arpa(path)
    words = [word.decode() for word in model.vocabulary.words()[3:]] + ["nosuch"]
    random = np.random.default_rng(7)
    lines = QUESTIONS.split("\n") + [" ".join(random.choice(words, 9)) for _ in range(2_000)]
    assert difference(model, oracle(path), lines) < 1e-5


@pytest.mark.parametrize("name", ["model.arpa", "model.arpa.gz"])
def test_what_is_written_reads_the_same(name: str, tmp_path: Path) -> None:
    model = train([QUESTIONS], Training(order=4, smoothing="katz"))
    write_arpa(model, tmp_path / name)
    again = read_arpa(tmp_path / name)
    assert again.counts == model.counts
    assert np.array_equal(again.token_log10(QUESTIONS)[0], model.token_log10(QUESTIONS)[0])


@pytest.mark.parametrize("smoothing", ["kneser-ney", "katz"])
def test_kenlm_answers_as_the_model_of_real_text_that_was_exported_to_it(smoothing: str, tmp_path: Path) -> None:
    lines = to_lines(real_text()).split("\n")
    model = train(lines[::2], Training(order=5, smoothing=smoothing, prune=(0, 0, 0, 1)))  # type: ignore[arg-type]
    write_arpa(model, tmp_path / "model.arpa")
    asked = [line for line in lines if line]
    assert len(asked) > 1_000
    assert difference(model, oracle(tmp_path / "model.arpa"), asked) < 1e-5


@pytest.mark.parametrize("smoothing", ["kneser-ney", "katz"])
def test_probabilities_sum_to_one_after_a_hundred_contexts_of_real_text(smoothing: str) -> None:
    model = train([to_lines(real_text())], Training(order=5, smoothing=smoothing))  # type: ignore[arg-type]
    ids = model.word_ids(to_lines(real_text()))
    random = np.random.default_rng(11)
    words = np.delete(np.arange(len(model.vocabulary), dtype=np.int32), 1)
    for start in random.choice(np.flatnonzero(ids[:-4] > 2), 100):
        context = ids[start : start + random.integers(1, 5)]
        context = context[: np.argmax(np.append(context, 2) == 2)]
        rows = np.empty((len(words), len(context) + 2), np.int32)
        rows[:, :-2], rows[:, -2], rows[:, -1] = context, words, 2
        log10 = model.score_ids(rows.ravel()).reshape(rows.shape)[:, -2]
        assert (10**log10).sum() == pytest.approx(1, abs=1e-6)


def real_text() -> str:
    """500 English and as many German and Thai sentences."""
    import gzip
    import json

    path = vector("../text/sentences.json.gz")
    sentences = json.loads(gzip.decompress(path.read_bytes()))
    return "\n".join(str(line) for language in ("en", "de", "th") for line in sentences[language])


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "data"),
        ("\\data\\\nngram 1=x\n", "line 2"),
        ("\\data\\\nngram 1=1\n\\1-grams:\n-1\ta\n\\2-grams:\n", "line 5"),
        ("\\data\\\nngram 1=2\n\\1-grams:\n-1\ta\n\\end\\\n", "one of 2 1-grams"),
        ("\\data\\\nngram 1=1\nngram 2=1\n\\1-grams:\n-1\ta\n\\2-grams:\n-1\ta b\n\\end\\\n", "not among"),
        ("\\data\\\nngram 1=1\n\\1-grams:\n-x\ta\n\\end\\\n", "not a number"),
        ("\\data\\\n\\1-grams:\n", "order is 0"),
        ("\\data\\\nngram 1=1\n\\1-grams:\n-1\ta\x01b\n\\end\\\n", "control characters"),
        ("\\data\\\nngram 1=1\n\\1-grams:\n-1\ta\n", "end"),
    ],
)
def test_a_broken_file_is_refused_with_the_cause(text: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "broken.arpa").write_text(text)
    with pytest.raises(ModelError, match=rf"broken\.arpa.*{cause}"):
        read_arpa(tmp_path / "broken.arpa")


def test_a_file_that_is_not_there_or_not_gzip_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "plain.arpa.gz").write_text("no gzip")
    (tmp_path / "latin.arpa").write_bytes(b"\\data\\\nngram 1=1\n\\1-grams:\n-1\t\xe9\n\\end\\\n")
    for name in ("none.arpa", "plain.arpa.gz", "latin.arpa"):
        with pytest.raises(ModelError, match=name):
            read_arpa(tmp_path / name)
    with pytest.raises(StorageError, match="nowhere"):
        write_arpa(train(["a"]), tmp_path / "nowhere" / "x.arpa")


def test_a_file_without_special_words_is_usable(tmp_path: Path) -> None:
    (tmp_path / "bare.arpa").write_text("\\data\\\nngram 1=1\n\\1-grams:\n-1\ta\n\\end\\\n")
    assert read_arpa(tmp_path / "bare.arpa").score("a b").log10 == pytest.approx(-201)
