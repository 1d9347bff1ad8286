"""Training: what goes into a model, and that it stays proper whatever the choices."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opilio.core.errors import ConfigError, ModelError
from opilio.model import LanguageModel, Training, train, train_counts, write_arpa

PROSE = Path(__file__).resolve().parents[3] / "src" / "opilio" / "webs" / "demo" / "prose" / "cats.en"
WORDS = st.sampled_from(["a", "b", "c", "d", "e"])
LINES = st.lists(st.lists(WORDS, min_size=1, max_size=9).map(" ".join), min_size=1, max_size=12).map("\n".join)


def prose() -> str:
    return "\n".join(path.read_text("utf-8").lower() for path in sorted(PROSE.glob("*"))[:8])


def sums(model: LanguageModel, contexts: list[str]) -> list[float]:
    """What all words' probabilities add up to after each context, the beginning of a sentence being no word."""
    words = np.array([word for word in range(len(model.vocabulary)) if word != 1], np.int32)
    found = []
    for context in contexts:
        before = model.word_ids(context)[:-1]
        rows = np.empty((len(words), len(before) + 2), np.int32)
        rows[:, :-2], rows[:, -2], rows[:, -1] = before, words, 2
        log10 = model.score_ids(rows.ravel()).reshape(rows.shape)
        found.append(float((10 ** log10[:, -2]).sum()))
    return found


def grams_of(text: str, order: int) -> list[str]:
    """Every word with the words before it, as somebody who counts n-grams would list them."""
    lists = [["<s>", *line.split(), "</s>"] for line in text.split("\n") if line]
    return [" ".join(words[max(0, i + 1 - order) : i + 1]) + "\t1" for words in lists for i in range(1, len(words))]


CHOICES = [
    Training(order=order, smoothing=smoothing, unknown=unknown, prune=prune)
    for order, prune in ((1, ()), (2, ()), (3, ()), (3, (0, 0, 1)), (4, (0, 1, 2)), (6, ()))
    for smoothing in ("kneser-ney", "katz")
    for unknown in (None, 1e-4, 0.3)
]


@pytest.mark.parametrize("choice", CHOICES)
@settings(max_examples=15)
@given(text=LINES, contexts=st.lists(LINES.map(lambda text: text.split("\n")[0]), min_size=3, max_size=3))
def test_probabilities_sum_to_one_in_any_context(choice: Training, text: str, contexts: list[str]) -> None:
    model = train([text], choice)
    assert sums(model, [*contexts, "a unseen b c"]) == pytest.approx([1.0] * 4, abs=1e-6)


@pytest.mark.parametrize("smoothing", ["kneser-ney", "katz"])
def test_an_unknown_word_gets_the_chosen_probability(smoothing: str) -> None:
    model = train([prose()], Training(smoothing=smoothing, unknown=0.001))  # type: ignore[arg-type]
    assert model.unknown_log10 == pytest.approx(-3, abs=1e-6)
    _, oov = model.token_log10("nosuchword othernoword")
    assert oov.tolist() == [True, True, False]


def test_default_orders_are_five_and_three() -> None:
    assert train(["a b c d e f g"]).order == 5
    assert train(["a b c d e f g"], Training(smoothing="katz")).order == 3


def test_pruning_leaves_out_rare_ngrams_and_no_others() -> None:
    text = "a b c\na b c\na b d\n"
    assert train([text], Training(order=3)).counts == (7, 6, 5)
    # left: <s> a, a b, b c, c </s> and <s> a b, a b c, b c </s>
    assert train([text], Training(order=3, prune=(0, 1))).counts == (7, 4, 3)


def test_items_are_lines_and_a_string_is_one_text() -> None:
    text = "a b\nc d\n\n \n e"
    scores = [train(lines, Training(order=2)).score("a b\ne") for lines in (text, [text], text.split("\n"))]
    assert scores[0] == scores[1] == scores[2]


