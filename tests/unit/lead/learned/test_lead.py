"""The lead that learns during the crawl: what it believes beforehand, what it learns from each kind of sign, what it tells."""

from collections.abc import Sequence
from math import log
from random import Random
from statistics import mean
from typing import Any

import msgspec
import numpy as np
import pytest

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Link, Place, Target
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.lead import Learned
from opilio.lead.learned.signals import GROUPS, SIGNALS
from tests.builders import page
from tests.unit.lead.lead_field import DECISIVE_PAIRS, SAMPLES, Field, Seen, judged, taught

# --- before the first page


def test_before_the_first_page_links_that_read_like_the_samples_come_first() -> None:
    field = Field(Learned(SAMPLES))
    of_them, around, other = field.scores(
        Seen(anchor="harvestman arachnids"), Seen(before="about the harvestman, arachnids"), Seen(anchor="tax law")
    )
    assert of_them > around > other


def test_before_the_first_page_links_of_better_parents_come_first() -> None:
    good, bad = Field(Learned()).scores(Seen(parent_score=0.9), Seen(parent_score=0.1))
    assert good > bad


def test_before_the_first_page_addresses_in_a_wanted_language_come_first() -> None:
    field = Field(Learned(languages=["de"]))
    by_address, by_link = Seen("http://h{}.test/de/a"), Seen("http://h{}.test/a", hreflang="de")
    wanted, named, unknown, other = field.scores(by_address, by_link, Seen(), Seen("http://h{}.test/fr/a"))
    assert min(wanted, named) > unknown > other


def test_it_is_built_by_its_name_with_the_samples_of_the_crawl() -> None:
    context = Context(load_config(), None, tuple(Sample(text[:9], text) for text in SAMPLES))
    lead = build_plugin("lead", {"name": "learned"}, context)
    assert isinstance(lead, Learned)
    like, other = Field(lead).scores(Seen(anchor="harvestman"), Seen(anchor="tax"))
    assert like > other


# --- what it learns from


@pytest.mark.parametrize("alone", [False, True], ids=["among others", "alone"])
@pytest.mark.parametrize("group", DECISIVE_PAIRS)
def test_a_sign_that_decides_is_found_out(group: str, alone: bool) -> None:
    field = Field(Learned(SAMPLES, ["de"], signals=[group] if alone else GROUPS))
    good, bad = DECISIVE_PAIRS[group]
    field.meet(good, bad)
    better, worse = field.scores(good, bad)
    assert better > worse + 0.5


@pytest.mark.parametrize("group", ["parents", "samples", "anchor", "context", "url", "path", "language", "place"])
def test_a_sign_that_misleads_is_found_out_too(group: str) -> None:
    """This holds even for signs that are believed beforehand: better parents and likeness to the samples."""
    field = Field(Learned(SAMPLES, ["de"]))
    good, bad = DECISIVE_PAIRS[group]
    before = field.scores(good, bad)
    field.meet(bad, good, 150)
    after = field.scores(good, bad)
    assert after[0] - after[1] < before[0] - before[1] - 0.3
    assert after[0] < after[1]


@pytest.mark.parametrize("signals", [GROUPS, ["texts"]], ids=["among others", "alone"])
def test_words_in_the_texts_of_good_pages_are_found_in_anchors(signals: Sequence[str]) -> None:
    field = Field(Learned(signals=signals))
    field.meet(Seen(), Seen(), texts=("barley and other cereals in the field", "a tractor in the shed for repair"))
    better, unknown, worse = field.scores(Seen(anchor="cereals"), Seen(anchor="unheard"), Seen(anchor="repair"))
    assert better > unknown
    assert better > worse


@pytest.mark.parametrize("group", [each for each in DECISIVE_PAIRS if each != "place"])
def test_signals_that_are_left_out_say_nothing(group: str) -> None:
    field = Field(Learned(SAMPLES, ["de"], signals=["place"]))
    good, bad = (seen._replace(url=seen.url or "http://h.test/a") for seen in DECISIVE_PAIRS[group])
    if group not in ("samples", "host", "language"):  # their words are tokens, which have cases of their own
        field.meet(good, bad, 3)
    better, worse = field.scores(good, bad)
    assert better == worse


