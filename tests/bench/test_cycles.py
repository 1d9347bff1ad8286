"""`bench cycles` in small: all of it runs on the texts of the demo, and its goals by figures that are made up."""

from pathlib import Path
from typing import Any

import pytest

from bench.cycles import garbage_share, quality, report
from bench.cycles_crawl import Crawled, DayFigures, Experiment, explore, perplexity, tenths
from bench.cycles_web import Day, news_days
from opilio.folder.cycles import Cycle
from opilio.judge.novelty import UNKNOWN
from opilio.lab.maker import Library
from opilio.lead.diversity import Example
from opilio.model import Training, train

PAGES = 150


@pytest.mark.timeout(300)
def test_two_days_of_news_are_crawled_and_measured(tmp_path: Path) -> None:
    found = explore(tmp_path, news_days(2, 7, library=Library.of_demo()), PAGES)
    assert [day.day for day in found.days] == [1, 2]
    for day in found.days:
        assert len(day.diversity.urls) == len(day.baseline.urls) == PAGES
        assert day.size / 5 >= PAGES
        assert day.diversity.cycle.lessons
        assert not day.baseline.cycle.lessons
        assert 0 <= day.over(day.diversity) <= 1
    assert len(found.by_distance) == 5
    shown = report("cycles", found)
    assert len(shown.rows) == 2
    assert "accuracy" in " ".join(shown.notes)


@pytest.mark.timeout(200)
def test_garbage_is_counted_after_the_first_lesson(tmp_path: Path) -> None:
    share = garbage_share(tmp_path, news_days(1, 7, 0.1, Library.of_demo()), PAGES)
    assert 0 <= share < 0.1


def test_an_unknown_word_has_the_same_probability_in_every_model() -> None:
    small, large = (train([text], Training(order=3, unknown=UNKNOWN)) for text in ("a b c", "a b c\nd e f\ng h i"))
    for model in (small, large):
        log10s, _ = model.token_log10("x y z")
        assert perplexity(model, "x y z") == pytest.approx(10 ** ((3 * 7 - log10s[-1]) / 4), rel=1e-6)


def test_tenths_are_means() -> None:
    crawled = _crawled([float(number) for number in range(20)], 0, 1, 1)
    assert tenths(crawled) == [0.5 + 2 * place for place in range(10)]


def _crawled(perplexities: list[float], same_day: int, single: float, merged: float) -> Crawled:
    return Crawled(_cycle(), ["u"], perplexities, same_day, 0, 1, single, merged)


def _cycle(**fields: Any) -> Cycle:
    numbers = dict.fromkeys(
        [
            "number", "pages", "documents", "tokens", "types", "new_documents", "new_tokens", "new_types", "garbage",
            "development_pages", "development_words", "model_tokens",
        ],
        1,
    )  # fmt: skip
    return Cycle(
        ended="", reason="", languages={}, perplexities=[1.0] * 11, mean_perplexity=1.0, current={1: 1.0}, next={1: 1.0},
        perplexity_alone=1.0, perplexity_merged=1.0, **{**numbers, **fields},
    )  # fmt: skip


def _examples() -> list[Example]:
    kinds = (("url:login sign", 0.1), ("url:archive list", 0.4), ("url:story storm", 0.9))
    return [Example(words, score + number / 1e4) for number in range(60) for words, score in kinds]


def _experiment(*, same_day: int, rise: float, merged: float) -> Experiment:
    ours = _crawled([100.0] * 5 + [100.0 * rise] * 5, same_day, 90, merged)
    day = DayFigures(1, 5000, ours, _crawled([50.0] * 10, 10, 100, 80), None, 0.5, 90)
    return Experiment([day], {-1: [1.5], 0: [1.0], 1: [1.2]}, [_examples()], _cycle(number=0))


@pytest.mark.parametrize(
    ("same_day", "rise", "merged", "missed"),
    [
        (20, 1.5, 70, []),
        (11, 1.5, 70, ["same-day pages"]),
        (20, 0.9, 70, ["last three tenths of a cycle"]),
        (20, 1.5, 85, ["merged diversity is the best model"]),
    ],
)
def test_a_goal_is_missed_where_its_figure_is(same_day: int, rise: float, merged: float, missed: list[str]) -> None:
    goals = report("cycles", _experiment(same_day=same_day, rise=rise, merged=merged)).goals
    assert [goal.name for goal in goals if not goal.met] == missed


def test_quality_is_of_links_that_were_held_out() -> None:
    assert quality([_examples()], "svm") == (1.0, 1.0)


def test_a_day_knows_what_is_fresh_stale_and_garbage() -> None:
    [*_, day] = news_days(1, 7, 0.1, Library.of_demo())
    assert isinstance(day, Day)
    kinds = [sum(map(test, day.web.pages)) for test in (day.is_fresh, day.is_stale, day.is_garbage)]  # type: ignore[attr-defined]
    assert kinds[:2] == [320, 600]
    assert kinds[2] >= 400
