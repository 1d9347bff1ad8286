"""The lead that predicts thirds of the scores from the words around links."""

import pytest

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Target, Verdict
from opilio.core.plugin import Context, build_plugin
from opilio.enqueue import bucket_of
from opilio.lead import Diversity, Judged
from opilio.lead.diversity import CLASSES, agreement, class_bounds, class_of, lessons_of
from opilio.lead.neighbourhood import neighbourhood
from tests.builders import page, sighting, target

KINDS = {"login": 0.1, "archive": 0.4, "story": 0.9}


def _link(number: int, kind: str) -> Target:
    url = f"http://a.test/{kind}/{number}"
    return target(url, sighting(url, anchor=f"the {kind} {number}", before="some words", after="more"), number=number)


def _taught(lead: Diversity, pages: int, first: int = 0) -> bool:
    """Shows the lead pages of each kind in turn. Returns whether the last of them was a lesson."""
    stale = False
    for number in range(first, first + pages):
        kind = list(KINDS)[number % len(KINDS)]
        verdict = Verdict(KINDS[kind] + number / 1e6, belongs=True)
        stale = lead.learn(Judged(_link(number, kind), page(), verdict, kept=True)).everything
    return stale


def test_links_are_drawn_by_chance_before_the_first_lesson_and_by_class_after_it() -> None:
    lead = Diversity([90], seed=3)
    links = [_link(1000, kind) for kind in KINDS]
    assert all(2 <= score < 3 for score in lead.score(links))
    assert "chance" in lead.explain(links[0])[0]
    assert not _taught(lead, 89)
    assert _taught(lead, 1, first=89)
    assert [int(score) for score in lead.score(links)] == [0, 1, 2]
    reasons = lead.explain(links[2])
    assert "High" in reasons[0]
    assert "story" in reasons[1]


def _show(lead: Diversity, link: Target, score: float, language: str = "en") -> None:
    lead.learn(Judged(link, page(language=language), Verdict(score, belongs=score > 0), kept=score > 0))


def test_links_like_those_to_a_few_refused_pages_come_last() -> None:
    lead = Diversity([92])
    for number in range(2):
        _show(lead, _link(number, "files"), 0.0)
    assert _taught(lead, 90)
    assert lead.score([_link(1000, "files")]) == [0.0]
    assert 0 < lead.score([_link(1000, "login")])[0] < 1


def test_links_in_a_language_that_no_page_has_come_last() -> None:
    lead, again = Diversity([90]), Diversity([90])
    url = "http://a.test/8"
    foreign = target(url, sighting(url, anchor="Die Katze sitzt heute nicht auf dem Dach"))
    _show(lead, _link(0, "story"), 0.0, "de")
    for number in range(89):
        _show(lead, _link(number, list(KINDS)[number % 3]), list(KINDS.values())[number % 3] + number / 1e6)
    assert lead.score([foreign]) == [0.0]
    assert "in de, and pages so far are in en" in lead.explain(foreign)[0]
    state = lead.save()
    assert state is not None
    again.load(state)
    assert again.score([foreign]) == [0.0]


def test_the_recipe_has_a_queue_for_each_class_and_loads_ten_two_one() -> None:
    config = load_config(recipe="diversity", settings=["stop.pages=600"])
    assert [bucket_of(score, config.policy.bounds) for score in (2.5, 1.5, 0.5)] == [0, 1, 2]
    high, medium, low = config.policy.quotas
    assert (high, medium) == (10 * low, 2 * low)
    lead = build_plugin("lead", config.lead, Context(config, None))
    assert _taught(lead, 90), "90 pages are 0.15 of 600"


def test_a_lesson_says_what_decides_each_class_and_how_good_it_is() -> None:
    lead = Diversity([120])
    _taught(lead, 120)
    state = lead.save()
    assert state is not None
    [lesson] = lessons_of(state)
    assert (lesson.pages, lesson.examples) == (120, 120)
    assert lesson.accuracy == 1.0
    assert lesson.f_high == 1.0
    for kind, words in zip(KINDS, lesson.words, strict=True):
        assert set(words[:2]) == {kind, f"url:{kind}"}


