"""The classifier judge on the demo's prose: cats and technology, in English and German."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Verdict
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.engine.samples import sample_reader
from opilio.judge import Classifier
from tests.builders import demo_texts, page

NO_VERDICT = Verdict(0.0, belongs=False)


CATS, TECH, GERMAN = demo_texts("cats.en"), demo_texts("tech.en"), demo_texts("cats.de")
SAMPLES = tuple(Sample(f"cat {number}", text) for number, text in enumerate(CATS[:5]))
MET_TEXTS = [text for trio in zip(TECH[:12], GERMAN[:12], CATS[10:22], strict=True) for text in trio]


def build(
    samples: Iterable[Sample] = SAMPLES, state: bytes | None = None, folder: Path | None = None, **options: Any
) -> Classifier:
    read = sample_reader(folder) if folder else None
    return Classifier.build(Context(load_config(), folder, tuple(samples), state, read), **options)


def meet(judge: Classifier, pages: Sequence[str]) -> int:
    """Returns how often the judge was trained."""
    return sum(judge.watch(page(text, number), NO_VERDICT) for number, text in enumerate(pages))


def share(judge: Classifier, pages: Sequence[str]) -> float:
    return sum(judge.judge(page(text)).belongs for text in pages) / len(pages)


def test_samples_and_pages_met_are_enough_to_tell_what_belongs() -> None:
    judge = build()
    assert meet(judge, MET_TEXTS) == 3  # at 5, 10 and 20 pages
    assert share(judge, CATS[22:]) > 0.6
    assert share(judge, TECH[12:]) < 0.1
    assert share(judge, GERMAN[12:]) < 0.1
    assert judge.accuracy > 0.8


def test_before_pages_are_met_only_seeds_belong_and_nothing_is_decided() -> None:
    judge = build()
    assert [judge.judge(page(CATS[9], depth=depth)).belongs for depth in (0, 1)] == [True, False]
    verdict = judge.judge(page(CATS[9]))
    assert (verdict.score, verdict.abstains) == (0.5, True)
    assert "cannot tell" in verdict.opinions[0].reason


def test_a_copy_from_the_state_judges_alike() -> None:
    judge = build()
    meet(judge, MET_TEXTS[:20])
    copy = build((), judge.state())
    pages = [page(text) for text in (*CATS[30:35], *TECH[30:35])]
    assert [copy.judge(one) for one in pages] == [judge.judge(one) for one in pages]
    assert copy.watch(page(MET_TEXTS[21], 21), NO_VERDICT) is False


def test_the_reason_names_margin_line_and_accuracy() -> None:
    judge = build()
    meet(judge, MET_TEXTS)
    [opinion] = judge.judge(page(CATS[30])).opinions
    assert opinion.judge == "classifier"
    assert opinion.measure is not None
    assert f"margin {opinion.measure:.2f}" in opinion.reason
    assert "five-fold accuracy" in opinion.reason


def test_labelled_pages_train_it_once_and_for_all(tmp_path: Path) -> None:
    """The others are of two kinds, one of them far away: the line must lie near the other."""
    for name, kind in (("yes", CATS[:12]), ("no", [*TECH[:6], *GERMAN[:6]])):
        (tmp_path / name).mkdir()
        for number, text in enumerate(kind):
            (tmp_path / name / f"{number}.txt").write_text(text, "utf-8")
    judge = build((), folder=tmp_path, positive=["yes"], negative=["no"])
    assert judge.accuracy > 0.9
    assert meet(judge, MET_TEXTS) == 0
    assert share(judge, CATS[12:]) > 0.8
    assert share(judge, TECH[6:]) < 0.1
    assert share(judge, GERMAN[6:]) == 0.0
    assert build((), judge.state()).judge(page(CATS[30])) == judge.judge(page(CATS[30]))


def test_a_single_sample_is_cut_into_parts() -> None:
    judge = build([Sample("one", "\n".join(CATS[:5]))])
    meet(judge, MET_TEXTS)
    assert share(judge, CATS[22:40]) > share(judge, TECH[12:30]) + 0.3


@pytest.mark.parametrize("samples", [(), (Sample("empty", "cat"),)])
def test_no_sentence_to_learn_from_is_the_operators_mistake(samples: Sequence[Sample]) -> None:
    with pytest.raises(ConfigError, match="--like"):
        build(samples)


def test_a_threshold_that_is_no_probability_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"judge\.threshold"):
        build(threshold=1.5)


def test_a_page_without_sentences_does_not_belong() -> None:
    assert build().judge(page("one two")).score == 0.0


def test_the_judge_has_a_name() -> None:
    context = Context(load_config(), None, SAMPLES)
    assert isinstance(build_plugin("judge", {"name": "classifier"}, context), Classifier)
