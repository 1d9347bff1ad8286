"""Several models answer as one, with the weights under which a text is most likely."""

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from opilio.core.errors import ConfigError, ModelError
from opilio.model.arpa import write_arpa
from opilio.model.language_model import LanguageModel
from opilio.model.learn import train
from opilio.model.mixture import Mixture, best_of_window, em_weights
from opilio.model.mixture_file import _checksum
from opilio.model.scorer import Scorer, open_model
from opilio.model.training import Training
from opilio.model.vocabulary import BEGIN, END, UNKNOWN
from opilio.model.words import to_lines
from opilio.webs.demo import articles

END_WORD = b"</s>"


def lines_of(topic: str, start: int = 0, stop: int | None = None) -> str:
    return to_lines("\n".join(article.text for article in articles(topic)[start:stop]))


@pytest.fixture(scope="module")
def cats() -> LanguageModel:
    return train([lines_of("cats.en", 0, 20)], Training(order=2))


@pytest.fixture(scope="module")
def technology() -> LanguageModel:
    return train([lines_of("tech.en", 0, 20)], Training(order=2))


@pytest.fixture(scope="module")
def german() -> LanguageModel:
    return train([lines_of("cats.de", 0, 20)], Training(order=3, smoothing="katz"))


# --- the fit

TABLES = st.tuples(st.integers(1, 60), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(1e-12, 1) | st.just(0.0))
)


@given(TABLES.filter(lambda table: bool(table.any())))
def test_no_step_of_the_fit_raises_the_perplexity(table: npt.NDArray[np.float64]) -> None:
    weights, trace = em_weights(table, tolerance=0)
    assert all(after <= before for before, after in pairwise(trace))
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1)


@given(TABLES.filter(lambda table: bool(table.min(axis=1, initial=1).any())), st.integers(0, 5))
def test_a_mixture_is_no_worse_than_its_best_model(table: npt.NDArray[np.float64], place: int) -> None:
    table = table[table.min(axis=1) > 0]
    _, trace = em_weights(table, tolerance=0, steps=2_000)
    alone = np.exp(-np.log(table[:, place % table.shape[1]]).mean())
    assert trace[-1] <= alone * 1.01


def test_weights_of_a_known_mixture_are_recovered(cats: LanguageModel, technology: LanguageModel) -> None:
    lines = "\n".join(draw((cats, technology), (0.3, 0.7), Random(7), 30_000))
    mixture = Mixture.fit((cats, technology), lines)
    assert mixture.weights == pytest.approx((0.3, 0.7), abs=0.02)
    assert len(mixture.trace) > 2


def draw(models: tuple[LanguageModel, ...], weights: tuple[float, ...], random: Random, count: int) -> list[str]:
    """Sentences whose every word comes from one of the models, which one by chance."""
    words = [model.vocabulary.words() for model in models]
    known: dict[tuple[int, bytes], npt.NDArray[np.float64]] = {}
    sentences: list[str] = []
    sentence: list[bytes] = []
    for _ in range(count):
        place = random.choices(range(len(models)), weights)[0]
        key = (place, sentence[-1] if sentence else b"")
        if key not in known:
            known[key] = following(models[place], key[1])
        word = words[place][int(np.searchsorted(known[key], random.random() * known[key][-1]))]
        if word == END_WORD:
            sentences.append(b" ".join(sentence).decode())
            sentence = []
        else:
            sentence.append(word)
    return sentences


def following(model: LanguageModel, word: bytes) -> npt.NDArray[np.float64]:
    """Cumulated probabilities of what follows this word, or the beginning of a sentence."""
    candidates = np.arange(len(model.vocabulary), dtype=np.int32)
    before = model.word_ids(word.decode())[:-1] if word else np.empty(0, np.int32)
    rows = np.full((len(candidates), len(before) + 2), END, np.int32)
    rows[:, : len(before)] = before
    rows[:, len(before)] = candidates
    log10 = model.score_ids(rows.ravel()).reshape(rows.shape)[:, len(before)]
    return np.cumsum(np.where((candidates == UNKNOWN) | (candidates == BEGIN), 0.0, 10**log10))


def test_a_model_is_not_rewarded_for_the_words_it_lacks(cats: LanguageModel) -> None:
    """A model of few words expects an unknown one at every turn, and would be the best model of any text."""
    tiny = train(["a b c\nb d\n"], Training(order=1, unknown=0.5))
    mixture = Mixture.fit((cats, tiny), lines_of("cats.en", 20, 30))
    assert mixture.weights[0] > 0.9


def test_a_text_without_a_known_word_cannot_be_fitted(cats: LanguageModel) -> None:
    with pytest.raises(ConfigError, match="none of the models knows a word"):
        Mixture.fit((cats, cats), "жук и жаба\nжук")
    with pytest.raises(ConfigError, match="no models"):
        Mixture.fit((), "a b")


# --- the best of a window


def test_the_best_of_a_window_are_those_of_its_topic(german: LanguageModel) -> None:
    window = [
        train([lines_of(topic, 12 * number, 12 * number + 12)], Training(order=3))
        for topic in ("tech.en", "cats.en")
        for number in range(3)
    ]
    window.append(german)
    lines = lines_of("cats.en", 60, 70)
    best = best_of_window(window, lines, 3)
    assert sorted(best.chosen) == [3, 4, 5]
    assert best.models == tuple(window[place] for place in best.chosen)
    assert best.trace[-1] < best_of_window(window, lines, 2).trace[-1] < best_of_window(window, lines, 1).trace[-1]


def test_a_model_that_adds_nothing_is_left_out(cats: LanguageModel) -> None:
    assert best_of_window((cats, cats, cats), lines_of("cats.en", 20, 30), 3).chosen == (0,)
    with pytest.raises(ConfigError, match="at least 1"):
        best_of_window((cats,), "a", 0)