def test_every_signal_is_measured_under_its_own_name() -> None:
    field = Field(Learned(SAMPLES, ["de"]))
    parent = _page(field, "harvestmen", score=0.9, links=4, known=[1.0])
    there = parent._replace(url="http://h.de/de/{}", parent_score=0.8, boilerplate=0.3, position=10)
    target = field.target(there)
    field.lead.score([target])
    [line], _ = field.lead._measure(np.array([field.lead._links.rows[target.id]]), field.lead._links)
    found = dict(zip([signal.label for signal in SIGNALS], line.tolist(), strict=True))
    expected = {
        "its best parent": 0.8,
        "parents that belong": log(1.8),
        "parents that do not": log(1.2),
        "good pages that its parents lead to": log(2.0),
        "language that its address or link names": 1.0,
        "language of its top-level domain": 0.5,
        "distance from a seed": 1.0,
        "distance from a page that belongs": 1.0,
        "its share of the seeds' importance": log(1 / 5) / 10,
        "boilerplate around it": 0.3,
        "links before it": log(11),
        "all links": 1.0,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-5)
    assert found["title of a parent like the samples"] > 0.0


def test_no_token_learns_where_the_rate_is_nought_and_groups_are_left_out() -> None:
    field = Field(Learned(rate=0, signals=["anchor"]))
    field.meet(Seen(anchor="barley"), Seen(anchor="tractor"), 5)
    assert not field.lead._learner.tokens[0].any()


def test_groups_of_signals_are_all_named_and_the_deciding_ones_move_most() -> None:
    lead = Learned()
    good, bad = DECISIVE_PAIRS["host"]
    Field(lead).meet(good, bad, 200)
    effects = lead.weights()
    assert set(effects) == {signal.group for signal in SIGNALS} - {"all"}
    assert effects["host"] > Learned().weights()["host"]


def test_a_signal_that_no_link_has_weighs_little_after_a_while() -> None:
    field = Field(Learned())
    for _ in range(100):
        field.learn(field.target(Seen()), 0.5)
    assert field.lead.weights()["language"] < 0.5 * Learned().weights()["language"]


def test_verdicts_count_by_how_good_they_are() -> None:
    field = Field(Learned())
    grades = {"barley": 0.9, "rye": 0.6, "hay": 0.3, "tractor": 0.0}
    for _ in range(40):
        for anchor, score in grades.items():
            field.learn(field.target(Seen(anchor=anchor)), score)
    scores = list(field.scores(*(Seen(anchor=anchor) for anchor in grades)))
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(grades)


def _said(reason: str) -> float:
    return float(reason.removeprefix("now belongs with probability ").split()[0])


def test_scores_become_probabilities() -> None:
    """Where a third of the links of a kind lead to good pages, that is what is expected of the next one."""
    field, random = Field(Learned()), Random(5)
    for _ in range(600):
        field.learn(field.target(Seen()), float(random.random() < 1 / 3))
    [reason, *_] = field.lead.explain(field.target(Seen()))
    assert 0.23 < _said(reason) < 0.43


def test_probabilities_come_true_where_beliefs_are_too_sure() -> None:
    """Anchors that read like the samples are believed in, and half of them lead nowhere; of the others a tenth is good."""
    field, random = Field(Learned(SAMPLES)), Random(3)
    said: dict[str, list[float]] = {}
    for number in range(1_200):
        anchor = random.choice(["harvestman arachnids", "tax law"])
        target = field.target(Seen(anchor=anchor))
        field.lead.score([target])
        if number >= 800:
            said.setdefault(anchor, []).append(_said(field.lead.explain(target)[0]))
        field.learn(target, float(random.random() < (0.5 if anchor.startswith("h") else 0.1)))
    assert mean(said["harvestman arachnids"]) == pytest.approx(0.5, abs=0.1)
    assert mean(said["tax law"]) == pytest.approx(0.1, abs=0.1)


