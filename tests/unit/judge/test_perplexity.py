"""The perplexity judge on the demo's prose: cats and technology, in English and German."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from opilio.core.config import load_config
from opilio.core.errors import ConfigError, ModelError
from opilio.core.items import Verdict
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.judge import Perplexity, calibration
from opilio.judge.perplexity import State
from opilio.model import train
from tests.builders import demo_texts, page

_NO_VERDICT = Verdict(0.0, belongs=False)


CATS, TECH, GERMAN = demo_texts("cats.en"), demo_texts("tech.en"), demo_texts("cats.de")
SAMPLES = tuple(Sample(f"cat {number}", text) for number, text in enumerate(CATS[:5]))
MET_TEXTS = [text for trio in zip(TECH[:20], GERMAN[:20], CATS[10:30], strict=True) for text in trio]


def build(
    samples: Iterable[Sample] = SAMPLES, folder: Path | None = None, state: bytes | None = None, **options: object
) -> Perplexity:
    return Perplexity.build(Context(load_config(), folder, tuple(samples), state), **options)


def meet(judge: Perplexity, pages: Iterable[str], name: str = "") -> int:
    """Returns how many calibrations came of it."""
    return sum(judge.watch(page(text, f"{name}{number}"), _NO_VERDICT) for number, text in enumerate(pages))


def scores(judge: Perplexity, pages: Iterable[str]) -> list[float]:
    return [judge.judge(page(text)).score for text in pages]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """The folder and the judge's state after 60 pages of three kinds."""
    folder = tmp_path_factory.mktemp("crawl")
    judge = build(folder=folder)
    meet(judge, MET_TEXTS)
    return folder, judge.state()


@pytest.fixture
def judge(crawled: tuple[Path, bytes]) -> Perplexity:
    return build((), *crawled)


# --- what it says


def test_pages_like_the_samples_have_the_higher_scores(judge: Perplexity) -> None:
    cats, tech = scores(judge, CATS[30:]), scores(judge, TECH[20:])
    assert min(cats) > max(tech)
    assert max(cats) > 0.5 > max(tech)


def test_a_sample_that_is_met_has_the_perplexity_that_the_other_samples_give_it(judge: Perplexity) -> None:
    met, strange = judge.judge(page(CATS[0])).opinions[0], judge.judge(page(CATS[30])).opinions[0]
    assert met.measure == pytest.approx(10 ** judge.held_out.perplexities[0])
    assert "one of the samples" in met.reason
    assert "one of the samples" not in strange.reason
    assert met.score is not None
    assert met.score > 0.5  # it was given as one that belongs


@pytest.mark.parametrize("text", ["", "A cat purrs.", "A cat purrs when it is content and warm."])
def test_a_text_that_is_too_short_is_not_voted_on(judge: Perplexity, text: str) -> None:
    verdict = judge.judge(page(text))
    assert verdict.abstains
    assert verdict.opinions[0].reason.startswith("cannot tell, because the text is too short")


def test_a_sample_of_one_sentence_cannot_be_held_out_so_it_has_no_vote() -> None:
    one, two = (build([Sample("cat", text)]) for text in ("A cat purrs when it is content.", CATS[0]))
    assert one.judge(page(CATS[1])).abstains
    assert "cannot be held out" in one.judge(page(CATS[1])).opinions[0].reason
    assert not two.judge(page(CATS[1])).abstains


def test_pages_in_another_language_get_a_low_score(judge: Perplexity) -> None:
    assert max(scores(judge, GERMAN[20:])) < 0.1
    assert max(scores(judge, demo_texts("tech.de")[:10])) < 0.1


def test_a_language_that_was_never_met_gets_a_low_score_too() -> None:
    judge = build()
    meet(judge, TECH[:20] + CATS[10:30])
    assert max(scores(judge, GERMAN)) < 0.1


def test_before_any_page_is_met_the_perplexity_tells_them_apart() -> None:
    judge = build()
    assert min(scores(judge, CATS[10:20])) > max(scores(judge, GERMAN[:10]))


def test_the_measure_is_the_perplexity_and_the_reason_names_it(judge: Perplexity) -> None:
    for each in (judge, build()):
        [opinion] = each.judge(page(CATS[9])).opinions
        assert opinion.measure is not None
        assert opinion.reason.startswith(f"perplexity {opinion.measure:,.0f} (samples ")
        assert "0.5 is needed" in opinion.reason