# --- scores


def test_a_mixture_gives_the_weighted_mean_of_probabilities(cats: LanguageModel, technology: LanguageModel) -> None:
    lines = lines_of("cats.en", 20, 24) + "\nqwxyz zyxwq\n"
    log10, unknown = Mixture((cats, technology), (0.25, 0.75)).token_log10(lines)
    (one, one_unknown), (other, other_unknown) = cats.token_log10(lines), technology.token_log10(lines)
    np.testing.assert_allclose(10**log10, 0.25 * 10**one + 0.75 * 10**other)
    assert (unknown == (one_unknown & other_unknown)).all()
    assert unknown.any()


def test_a_mixture_of_one_model_scores_like_the_model(cats: LanguageModel) -> None:
    texts = [lines_of("cats.en", 20, 24), "", "qwxyz the cat\n\nzyxwq", lines_of("tech.en", 0, 2)]
    mixture = Mixture((cats,), (1.0,))
    for ours, theirs in zip(mixture.score_many(texts), cats.score_many(texts), strict=True):
        assert ours == pytest.approx(theirs)
        assert [type(value) for value in ours] == [type(value) for value in theirs]
    assert mixture.score(texts[0]) == pytest.approx(cats.score(texts[0]))


def test_a_mixture_of_mixtures_is_one_mixture(
    cats: LanguageModel, technology: LanguageModel, german: LanguageModel
) -> None:
    inner = Mixture((cats, technology), (0.4, 0.6))
    outer = Mixture.fit((inner, german), lines_of("cats.en", 20, 30) + "\n" + lines_of("cats.de", 20, 22))
    assert outer.models == (cats, technology, german)
    assert outer.weights[0] / outer.weights[1] == pytest.approx(0.4 / 0.6)
    assert outer.chosen == (0, 1)


@pytest.mark.parametrize("weights", [(0.5,), (0.5, 0.6), (1.5, -0.5), ()])
def test_weights_that_are_no_weights_are_refused(cats: LanguageModel, weights: tuple[float, ...]) -> None:
    with pytest.raises(ConfigError, match="must sum to 1"):
        Mixture((cats, cats), weights)


# --- files


@pytest.fixture
def saved(tmp_path: Path, cats: LanguageModel, technology: LanguageModel) -> Path:
    (tmp_path / "models").mkdir()
    files = [tmp_path / "models" / "cats.lm", tmp_path / "technology.lm"]
    cats.save(files[0])
    technology.save(files[1])
    Mixture((cats, technology), (0.25, 0.75)).save(tmp_path / "both.mix.json", files)
    return tmp_path / "both.mix.json"


def test_a_mixture_is_the_same_after_it_was_moved_with_its_models(saved: Path, cats: LanguageModel) -> None:
    lines = lines_of("cats.en", 20, 24)
    before = open_model(saved).score(lines)
    moved = saved.parent.with_name("moved")
    saved.parent.rename(moved)
    opened = open_model(moved / saved.name, verify=True)
    assert opened.score(lines) == before
    assert isinstance(opened, Mixture)
    assert opened.weights == (0.25, 0.75)
    opened.save(moved / "again.mix.json")
    assert (moved / "again.mix.json").read_bytes() == (moved / saved.name).read_bytes()


def test_a_file_is_opened_by_what_is_in_it(saved: Path, cats: LanguageModel) -> None:
    write_arpa(cats, saved.parent / "any name")
    write_arpa(cats, saved.parent / "packed.gz")
    lines = lines_of("cats.en", 20, 24)
    opened: list[Scorer] = [
        open_model(saved.parent / name) for name in ("models/cats.lm", "any name", "packed.gz", saved.name)
    ]
    scores = [model.score(lines).log10 for model in opened]
    assert scores[1:3] == pytest.approx([scores[0]] * 2)
    assert scores[3] != pytest.approx(scores[0])


def test_a_model_that_was_trained_anew_is_noticed(saved: Path, technology: LanguageModel) -> None:
    technology.save(saved.parent / "models" / "cats.lm")
    with pytest.raises(ModelError, match=r"both\.mix\.json was made with another version of .*cats\.lm"):
        open_model(saved)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", "not a mixture"),
        (b'{"opilio": "recipe", "version": 1, "parts": []}', "not a mixture"),
        (b'{"opilio": "mixture", "version": 2, "more": 1}', "has format 2"),
        (b'{"opilio": "mixture", "version": 1, "parts": []}', "is damaged"),
        (
            b'{"opilio": "mixture", "version": 1, "parts": [{"file": "no", "weight": 1, "checksum": ""}]}',
            "No such file",
        ),
        (b'{"\xff": 1}', "not a mixture"),
        (b"something else", "not a language model"),
        (b"", "not a language model"),
    ],
)
def test_a_file_that_is_none_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "bad.mix.json"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=words) as raised:
        open_model(path)
    assert "bad.mix.json" in str(raised.value) or "/no" in str(raised.value)
    with pytest.raises(ModelError, match="missing"):
        open_model(tmp_path / "missing")


def test_a_part_may_not_be_a_mixture(saved: Path) -> None:
    content = json.loads(saved.read_text())
    other = saved.with_name("other.mix.json")
    part = {"file": saved.name, "weight": 1.0, "checksum": _checksum(saved)}
    other.write_text(json.dumps({**content, "parts": [part]}))
    with pytest.raises(ModelError, match="a part must be a model"):
        open_model(other)


def test_a_mixture_without_files_cannot_be_saved(tmp_path: Path, cats: LanguageModel) -> None:
    with pytest.raises(ConfigError, match="save the models first"):
        Mixture((cats,), (1.0,)).save(tmp_path / "any.mix.json")