def test_what_a_page_links_to_tells_of_the_links_beside_it() -> None:
    """This holds even if the targets were fetched before the page was."""
    field = Field(Learned(signals=["siblings"]))
    good, bad = [[field.target(Seen()) for _ in range(6)] for _ in range(2)]
    for targets, score in ((good, 0.95), (bad, 0.05)):
        for target in targets:
            field.learn(target, score)
    lists = {7: good, 8: bad}
    for parent, targets in lists.items():
        links = [target.sightings[0].link for target in targets]
        page = Target(parent, f"http://list{parent}.test/", f"list{parent}.test", 1, 0, ())
        field.learn(page, 0.5, links=links)
    beside_good, beside_bad = field.scores(Seen(parent=7), Seen(parent=8))
    assert beside_good > beside_bad


def _seed(field: Field) -> Target:
    number = field.target(Seen()).id
    return Target(number, f"http://s{number}.test/", f"s{number}.test", 0, 0, ())


def _page(field: Field, title: str = "", score: float = 0.4, links: int = 1, known: Sequence[float] = ()) -> Seen:
    """A page that was fetched and links to `known` ones with these scores among others; where further links of it stand."""
    found = [Link("http://x.test/", "x.test")] * links
    for each in known:
        seed = _seed(field)
        field.learn(seed, each)
        found.append(Link(seed.url, seed.host))
    lesson = judged(_seed(field), score, links=found)
    field.lead.learn(lesson._replace(page=msgspec.structs.replace(lesson.page, title=title)))
    return Seen(parent=lesson.target.id, block=99)


INHERITED_SIGNS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "the title of its parent": ("parents", {"title": "harvestmen, arachnids"}, {"title": "tax law"}),
    "good pages beside it": ("siblings", {"known": [1.0, 0.0] * 6}, {"known": [1.0, 0.0]}),
    "the distance from a page that belongs": ("place", {"score": 0.9}, {"score": 0.1}),
    "importance": ("place", {"links": 2}, {"links": 500}),
}


@pytest.mark.parametrize("sign", INHERITED_SIGNS)
def test_what_a_link_has_from_its_parents_is_found_out(sign: str) -> None:
    group, good, bad = INHERITED_SIGNS[sign]
    field = Field(Learned(SAMPLES, signals=[group]))
    for _ in range(250):
        for facts, score in ((bad, 0.05), (good, 0.95)):
            field.learn(field.target(_page(field, **facts)), score)
    better, worse = field.scores(_page(field, **good), _page(field, **bad))
    assert better > worse + 0.3


def test_importance_goes_from_page_to_page_and_is_shared_by_links() -> None:
    field = Field(Learned(signals=["place"]))
    first = field.target(_page(field, links=2))
    field.lead.score([first])
    field.learn(first, 0.1, links=[Link("http://x.test/", "x.test")] * 5)
    second = field.target(Seen(parent=first.id))
    field.lead.score([second])
    assert field.lead._links.standing(first.id) is None
    assert field.lead._links.standing(second.id) == pytest.approx((0.1, 3.0))


def test_what_a_link_says_of_itself_is_learned_with_its_place() -> None:
    field = Field(Learned(signals=["path"]))
    field.meet(Seen(), Seen(rel="nofollow ugc"))
    plain, marked = field.scores(Seen(), Seen(rel="nofollow ugc"))
    assert plain > marked + 0.5


@pytest.mark.parametrize(
    ("group", "text", "side"),
    [
        ("path", Place(1, "html body p a"), Place(2, "html body ul li a")),
        ("siblings", Place(1, "html body p a"), Place(2, "html body p a")),
    ],
)
def test_a_place_that_decides_is_found_out_wherever_else_the_link_stands(group: str, text: Place, side: Place) -> None:
    field = Field(Learned(signals=[group]))
    inside = Seen(path=text.path, block=text.block, parent=7)
    both = inside._replace(also=(side,))
    field.meet(both, inside)
    of_both, of_text, of_side = field.scores(both, inside, inside._replace(path=side.path, block=side.block))
    assert of_both > of_text + 0.5
    assert of_side > of_text + 0.5


