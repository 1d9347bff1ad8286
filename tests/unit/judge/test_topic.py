"""Where a topic lies and how wide it is, on the demo's prose."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from opilio.judge.topic import LINE_SCORE, Marks, Topic, unpacked
from opilio.judge.topic_ground import Reader, Samples
from opilio.judge.topic_search import fit_topic, lowered
from tests.builders import demo_texts

CATS, TECH = demo_texts("cats.en"), demo_texts("tech.en")
SAMPLES, WANTED, OTHERS = CATS[:5], CATS[10:20], TECH[:20]
NO_MARKS = Marks(frozenset(), frozenset())


def fit(
    pages: Sequence[str] = (), marks: Marks = NO_MARKS, samples: Sequence[str] = SAMPLES, language: str = "en"
) -> tuple[Topic, NDArray[np.float64]]:
    """The topic as terms alone tell it, after these pages, all of which were drawn unless they are marked."""
    reader = Reader(language, None)
    whole, *texts = (reader.read(reader.index.count(text)) for text in ("\n".join(samples), *samples))
    met = [reader.read(reader.index.count(text)) for text in pages]
    drawn = np.array([place not in marks.yes | marks.no for place in range(len(met))], np.bool_)
    return fit_topic(reader, Samples(whole, texts), met, drawn, marks)


def test_without_pages_the_line_is_that_of_other_topics() -> None:
    topic, heights = fit()
    assert (topic.belonging, topic.ordinary, len(heights)) == (0, 0, 0)
    assert topic.score(topic.line * topic.near) == pytest.approx(LINE_SCORE)


def test_the_score_rises_with_the_height() -> None:
    topic, _ = fit()
    scores = [topic.score(height) for height in (-5.0, 0.0, topic.line * topic.near, topic.near, 100.0)]
    assert scores == sorted(scores)
    assert 0.0 < scores[0] < 0.03 < 0.7 < scores[-2] < scores[-1] < 1.0


def test_pages_on_the_topic_are_higher_than_others() -> None:
    _, heights = fit([*WANTED, *OTHERS])
    assert np.median(heights[:10]) > heights[10:].max()


def test_pages_that_belong_are_counted_and_are_not_ordinary() -> None:
    pages = [*WANTED, *OTHERS]
    topic, heights = fit(pages)
    assert topic.belonging == sum(topic.score(height) >= 0.5 for height in heights) >= 7
    assert 0 < topic.ordinary <= len(pages) - topic.belonging


def test_a_page_far_above_the_others_hardly_moves_the_line() -> None:
    pages = [*WANTED, *OTHERS]
    far, _ = fit([*pages, " ".join(SAMPLES[0].split() + SAMPLES[1].split()[::2])])
    usual, heights = fit(pages)
    assert far.near * far.line == pytest.approx(usual.near * usual.line, rel=0.1)
    assert usual.near < heights[heights >= usual.near * usual.line].mean()


def test_short_samples_that_agree_say_little_once_pages_are_met() -> None:
    """Each sample again with a few words of its own: they agree more than any pages do."""
    like = [f"{SAMPLES[0][:900]} {text[:300]}" for text in SAMPLES]
    before, after = fit(samples=like)[0], fit([*WANTED, *OTHERS, *TECH[20:60]], samples=like)[0]
    assert after.near < 0.85 * before.near


def test_where_nearly_all_pages_belong_the_line_moves_down_to_them() -> None:
    ordinary, belonging = np.linspace(-0.1, 0.1, 10), np.linspace(0.5, 1.5, 90)
    assert lowered(0.78, np.concatenate([ordinary, belonging])) < 0.65


def test_neighbours_of_the_topic_hold_the_line_where_it_is() -> None:
    neighbours = 0.3 * -np.log(np.linspace(0.99, 0.01, 90))  # fewer and fewer upwards
    assert lowered(0.78, np.concatenate([neighbours, np.linspace(0.5, 1.5, 30)])) == pytest.approx(0.78)


def test_few_pages_hardly_move_the_line() -> None:
    assert lowered(0.78, np.linspace(0.5, 1.5, 5)) > 0.7
    assert lowered(0.78, np.zeros(0)) == 0.78


def test_copies_of_samples_are_not_pages_that_belong() -> None:
    topic, heights = fit([*SAMPLES, *OTHERS])
    assert heights[:5].min() > topic.near
    assert topic.belonging == sum(topic.score(height) >= 0.5 for height in heights[5:])


def test_pages_on_the_topic_lift_a_page_like_them_above_the_others() -> None:
    asked = CATS[25]
    _, before = fit([asked, *OTHERS])
    _, after = fit([asked, *OTHERS, *WANTED])
    others = slice(1, 1 + len(OTHERS))
    assert after[0] / after[others].mean() > before[0] / before[others].mean()


def test_the_order_of_pages_does_not_matter() -> None:
    topic, heights = fit([*WANTED, *OTHERS])
    other, turned = fit([*OTHERS[::-1], *WANTED[::-1]])
    assert turned[::-1] == pytest.approx(heights)
    assert other.near == pytest.approx(topic.near)


def test_marks_move_the_line_towards_what_they_say_and_not_beyond_reason() -> None:
    pages = [*WANTED, *OTHERS]
    unmarked = fit(pages)[0].line
    strict = fit(pages, Marks(frozenset(), frozenset(range(3))))[0].line
    lax = fit(pages, Marks(frozenset(range(10, 13)), frozenset()))[0].line
    assert 0.0 < lax < unmarked <= strict < 1.3


def test_marks_that_agree_with_the_line_hardly_move_it() -> None:
    pages = [*WANTED, *OTHERS]
    _, heights = fit(pages)
    best, worst = int(np.argmax(heights)), int(np.argmin(heights))
    marked, _ = fit(pages, Marks(frozenset({best}), frozenset({worst})))
    assert marked.line == pytest.approx(fit(pages)[0].line, abs=0.05)


def test_a_page_marked_no_turns_the_topic_away_from_itself() -> None:
    pages = [*WANTED, *OTHERS]
    before, after = fit(pages), fit(pages, Marks(frozenset(), frozenset({0})))
    assert after[1][0] / after[0].near < before[1][0] / before[0].near


def test_a_language_that_is_not_known_will_do() -> None:
    topic, heights = fit(
        ["qapla tlhingan batlh", "blorb flumph quux"], samples=["qapla batlh tlhingan maj"], language=""
    )
    assert heights[0] > heights[1]
    assert len(unpacked(topic.rarities)) == len(topic.terms.split(" ")) + 1
