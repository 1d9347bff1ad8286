"""The name `likeness`, and what the judge of that name had saved."""

from typing import Any, Literal

import pytest

from opilio.core.config import load_config
from opilio.core.errors import CrawlDirError
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.core.saved import pack, unpack
from opilio.judge import Judge, Topical
from opilio.judge.likeness import _FormerState, _Met
from opilio.judge.topical import EarlierState, State
from opilio.model.similarity import bag_of, count_terms
from tests.builders import demo_texts, page

CATS, TECH = demo_texts("cats.en"), demo_texts("tech.en")
SAMPLES = tuple(Sample(f"cat {number}", text) for number, text in enumerate(CATS[:5]))
ASKED = [page(text) for text in (*CATS[30:35], *TECH[30:35])]


def build(samples: tuple[Sample, ...] = SAMPLES, state: bytes | None = None, **options: Any) -> Topical:
    judge = build_plugin("judge", {"name": "likeness", **options}, Context(load_config(), None, samples, state))
    assert isinstance(judge, Topical)
    return judge


def scores(judge: Judge) -> list[float]:
    return [judge.judge(one).score for one in ASKED]


def former(taught: dict[str, bool] | None = None) -> bytes:
    """Returns what the judge before `topic` has saved after it had met some pages."""
    bags = [bag_of(count_terms(text)) for text in (*CATS[:5], *TECH[:12], *CATS[10:22])]
    marks = {url: (belongs, bag_of(count_terms(TECH[20]))) for url, belongs in (taught or {}).items()}
    return pack(_FormerState(bags[:5], "en", _Met(24, bags[5:]), marks))


def test_the_name_gives_the_judge_topic_without_vectors() -> None:
    topic = build_plugin("judge", {"name": "topic", "vectors": "none"}, Context(load_config(), None, SAMPLES))
    assert scores(build()) == scores(topic)
    assert build(threshold=0.9).judge(ASKED[0]).opinions[0].reason.endswith("0.9 is needed")


def test_a_crawl_that_began_with_it_goes_on_with_its_samples_and_pages() -> None:
    judge = build((), former())
    assert all(judge.judge(one).belongs for one in ASKED[:5])
    assert not any(judge.judge(one).belongs for one in ASKED[5:])
    assert "by a guess" not in judge.describe()[0].line


def test_its_marks_hold() -> None:
    marked = build((), former({"http://a.test/marked": True}))
    assert sum(scores(marked)[5:]) > sum(scores(build((), former()))[5:])


def test_a_copy_in_another_process_judges_alike() -> None:
    judge = build(SAMPLES, former())
    assert scores(build((), judge.state())) == scores(judge)


@pytest.mark.parametrize("version", [2, 3, 4])
def test_what_it_has_saved_as_topic_is_read_in_earlier_versions_too(version: Literal[2, 3, 4]) -> None:
    judge = build(SAMPLES, former())
    state = unpack(judge.state(), State, "the judge")
    saved = pack(EarlierState(state.samples, state.language, state.met, state.taught, version))
    assert scores(build((), saved)) == scores(judge)


def test_what_cannot_be_read_is_refused_by_its_name() -> None:
    with pytest.raises(CrawlDirError, match="likeness judge has saved"):
        build(SAMPLES, b"nothing of the kind")