def test_a_page_that_has_a_link_twice_counts_once_for_what_its_links_lead_to() -> None:
    once, twice = Field(Learned(signals=["siblings"])), Field(Learned(signals=["siblings"]))
    for field, also in ((once, ()), (twice, (Place(2, "html body ul li a"),))):
        for score in (0.95, 0.05, 0.95):
            target = field.target(Seen(parent=7, block=1, also=also))
            field.lead.score([target])
            field.learn(target, score)
        page = Target(8, "http://list.test/", "list.test", 1, 0, ())
        field.learn(page, 0.5, links=[msgspec.structs.replace(target.sightings[0].link, also=also)])
    assert np.array_equal(once.lead._known.pages.table, twice.lead._known.pages.table)
    beside, nowhere = twice.scores(Seen(parent=8, block=2), Seen(parent=8, block=9))
    assert beside > nowhere, "its other place tells of the links beside it"


# --- credit


def _crawl_through_hubs(discount: float) -> Sequence[float]:
    """Scores of a hub and of a dead end, none of which belongs itself."""
    field = Field(Learned(discount=discount, signals=["anchor"]))
    for _ in range(40):
        hub, end = field.target(Seen(anchor="index")), field.target(Seen(anchor="imprint"))
        field.learn(hub, 0.0)
        field.learn(end, 0.0)
        for _ in range(3):
            field.learn(field.target(Seen(anchor="story", parent=hub.id)), 1.0)
    return field.scores(Seen(anchor="index"), Seen(anchor="imprint"))


def test_pages_that_lead_to_good_ones_get_credit() -> None:
    hub, end = _crawl_through_hubs(0.5)
    uncredited, _ = _crawl_through_hubs(0.0)
    assert hub > end
    assert hub > uncredited


def test_what_the_operator_says_of_a_page_counts_and_is_saved_with_the_next_commit() -> None:
    field = Field(Learned(explore=0.0))
    for _ in range(30):
        field.learn(field.target(Seen("http://one.test/barley/{}")), 0.3, "barley grows in the field")
    field.lead.save()
    assert field.lead.save() is None
    [before] = field.scores(Seen("http://one.test/barley/{}", anchor="barley field"))
    for number in range(5):
        field.lead.teach(page("barley grows in the field", url=f"http://one.test/barley/{number}"), belongs=True)
    [after] = field.scores(Seen("http://one.test/barley/{}", anchor="barley field"))
    assert after > before
    assert field.lead.save() is not None


# --- fresh scores


def test_links_whose_signs_were_learned_since_are_told_to_the_frontier() -> None:
    field = Field(Learned(explore=0.0))
    barley, tractor = (
        [field.target(Seen(anchor=anchor)) for _ in range(10)] for anchor in ("field barley", "shed tractor")
    )
    old = dict(zip([target.id for target in barley + tractor], field.lead.score(barley + tractor), strict=True))
    for _ in range(20):
        field.learn(field.target(Seen(anchor="field barley")), 1.0)
        field.learn(field.target(Seen(anchor="shed tractor")), 0.0)
    fresh = dict(field.lead.fresh())
    assert all(fresh[target.id] > old[target.id] for target in barley)
    assert all(fresh[one.id] > fresh.get(other.id, old[other.id]) for one in barley for other in tractor)
    assert field.lead.fresh() == [], "nothing was learned in between"


def test_no_more_links_are_measured_again_than_allowed() -> None:
    field = Field(Learned(explore=0.0, refresh=16))
    field.lead.score([field.target(Seen(anchor="barley")) for _ in range(500)])
    for _ in range(20):
        field.learn(field.target(Seen(anchor="barley")), 1.0)
    assert 0 < len(field.lead.fresh()) <= 16


def test_a_page_that_was_fetched_is_not_told_again() -> None:
    field = Field(Learned(explore=0.5))
    targets = [field.target(Seen(anchor="barley")) for _ in range(50)]
    field.lead.score(targets)
    for target in targets[:40]:
        field.learn(target, 1.0)
    told = {link for _ in range(100) for link, _ in field.lead.fresh()}
    assert told <= {target.id for target in targets[40:]}
    assert told


