"""The judge that looks for what earlier cycles have not found."""

from pathlib import Path
from random import Random

import pytest

from opilio.core.config import load_config
from opilio.core.items import Page
from opilio.core.plugin import Context, build_plugin
from opilio.judge.novelty import UNKNOWN, Novelty, repeated_share
from opilio.model import Training, to_lines, train
from opilio.webs.demo import articles
from tests.builders import page

CATS = [article.text for article in articles("cats.en")]
TECHNOLOGY = [article.text for article in articles("tech.en")]
GERMAN = "\n".join(article.text for article in articles("cats.de")[:3])


def _model() -> Novelty:
    lines = [to_lines(text, clean=True) for text in CATS[1:]]
    return Novelty(train(lines, Training(order=3, unknown=UNKNOWN)), ["en"])


def _perplexity(judge: Novelty, one: Page) -> float:
    [opinion] = judge.judge(one).opinions
    assert opinion.measure is not None
    return opinion.measure


def test_what_the_model_does_not_know_scores_higher_than_what_it_knows() -> None:
    judge = _model()
    known, new = page(CATS[1]), page("\n".join(TECHNOLOGY[:2]))
    assert _perplexity(judge, new) > 10 * _perplexity(judge, known)
    assert judge.judge(new).score > judge.judge(known).score
    assert judge.judge(new).belongs
    assert judge.judge(known).belongs  # a corpus is the sum of what was met


def test_without_a_model_every_text_scores_the_same() -> None:
    judge = Novelty()
    scores = {judge.judge(page("\n".join(texts[:2]))).score for texts in (CATS, TECHNOLOGY)}
    assert scores == {0.5}
    assert judge.judge(page("Too short to tell.")).score == 0.0


def _letters(random: Random) -> str:
    return "".join(random.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(random.randint(4, 10)))


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        (" ".join(_letters(Random(number)) for number in range(200)), "en", "not running text"),
        (
            " ".join(sorted({word for text in TECHNOLOGY for word in text.split() if len(word) > 5})),
            "en",
            "not running",
        ),
        (GERMAN, "de", "it is in de"),
        ("The gadget of the week is the one that is in the shop of the town and to be had. " * 20, "en", "repeats"),
        ("Sign in to go on.", "en", "words in sentences"),
    ],
    ids=["strings", "words", "language", "repetition", "length"],
)
def test_garbage_is_not_new(text: str, language: str, said: str) -> None:
    verdict = _model().judge(page(text, language=language))
    assert not verdict.belongs
    assert verdict.score == 0.0
    assert said in verdict.opinions[0].reason


def test_the_model_is_a_file_beside_the_crawl(tmp_path: Path) -> None:
    train([to_lines(CATS[0], clean=True)], Training(order=3, unknown=UNKNOWN)).save(tmp_path / "known.lm")
    folder = tmp_path / "crawl"
    folder.mkdir()
    config = load_config(recipe="diversity", settings=["judge.model=../known.lm"])
    judge = build_plugin("judge", config.judge, Context(config, folder))
    assert _perplexity(judge, page(CATS[0])) < 100


def test_repetition_is_the_share_of_sequences_that_were_there_before() -> None:
    assert repeated_share(["a", "b", "c", "d", "e", "f"]) == 0
    assert repeated_share(["a"] * 11) == pytest.approx(7 / 8)
    assert repeated_share(["a"]) == 0