def test_small_memory_gives_the_same_model(tmp_path: Path) -> None:
    """Word stream, n-grams and table all go through files here: some 30 shares of the keys, and many rows of words."""
    text = prose()
    for smoothing in ("kneser-ney", "katz"):
        plain = train([text], Training(order=4, smoothing=smoothing))
        tight = train(text.split("\n"), Training(order=4, smoothing=smoothing, memory_bytes=1 << 16))
        assert tight.counts == plain.counts
        assert np.array_equal(tight.token_log10(text)[0], plain.token_log10(text)[0])


@settings(max_examples=30)
@given(text=LINES, smoothing=st.sampled_from(["kneser-ney", "katz"]))
def test_counts_of_a_text_give_the_model_of_the_text(text: str, smoothing: str) -> None:
    choice = Training(order=3, smoothing=smoothing)  # type: ignore[arg-type]
    counted = train_counts(grams_of(text, 3), choice)
    plain = train([text], choice)
    assert counted.counts == plain.counts
    assert np.allclose(counted.token_log10(text)[0], plain.token_log10(text)[0], atol=1e-6)


def test_counts_without_sentence_ends_make_a_proper_model() -> None:
    for smoothing in ("kneser-ney", "katz"):
        for prune in ((), (0, 0, 2)):
            choice = Training(smoothing=smoothing, prune=prune)
            model = train_counts(["a b c\t7\nb c d\t2", "c d e\t1", "a b c\t1"], choice)
            assert model.order == 3
            assert sums(model, ["a b", "b c", "c d", "x", "e a b"]) == pytest.approx([1.0] * 5, abs=1e-6)


def test_very_large_counts_do_not_overflow() -> None:
    model = train_counts(["<s> a\t30000000000", "a </s>\t30000000000", "<s> b\t1", "b </s>\t1"])
    assert model.score("a").log10 > -0.01


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        (["a b\tmany"], "line 1"),
        (["a b\t1", "a b 1"], "line 2"),
        (["a b c\t1", "b c\t1"], "others have 3"),
        (["a <s>\t1"], "<s>"),
        (["</s> a\t1"], "</s>"),
        (["a b c d e f g\t1"], "order"),
        (["\x01\t1"], "control characters"),
        (["a b\t1", "a b\t9223372036854775808"], "line 2: with 9223372036854775808"),
        (["a b\t9223372036854775807", "a b\t1"], "line 2"),
        (["a b\t" + "9" * 5000], "line 1"),
        (["a b\t0", "b c\t0"], "lines 1 to 2: all counts are 0"),
    ],
)
def test_ngram_lists_that_make_no_sense_are_refused_with_the_cause(lines: list[str], cause: str) -> None:
    with pytest.raises(ModelError, match=cause):
        train_counts(lines)


@pytest.mark.parametrize("lines", [[], [""], ["\n \n", "<s> </s>"]])
def test_a_text_without_words_makes_no_model(lines: list[str]) -> None:
    with pytest.raises(ModelError, match="without words"):
        train(lines)


@pytest.mark.parametrize(
    "choice",
    [
        {"order": 0},
        {"order": 7},
        {"smoothing": "witten-bell"},
        {"unknown": 0.0},
        {"unknown": 1.0},
        {"prune": (1,)},
        {"prune": (0, 2, 1)},
        {"memory_bytes": 1},
    ],
)
def test_choices_that_cannot_be_used_are_refused(choice: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        Training(**choice)  # type: ignore[arg-type]


def test_progress_rises_to_one() -> None:
    told: list[tuple[str, float]] = []
    train(["a b c"], progress=lambda step, done: told.append((step, done)))
    assert [done for _, done in told] == sorted(done for _, done in told)
    assert told[-1] == ("done", 1.0)


def test_trained_models_can_be_written_whatever_the_words(tmp_path: Path) -> None:
    """Half a surrogate pair, no-break spaces, control characters: all that pages hold."""
    write_arpa(train(["a\ud800 b\u00a0c \x07 d\te\r\nf"]), tmp_path / "odd.arpa")
    assert b"b\xc2\xa0c" in (tmp_path / "odd.arpa").read_bytes()