def test_nothing_is_told_of_an_empty_queue() -> None:
    assert list(Learned(explore=0.9).fresh()) == []


# --- bounded


def test_a_full_table_forgets_the_worse_links_and_goes_on() -> None:
    field = Field(Learned(SAMPLES, links=2_048, refresh=4_096, explore=0.0))
    good = [field.target(Seen(anchor="harvestman")) for _ in range(500)]
    field.lead.score(good)
    for _ in range(100):
        field.lead.score([field.target(Seen(anchor="tax law")) for _ in range(50)])
    for _ in range(30):
        field.learn(field.target(Seen(anchor="harvestman")), 1.0)
    fresh = dict(field.lead.fresh())
    assert {target.id for target in good} <= fresh.keys()
    assert len(fresh) <= 2_048
    assert len(set(field.lead.score(good))) == 1


# --- explained


def test_it_explains_itself_in_words() -> None:
    field = Field(Learned(SAMPLES))
    good, bad = DECISIVE_PAIRS["host"]
    field.meet(good, bad, 50)
    reasons = field.lead.explain(field.target(good._replace(anchor="harvestman")))
    assert reasons[0].startswith("now belongs with probability ")
    assert "learned from 100 pages with a mean score of 0.50" in reasons[0]
    told = " ".join(reasons)
    assert "anchor like the samples" in told
    assert "yield of its host" in told
    assert all(reason[0] in "+-" for reason in reasons[1:])


def test_the_parts_of_an_explanation_are_what_the_score_is_made_of() -> None:
    field = Field(Learned(signals=["anchor"]))
    field.meet(*DECISIVE_PAIRS["anchor"])
    target = field.target(Seen(anchor="barley"))
    [score] = field.lead.score([target])
    first, *parts = field.lead.explain(target)
    assert f"log odds {score:+.2f}" in first
    assert len(parts) == 2  # the signal, and the word as such


def test_asking_changes_nothing() -> None:
    field, crowd = taught(50)
    target = next(crowd)[0]
    once = field.lead.explain(target)
    assert field.lead.explain(target) == once
    assert field.lead.score([target]) == field.lead.score([target])


def test_asking_for_a_link_counts_no_sighting_again_and_takes_no_row() -> None:
    field = Field(Learned())
    target = field.target(Seen())
    for _ in range(12):  # more than a row has room for
        sighting = field.target(Seen(target.url)).sightings[0]
        target = target._replace(sightings=(*target.sightings, sighting))
        [score] = field.lead.score([target])
    assert len({tuple(field.lead.explain(target)) for _ in range(3)}) == 1
    assert f"log odds {score:+.2f}" in field.lead.explain(target)[0]
    rows = len(field.lead._links)
    field.lead.explain(field.target(Seen()))
    assert len(field.lead._links) == rows


def test_a_seed_is_explained_as_one() -> None:
    [reason] = Learned().explain(Target(1, "http://a.test/", "a.test", 0, 0, ()))
    assert reason.startswith("a seed")


# --- options


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"signals": ["anchor", "colour"]}, "lead.signals has no colour. There are: parents, siblings"),
        ({"explore": 1.0}, "lead.explore"),
        ({"explore": -0.1}, "lead.explore"),
        ({"discount": 1.5}, "lead.discount"),
        ({"refresh": 0}, "lead.refresh"),
        ({"links": 100}, "2,048"),
        ({"rate": -1.0}, "lead.rate"),
        ({"reward": "fame"}, 'lead.reward is one of pages, tokens, hosts, novelty, and not "fame"'),
    ],
)
def test_options_that_make_no_sense_are_refused_by_name(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said.replace(".", r"\.")):
        Learned(**options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"signals": "anchor"}, 'lead.signals is a list, not a string: write ["anchor"].'),
        ({"explore": "much"}, "lead.explore must be a number, such as 0.02"),
        ({"speed": 3}, "cannot be built with these options"),
    ],
)
def test_options_of_another_kind_are_refused_by_name(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build_plugin("lead", {"name": "learned", **options}, Context(load_config(), None))
    assert said in str(caught.value)
