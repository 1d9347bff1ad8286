"""How well a user's own texts tell topics of an encyclopedia by the judge `topic`, at its own line; floors only go up.

The texts are not from the web that is judged. A quarter of the pages of `schools`.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import mean

import msgspec
import pytest

from bench.schools import Schools
from opilio.core.config import load_config
from opilio.core.plugin import Context, Sample
from opilio.judge import Topical
from tests.builders import page

TOPICS = ("Science.Biology.Dinosaurs", "Science.Physics.Space_Astronomy", "Design_and_Technology.Railway_transport")
FLOORS = {5: 0.82, 1: 0.82}  # F1 by number of texts; measured 0.830 and 0.820
MOST_STRANGERS = 0.02  # share of the texts on other topics that belong before any page is met
needs_vectors = pytest.mark.skipif(find_spec("wordllama") is None, reason="the extra `vectors` is not installed")


class Text(msgspec.Struct):
    topic: str
    text: str


@pytest.fixture(scope="module")
def texts(schools_web: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (schools_web.parents[1] / "samples" / "topics.jsonl").read_bytes().splitlines():
        text = msgspec.json.decode(line, type=Text)
        found.setdefault(text.topic, []).append(text.text)
    return found


def build(texts: Sequence[str]) -> Topical:
    samples = tuple(Sample(str(number), text) for number, text in enumerate(texts))
    return Topical.build(Context(load_config(), None, samples))


def f1(schools: Schools, topic: str, texts: Sequence[str]) -> float:
    """Of the verdicts on all pages, once they have all been met."""
    inside = set(schools.labels.relevant(topic)) & set(schools.pages)
    judge = build(texts)
    met = sorted(schools.pages)
    Random(topic).shuffle(met)
    for url in met:
        judge.watch(schools.pages[url], judge.judge(schools.pages[url]))
    kept = {url for url in met if judge.judge(schools.pages[url]).belongs}
    return 2 * len(kept & inside) / (len(kept) + len(inside))


@needs_vectors
@pytest.mark.parametrize("number", FLOORS)
def test_texts_of_ones_own_keep_the_right_pages(schools: Schools, texts: dict[str, list[str]], number: int) -> None:
    reached = mean(f1(schools, topic, texts[topic][:number]) for topic in TOPICS)
    assert reached >= FLOORS[number], reached


@needs_vectors
def test_texts_on_other_topics_do_not_belong_before_any_page_is_met(texts: dict[str, list[str]]) -> None:
    verdicts = [
        judge.judge(page(text)).belongs
        for topic in TOPICS
        for judge in [build(texts[topic])]
        for other, each in texts.items()
        if other != topic
        for text in each
    ]
    assert mean(verdicts) <= MOST_STRANGERS