def test_a_page_without_a_sentence_does_not_belong(judge: Perplexity) -> None:
    for text in ("", "Home. About us. 1234", "…"):
        verdict = judge.judge(page(text))
        assert (verdict.score, verdict.belongs) == (0.0, False)


@pytest.mark.parametrize("samples", [SAMPLES, SAMPLES[:1]])
def test_samples_that_are_met_again_do_not_spoil_the_calibration(samples: tuple[Sample, ...]) -> None:
    plain, spoilt = build(samples), build(samples)
    again = [page(f"{sample.text}\nSome more words at the end of it.", sample.name) for sample in samples]
    assert not any(spoilt.watch(each, _NO_VERDICT) for each in again * 10)
    assert meet(plain, MET_TEXTS) == meet(spoilt, MET_TEXTS)
    assert plain.state() == spoilt.state()


# --- how few and how odd the samples may be


@pytest.mark.parametrize(
    "sample",
    ["The cat sat on the mat today.", CATS[0][:400], "猫は小さな動物です。" * 3, "แมวเป็นสัตว์เลี้ยงลูกด้วยนมขนาดเล็ก " * 3],
)
def test_tiny_samples_and_scripts_without_spaces_work(sample: str) -> None:
    judge = build([Sample("tiny", sample)])
    assert meet(judge, MET_TEXTS[:45]) == 2
    found = scores(judge, [sample, *TECH[:5], *GERMAN[:5]])
    assert all(0 <= score < 1 for score in found)
    assert found[0] == max(found)


def test_one_sample_three_times_is_no_trouble() -> None:
    judge = build([Sample("a", CATS[0])] * 5)
    meet(judge, MET_TEXTS[:45])
    assert max(scores(judge, GERMAN[:10])) < 0.5


def test_a_crawl_that_meets_one_page_again_and_again_is_no_trouble() -> None:
    judge = build()
    assert meet(judge, [TECH[0]] * 90) == 3
    assert scores(judge, [CATS[20]])[0] > scores(judge, [TECH[0]])[0]


def test_samples_without_sentences_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match=r"no sentences in them \(list.txt\).*--like"):
        build([Sample("list.txt", "one two")])
    with pytest.raises(ConfigError, match="none were given"):
        build([])


# --- state


def test_a_copy_built_from_the_state_judges_exactly_alike(crawled: tuple[Path, bytes]) -> None:
    folder = crawled[0]
    owner = build(folder=folder)
    for number, text in enumerate(MET_TEXTS):
        owner.watch(page(text, number), _NO_VERDICT)
        if number in (5, 19, 47):
            copy = build((), folder, owner.state())
            asked = [*CATS[30:33], *TECH[20:23], *GERMAN[20:22]]
            assert [copy.judge(page(each)) for each in asked] == [owner.judge(page(each)) for each in asked]


def test_a_resumed_owner_goes_on_where_it_was(crawled: tuple[Path, bytes]) -> None:
    folder, _ = crawled
    one = build(folder=folder)
    meet(one, MET_TEXTS[:30])
    other = build(folder=folder, state=one.state())
    assert meet(one, MET_TEXTS[30:], "later") == meet(other, MET_TEXTS[30:], "later") == 1
    assert one.state() == other.state()


def test_changed_samples_make_a_new_model_but_keep_the_pages_met(crawled: tuple[Path, bytes]) -> None:
    folder, state = crawled
    changed = build([Sample("tech", text) for text in TECH[:5]], folder, state)
    assert meet(changed, [TECH[30]], "one more") == 1
    assert changed.calibration.pages == 61
    assert sum(scores(changed, TECH[31:])) > sum(scores(changed, CATS[31:]))


def test_the_model_is_trained_once_and_reused(tmp_path: Path) -> None:
    build(folder=tmp_path)
    [file] = (tmp_path / "models").iterdir()
    train([CATS[20].lower()]).save(file)  # so one sees which is asked
    reused = build(folder=tmp_path)
    assert reused.judge(page(CATS[20])).opinions[0].measure != build().judge(page(CATS[20])).opinions[0].measure
    assert list((tmp_path / "models").iterdir()) == [file]


