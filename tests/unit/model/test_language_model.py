"""A model's answers: the same whatever the form of the question, and from file or memory."""

from pathlib import Path

import numpy as np
import pytest

from opilio.core.errors import ModelError, StorageError
from opilio.model import LanguageModel, Score, Training, train

TEXT = "the cat sat on the mat\nthe dog sat\na cat is no dog"
QUESTION = "the cat is a bird\n\n  the   dog sat on\nzebra"


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return train([TEXT], Training(order=3))


def test_sentence_ends_count_as_words_and_empty_lines_are_no_sentences(model: LanguageModel) -> None:
    score = model.score(QUESTION)
    assert (score.words, score.oov, score.sentences) == (13, 2, 3)


def test_sums_are_those_of_the_tokens(model: LanguageModel) -> None:
    log10, oov = model.token_log10(QUESTION)
    score = model.score(QUESTION)
    assert score.log10 == pytest.approx(log10.sum())
    assert score.oov_log10 == pytest.approx(log10[oov].sum())
    assert score.perplexity == pytest.approx(10 ** -log10.mean())
    assert score.perplexity_without_oov == pytest.approx(10 ** -log10[~oov].mean())


def test_many_texts_score_as_each_alone(model: LanguageModel) -> None:
    texts = [QUESTION, "", "the cat", "\n\n", "the dog\n", "zebra", ""]
    assert model.score_many(texts) == [model.score(text) for text in texts]
    assert all(isinstance(score, Score) for score in model.score_many(texts))
    assert model.score_many([]) == []


def test_word_ids_score_as_their_text(model: LanguageModel) -> None:
    ids = model.word_ids(QUESTION)
    assert ids.dtype == np.int32
    assert np.array_equal(model.score_ids(ids), model.token_log10(QUESTION)[0])
    assert len(model.word_ids("")) == len(model.score_ids(model.word_ids(""))) == 0


def test_nothing_has_an_infinite_perplexity(model: LanguageModel) -> None:
    assert model.score("") == Score(0.0, 0, 0, 0, 0.0)
    assert model.score("").perplexity == float("inf")


def test_white_space_and_markers_in_the_text_are_no_words(model: LanguageModel) -> None:
    plain = model.score("the cat\nthe dog")
    assert model.score("<s> the\tcat\x00 </s>\r\n \x0b the\x1fdog</s>".replace("dog</s>", "dog </s>")) == plain
    assert model.score_many(["the\x00cat\nthe dog", "the\x00cat\nthe dog"]) == [plain, plain]


def test_words_are_compared_whole_however_long() -> None:
    long = "x" * 5000
    model = train([f"{long}a {long}b {long}a"], Training(order=2))
    assert len(model.vocabulary) == 5
    assert model.word_ids(f"{long}a {long}b {long}").tolist() == [3, 4, 0, 2]


def test_every_word_of_many_is_found_again() -> None:
    words = [f"w{i}" for i in range(20_000)]
    model = train([" ".join(words)], Training(order=1))
    assert [word.decode() for word in model.vocabulary.words()] == ["<unk>", "<s>", "</s>", *words]
    assert model.word_ids(" ".join(words)).tolist() == [*range(3, 20_003), 2]


def test_a_saved_model_answers_the_same(model: LanguageModel, tmp_path: Path) -> None:
    model.save(tmp_path / "a.lm")
    again = LanguageModel.open(tmp_path / "a.lm", verify=True)
    assert (again.order, again.counts, again.smoothing) == (3, model.counts, "kneser-ney")
    assert again.unknown_log10 == model.unknown_log10
    assert np.array_equal(again.token_log10(QUESTION)[0], model.token_log10(QUESTION)[0])
    again.save(tmp_path / "b.lm")
    assert (tmp_path / "a.lm").read_bytes() == (tmp_path / "b.lm").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.lm", "b.lm"]


def test_a_file_cut_off_anywhere_is_refused_by_name(model: LanguageModel, tmp_path: Path) -> None:
    model.save(tmp_path / "a.lm")
    whole = (tmp_path / "a.lm").read_bytes()
    for length in [*range(0, 200, 7), len(whole) - 1]:
        (tmp_path / "cut.lm").write_bytes(whole[:length])
        with pytest.raises(ModelError, match=r"cut\.lm"):
            LanguageModel.open(tmp_path / "cut.lm")


def test_a_changed_byte_is_found_wherever_it_is(model: LanguageModel, tmp_path: Path) -> None:
    model.save(tmp_path / "a.lm")
    whole = (tmp_path / "a.lm").read_bytes()
    for place in (0, 9, 13, 17, 30, 60, len(whole) // 2, len(whole) - 100):
        (tmp_path / "bad.lm").write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(ModelError, match=r"bad\.lm"):
            LanguageModel.open(tmp_path / "bad.lm")
    with pytest.raises(ModelError, match=r"checksum.*train or copy it again"):
        LanguageModel.open(tmp_path / "bad.lm")
    LanguageModel.open(tmp_path / "bad.lm", verify=False)


def test_what_is_no_model_is_refused_with_the_cause(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("a text that is no model, long enough for a head")
    for name, cause in (
        ("x.txt", "not a language model.*opilio lm train"),
        ("none.lm", "No such file"),
        ("", "directory"),
    ):
        with pytest.raises(ModelError, match=cause):
            LanguageModel.open(tmp_path / name)


def test_a_model_that_cannot_be_written_says_so(model: LanguageModel, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="nowhere"):
        model.save(tmp_path / "nowhere" / "a.lm")
