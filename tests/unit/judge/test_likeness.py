"""The likeness judge on the demo's prose: cats and technology, in English and German."""

import re
from collections.abc import Iterable, Sequence
from math import exp
from typing import Any

import pytest

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Verdict
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.judge import Likeness
from opilio.judge.likeness import Met
from tests.builders import demo_texts, page

NO_VERDICT = Verdict(0.0, belongs=False)


CATS, TECH, GERMAN = demo_texts("cats.en"), demo_texts("tech.en"), demo_texts("cats.de")
SAMPLES = tuple(Sample(f"cat {number}", text) for number, text in enumerate(CATS[:5]))
MET_TEXTS = [text for trio in zip(TECH[:12], GERMAN[:12], CATS[10:22], strict=True) for text in trio]


def build(samples: Iterable[Sample] = SAMPLES, state: bytes | None = None, **options: Any) -> Likeness:
    return Likeness.build(Context(load_config(), None, tuple(samples), state), **options)


def meet(judge: Likeness, pages: Sequence[str]) -> list[int]:
    """After which pages it was fitted."""
    return [number for number, text in enumerate(pages, 1) if judge.watch(page(text, number), NO_VERDICT)]


def share(judge: Likeness, pages: Sequence[str]) -> float:
    return sum(judge.judge(page(text)).belongs for text in pages) / len(pages)


@pytest.mark.parametrize("met", [0, 36])
def test_what_belongs_is_told_from_the_first_page_on(met: int) -> None:
    judge = build()
    meet(judge, MET_TEXTS[:met])
    assert share(judge, CATS[22:]) > 0.6
    assert share(judge, TECH[12:]) < 0.1
    assert share(judge, GERMAN[12:]) < 0.1


def test_it_is_fitted_after_each_of_three_pages_and_then_when_a_third_has_come() -> None:
    judge = build()
    assert meet(judge, MET_TEXTS) == [1, 2, 3, 4, 6, 8, 11, 15, 20, 26, 34]


def test_between_two_fits_pages_met_change_nothing() -> None:
    judge = build()
    meet(judge, MET_TEXTS[:4])
    before = judge.judge(page(CATS[30]))
    assert not judge.watch(page(TECH[30], "new"), NO_VERDICT)
    assert judge.judge(page(CATS[30])) == before


@pytest.mark.parametrize("met", [0, 4, 5])
def test_a_copy_from_the_state_judges_and_goes_on_alike(met: int) -> None:
    judge = build()
    meet(judge, MET_TEXTS[:met])
    copy = build((), judge.state())
    pages = [page(text) for text in (*CATS[30:35], *TECH[30:35], *GERMAN[30:35])]
    assert [copy.judge(one) for one in pages] == [judge.judge(one) for one in pages]
    assert meet(copy, MET_TEXTS[met:]) == meet(judge, MET_TEXTS[met:])
    assert [copy.judge(one) for one in pages] == [judge.judge(one) for one in pages]


def test_the_reason_tells_the_three_figures_and_the_score_follows_from_them() -> None:
    judge = build()
    assert "by a guess" in judge.judge(page(CATS[30])).opinions[0].reason
    meet(judge, MET_TEXTS)
    [opinion] = judge.judge(page(CATS[30])).opinions
    assert opinion.judge == "likeness"
    assert opinion.measure is not None
    assert f"reads {opinion.measure:.2f} like the samples" in opinion.reason
    told = re.search(r"they (0\.\d\d) like each other and the pages met (-?0\.\d\d): score", opinion.reason)
    assert told is not None
    near, far = map(float, told.groups())
    way = (opinion.measure - far) / (near - far)
    assert opinion.score == pytest.approx(1 / (1 + exp(-4 * (way - 0.6))), abs=0.1)  # of figures with two digits


def test_a_title_counts_as_text() -> None:
    judge = build()
    titled, plain = (
        judge.judge(page(TECH[30], title=title)).opinions[0].measure for title in ("The cat, a kitten", "")
    )
    assert titled is not None
    assert plain is not None
    assert titled > plain


def test_common_words_say_nothing() -> None:
    words = "the of and in is to a was it with for on by as an that from"
    assert build().judge(page(words)).score < 0.1


def test_a_page_marked_no_counts_as_one_of_the_others() -> None:
    judge = build()
    asked = page(CATS[30])
    before = judge.judge(asked).score
    assert judge.teach(page(CATS[14]), False)
    assert judge.judge(asked).score < before


def test_a_single_sample_is_cut_into_parts() -> None:
    judge = build([Sample("one", "\n".join(CATS[:5]))])
    meet(judge, MET_TEXTS)
    assert share(judge, CATS[22:40]) > share(judge, TECH[12:30]) + 0.3


def test_a_page_marked_yes_does_not_shut_out_what_belonged_beside_a_single_sample() -> None:
    judge = build([Sample("one", "\n".join(CATS[:5]))])
    meet(judge, MET_TEXTS)
    before = share(judge, CATS[22:])
    assert judge.teach(page(CATS[20]), belongs=True)
    assert share(judge, CATS[22:]) > 0.5 * before


def test_a_sample_that_differs_in_spaces_only_is_the_same() -> None:
    once, twice = build(SAMPLES[:1]), build([SAMPLES[0], Sample("copy", f" {CATS[0]}\n")])
    assert once.judge(page(CATS[30])) == twice.judge(page(CATS[30]))


def test_the_same_sample_twice_is_one() -> None:
    once, twice = build(SAMPLES), build((*SAMPLES, SAMPLES[0]))
    assert once.judge(page(CATS[30])) == twice.judge(page(CATS[30]))


def test_samples_of_a_language_that_is_not_known_will_do() -> None:
    judge = build([Sample(str(number), f"qapla batlh{number} tlhingan") for number in range(3)])
    assert judge.judge(page("qapla tlhingan")).score > judge.judge(page("blorb flumph")).score


def test_changed_samples_replace_those_of_the_state() -> None:
    judge = build()
    meet(judge, MET_TEXTS)
    other = build([Sample(str(number), text) for number, text in enumerate(TECH[14:19])], judge.state())
    assert other.judge(page(TECH[20])).score > judge.judge(page(TECH[20])).score


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opilio.judge.likeness._TERMS", 100)
    met = Met()
    for number in range(300):
        met.meet(f"http://a.test/{number}", {"often": 2, **{f"{number}-{each}": 1 for each in range(30)}})
        assert len(met.frequencies) <= 100
    assert met.frequencies["often"] == met.pages == 300
    assert len(met.drawn) == 200


@pytest.mark.parametrize("samples", [(), (Sample("empty", " … "),)])
def test_no_word_to_compare_with_is_the_operators_mistake(samples: Sequence[Sample]) -> None:
    with pytest.raises(ConfigError, match="--like"):
        build(samples)


def test_a_threshold_that_is_no_score_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"judge\.threshold"):
        build(threshold=1.5)


def test_a_page_without_words_does_not_belong_and_is_not_met() -> None:
    judge = build()
    verdict = judge.judge(page("…"))
    assert (verdict.score, verdict.belongs, verdict.abstains) == (0.0, False, True)
    assert judge.watch(page("…"), NO_VERDICT) is False


def test_the_judge_has_a_name() -> None:
    context = Context(load_config(), None, SAMPLES)
    assert isinstance(build_plugin("judge", {"name": "likeness"}, context), Likeness)