def test_other_options_make_another_model(tmp_path: Path) -> None:
    build(folder=tmp_path)
    build(folder=tmp_path, order=2)
    build(folder=tmp_path, unknown=1e-5)
    assert len(list((tmp_path / "models").iterdir())) == 3


def test_nothing_is_written_where_there_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    build()
    assert not list(tmp_path.iterdir())


def test_a_damaged_model_in_the_crawls_folder_is_named(tmp_path: Path) -> None:
    state = build(folder=tmp_path).state()
    [file] = (tmp_path / "models").iterdir()
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(ModelError, match=rf"{file.name}.*remove it"):
        build(folder=tmp_path)
    with pytest.raises(ModelError, match=file.name):
        build((), tmp_path, state)
    file.unlink()
    with pytest.raises(ConfigError, match=file.name):
        build((), tmp_path, state)


# --- settings


def test_the_threshold_decides(crawled: tuple[Path, bytes]) -> None:
    asked = page(CATS[30])
    score = build((), *crawled).judge(asked).score
    for threshold in (score - 1e-9, score + 1e-9):
        verdict = build((), *crawled, threshold=threshold).judge(asked)
        assert (verdict.score, verdict.belongs) == (score, score >= threshold)


def test_a_bound_on_the_perplexity_decides_instead(crawled: tuple[Path, bytes]) -> None:
    asked = page(TECH[30])
    perplexity = build((), *crawled).judge(asked).opinions[0].measure or 0.0
    for bound in (0.99 * perplexity, 1.01 * perplexity):
        verdict = build((), *crawled, max_perplexity=bound).judge(asked)
        assert verdict.belongs is (perplexity <= bound)
        assert f"the bound is {bound:,.0f}" in verdict.opinions[0].reason


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"treshold": 0.5}, "treshold"),
        ({"threshold": 1.0}, "threshold"),
        ({"threshold": "high"}, "threshold"),
        ({"order": 9}, "order"),
        ({"unknown": 0}, "unknown"),
        ({"max_perplexity": -1}, "max_perplexity"),
        ({"model": "/nowhere/model.lm"}, r"judge.model: there is no /nowhere/model.lm. `opilio lm train`"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_by_name(options: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        build_plugin("judge", {"name": "perplexity", **options}, Context(load_config(), None, SAMPLES))


def test_a_model_of_ones_own_is_asked_instead(tmp_path: Path) -> None:
    train([text.lower() for text in TECH]).save(tmp_path / "own.lm")
    judge = build(model=str(tmp_path / "own.lm"))
    plain = build()
    asked = page(TECH[3])
    assert (judge.judge(asked).opinions[0].measure or 0) < (plain.judge(asked).opinions[0].measure or 0)
    assert not (tmp_path / "models").exists()


def test_bounds_for_the_queue_are_in_order_and_stay_as_pages_are_met(judge: Perplexity) -> None:
    high, medium, cut = judge.bounds()
    assert 1 < high < medium < cut < 1e7
    assert judge.bounds() == build().bounds()


@pytest.mark.parametrize("samples", [SAMPLES, SAMPLES[:1]])
def test_no_constant_of_the_calibration_has_a_say_in_the_bounds(
    samples: tuple[Sample, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = build(samples)
    for name in [name for name, value in vars(calibration).items() if name.isupper() and isinstance(value, float)]:
        monkeypatch.setattr(calibration, name, 2 * getattr(calibration, name))
    changed = build(samples)
    assert changed.calibration != usual.calibration
    assert changed.bounds() == usual.bounds()


def test_one_sentence_a_line_is_a_sample_like_any_other() -> None:
    """A text is cut into pieces at its sentences, wherever its lines end."""
    text = "\n\n".join(CATS[:5])
    lines = build([Sample("lines", text.replace(". ", ".\n"))])
    assert lines.bounds() == build([Sample("text", text)]).bounds()
    assert lines.held_out.is_apart


def test_a_state_holds_a_bounded_part_of_the_crawl() -> None:
    judge = build()
    meet(judge, [text for _ in range(20) for text in MET_TEXTS])
    state = msgspec.msgpack.decode(_unpacked(judge.state()), type=State)
    assert state.background.met == 1_200
    assert len(state.background.teaching) == len(state.background.testing) == 200
    assert len(state.taught) <= 200


def _unpacked(state: bytes) -> bytes:
    import zstandard

    unpacked: bytes = zstandard.ZstdDecompressor().decompress(state)
    return unpacked
