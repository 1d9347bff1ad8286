"""Judges that learn from what the operator says of pages."""

import pytest

from opilio.core.config import load_config
from opilio.core.items import Verdict
from opilio.core.plugin import Context, Sample
from opilio.judge import Classifier, Topical
from tests.builders import demo_texts, page

CATS, TECH, GERMAN = demo_texts("cats.en"), demo_texts("tech.en"), demo_texts("cats.de")
SAMPLES = tuple(Sample(f"cat {number}", text) for number, text in enumerate(CATS[:5]))
MET_TEXTS = [text for trio in zip(TECH[:12], GERMAN[:12], CATS[10:22], strict=True) for text in trio]


@pytest.mark.parametrize("kind", [Classifier, Topical])
def test_what_the_operator_says_of_pages_is_learned_and_outlives_a_resume(kind: type[Classifier | Topical]) -> None:
    judge = kind.build(Context(load_config(), None, SAMPLES))
    for number, text in enumerate(MET_TEXTS):
        judge.watch(page(text, number), Verdict(0.0, belongs=False))
    before = judge.judge(page(TECH[20])).score
    assert all(judge.teach(page(text, f"t{number}"), True) for number, text in enumerate(TECH[14:20]))
    assert not judge.teach(page(TECH[14], "t0"), True)  # known already
    taught = judge.judge(page(TECH[20])).score
    assert taught > before
    resumed = kind.build(Context(load_config(), None, (), judge.state()))
    assert resumed.judge(page(TECH[20])).score == taught