@pytest.mark.parametrize("learner", ["svm", "bayes", "logistic"])
def test_a_resumed_lead_goes_on_as_if_nothing_had_happened(learner: str) -> None:
    settings = [f"lead.learner={learner}", "lead.lessons=[60, 120]"]
    config = load_config(recipe="diversity", settings=settings)
    lead, resumed = (build_plugin("lead", config.lead, Context(config, None)) for _ in range(2))
    _taught(lead, 80)
    state = lead.save()
    assert state is not None
    assert lead.save() is None, "nothing has changed"
    resumed.load(state)
    links = [_link(number, kind) for number in (7, 8) for kind in KINDS]
    assert resumed.score(links) == lead.score(links)
    assert _taught(lead, 40, first=80)
    assert _taught(resumed, 40, first=80)
    assert resumed.score(links) == lead.score(links)


def test_seeds_do_not_count_towards_a_lesson_because_they_have_no_neighbourhood() -> None:
    lead = Diversity([0.5, 0.9], pages=220)
    for number in range(20):
        lead.learn(
            Judged(target(f"http://a.test/seed/{number}", number=number), page(), Verdict(0.5, belongs=True), kept=True)
        )
    assert "until 120 pages" in lead.explain(_link(0, "story"))[0]
    assert not _taught(lead, 99)
    assert _taught(lead, 1, first=99), "half of the 200 pages besides the 20 seeds"
    assert not _taught(lead, 79, first=100)
    assert _taught(lead, 1, first=179)


def test_a_lead_that_could_not_learn_says_that_it_draws_by_chance() -> None:
    lead = Diversity([3])
    assert not _taught(lead, 10), "there are too few pages"
    assert lead.explain(_link(1, "story")) == ["drawn by chance"]


def test_scores_that_do_not_differ_teach_nothing() -> None:
    lead = Diversity([60])
    for number in range(60):
        stale = lead.learn(Judged(_link(number, "story"), page(), Verdict(0.5, belongs=True), kept=True))
        assert not stale.everything
    assert lead.score([_link(1, "story")])[0] >= 2


def test_classes_have_as_many_pages_each() -> None:
    scores = [number / 100 for number in range(99)]
    bounds = class_bounds(scores)
    assert bounds is not None
    counts = [sum(class_of(score, bounds) == place for score in scores) for place in range(len(CLASSES))]
    assert counts == [33, 33, 33]


def test_pages_that_say_nothing_are_low_and_the_others_divided() -> None:
    bounds = class_bounds([0.0] * 60 + [0.1, 0.2, 0.3, 0.4] * 10)
    assert bounds == (0.1, 0.3)
    assert class_bounds([0.0] * 50 + [0.5] * 50) is None
    assert class_bounds([0.0] * 10 + [0.5] * 50 + [0.6] * 3) == (0.5, 0.6)


def test_agreement_is_accuracy_and_f_of_high() -> None:
    assert agreement([0, 1, 2, 2], [0, 2, 2, 1]) == (0.5, 0.5)
    assert agreement([0, 1], [0, 1]) == (1.0, 0.0)


def test_the_neighbourhood_has_the_words_of_all_sightings_and_of_the_address() -> None:
    url = "http://a.test/2026/03/story"
    seen = [sighting(url, anchor="Big news", before="they say", after="today"), sighting(url, 2, anchor="Read more")]
    words = neighbourhood(target(url, *seen))
    assert set(words) == {
        "big", "news", "they", "say", "today", "read", "more", "url:a", "url:test", "url:2026", "url:03", "url:story",
    }  # fmt: skip


@pytest.mark.parametrize("options", [{"learner": "guess"}, {"lessons": [0.0]}])
def test_options_that_make_no_sense_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        Diversity(**options)  # type: ignore[arg-type]
