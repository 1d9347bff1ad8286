"""The lead that learns during the crawl: what it believes beforehand, what it learns from each kind of sign, what it keeps."""

from collections.abc import Iterator, Sequence
from itertools import count
from math import log
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest
import zstandard

from opilio.core.config import load_config
from opilio.core.database import Database
from opilio.core.errors import ConfigError, CrawlDirError
from opilio.core.items import Link, Page, Sighting, Target, Verdict
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.lead import FRESH, Inheriting, Judged, Learned, Refreshing, Stateful
from opilio.lead.known_text import KnownText
from opilio.lead.reward import REWARDS, Reward
from opilio.lead.signals import GROUPS, SIGNALS

SAMPLES = (
    "Harvestmen are arachnids with long legs. A harvestman has one body and two eyes, and it spins no silk.",
    "The harvestman eats small insects and fungi. Arachnids such as harvestmen and mites live in leaf litter.",
)
EXPLORED = 100.0  # the score of a link that is fetched to explore


class Seen(NamedTuple):
    """Where and how a link stood; every link of these tests has a host and a parent of its own, if nothing else is said."""

    url: str = ""
    anchor: str = "read more"
    before: str = ""
    path: str = "html body div a"
    rel: str = ""
    hreflang: str = ""
    boilerplate: float = 0.3
    position: int = 10
    block: int = 3
    parent: int = 0
    parent_score: float = 0.4


class Field:
    """Makes links and pages, and lets a lead learn from them."""

    def __init__(self, lead: Learned) -> None:
        self.lead = lead
        self._numbers = count(1_000)

    def target(self, seen: Seen) -> Target:
        number = next(self._numbers)
        url = seen.url.format(number) if seen.url else f"http://h{number}.test/{number}"
        host = url.split("/")[2]
        link = Link(
            url, host, seen.anchor, seen.before, "", seen.block, seen.boilerplate, seen.path, seen.rel, seen.hreflang,
            seen.position,
        )  # fmt: skip
        parent = seen.parent or next(self._numbers)
        sighting = Sighting(parent, f"http://p{parent}.test/", seen.parent_score, seen.parent_score > 0.5, link)
        return Target(number, url, host, 1, 0, (sighting,))

    def learn(self, target: Target, score: float, text: str = "", links: Sequence[Link] = ()) -> None:
        assert self.lead.learn(judged(target, score, text, links)) == FRESH

    def meet(self, good: Seen, bad: Seen, times: int = 60, texts: tuple[str, str] = ("", "")) -> None:
        """Links of two kinds, of which the first leads to good pages."""
        for _ in range(times):
            for seen, score, text in ((bad, 0.05, texts[1]), (good, 0.95, texts[0])):
                target = self.target(seen)
                self.lead.score([target])
                self.learn(target, score, text)

    def scores(self, *seen: Seen) -> Sequence[float]:
        return self.lead.score([self.target(each) for each in seen])


def judged(target: Target, score: float, text: str = "", links: Sequence[Link] = ()) -> Judged:
    page = Page(
        target.url, target.host, 1, "", text, 0, "", 0.9, "utf-8", "", "", (), tuple(links), (), (), False, False, {}
    )  # fmt: skip
    return Judged(target, page, Verdict(score, belongs=score > 0.5), score > 0.5)


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
    assert isinstance(lead, Stateful)
    assert isinstance(lead, Refreshing)
    like, other = Field(lead).scores(Seen(anchor="harvestman"), Seen(anchor="tax"))
    assert like > other


# --- what it learns from

DECIDING: dict[str, tuple[Seen, Seen]] = {
    "parents": (Seen(parent_score=0.8), Seen(parent_score=0.2)),
    "siblings": (Seen(block=1, parent=7), Seen(block=2, parent=7)),
    "samples": (Seen(anchor="long legs of arachnids"), Seen(anchor="income of tax payers")),
    "anchor": (Seen(anchor="barley"), Seen(anchor="tractor")),
    "context": (Seen(before="fields of barley and"), Seen(before="sheds with tractors and")),
    "url": (Seen("http://h{0}.test/barley/{0}"), Seen("http://h{0}.test/tractor/{0}")),
    "path": (Seen(path="html body main ul li a"), Seen(path="html body footer p a")),
    "host": (Seen("http://good.test/{}"), Seen("http://bad.test/{}")),
    "language": (Seen("http://h{}.test/de/"), Seen("http://h{}.test/fr/")),
    "place": (Seen(boilerplate=0.1, position=3), Seen(boilerplate=0.9, position=200)),
}


@pytest.mark.parametrize("alone", [False, True], ids=["among others", "alone"])
@pytest.mark.parametrize("group", DECIDING)
def test_a_sign_that_decides_is_found_out(group: str, alone: bool) -> None:
    field = Field(Learned(SAMPLES, ["de"], signals=[group] if alone else GROUPS))
    good, bad = DECIDING[group]
    field.meet(good, bad)
    better, worse = field.scores(good, bad)
    assert better > worse + 0.5


@pytest.mark.parametrize("group", ["parents", "samples", "anchor", "context", "url", "path", "language", "place"])
def test_a_sign_that_misleads_is_found_out_too(group: str) -> None:
    """Also where it was believed beforehand: the better parents and the likeness to the samples."""
    field = Field(Learned(SAMPLES, ["de"]))
    good, bad = DECIDING[group]
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


@pytest.mark.parametrize("group", [each for each in DECIDING if each != "place"])
def test_signals_that_are_left_out_say_nothing(group: str) -> None:
    field = Field(Learned(SAMPLES, ["de"], signals=["place"]))
    good, bad = (seen._replace(url=seen.url or "http://h.test/a") for seen in DECIDING[group])
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
    [line], _ = field.lead._measure(np.array([field.lead._links.rows[target.id]]))
    found = dict(zip([signal.name for signal in SIGNALS], line.tolist(), strict=True))
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
    good, bad = DECIDING["host"]
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
    """Also where the targets were fetched before the page was."""
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


INHERITED: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "the title of its parent": ("parents", {"title": "harvestmen, arachnids"}, {"title": "tax law"}),
    "good pages beside it": ("siblings", {"known": [1.0, 0.0] * 6}, {"known": [1.0, 0.0]}),
    "the distance from a page that belongs": ("place", {"score": 0.9}, {"score": 0.1}),
    "importance": ("place", {"links": 2}, {"links": 500}),
}


@pytest.mark.parametrize("sign", INHERITED)
def test_what_a_link_has_from_its_parents_is_found_out(sign: str) -> None:
    group, good, bad = INHERITED[sign]
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


# --- exploration


def _explored(lead: Learned) -> list[int]:
    return [link for link, score in lead.fresh() if score == EXPLORED]


def test_the_share_of_picks_that_explore_is_kept() -> None:
    field = Field(Learned(explore=0.1))
    field.lead.score([field.target(Seen()) for _ in range(100)])
    picks = [bool(_explored(field.lead)) for _ in range(1_000)]
    assert 0.07 < mean(picks) < 0.13


def test_without_exploration_nothing_is_known_of_what_is_missed() -> None:
    field = Field(Learned(explore=0.0))
    field.meet(Seen(), Seen())
    assert field.lead.remaining() is None


def test_what_remains_is_estimated_without_bias() -> None:
    """A queue of 300 links, 75 of them good. The good ones stand where the learner is unsure, and so are drawn more often."""
    field = Field(Learned(explore=0.99))
    places = [Seen(position=2_000, boilerplate=1.0, parent_score=0.9) if n % 4 == 0 else Seen() for n in range(300)]
    waiting = {target.id: (target, n % 4 == 0) for n, target in enumerate(map(field.target, places))}
    field.lead.score([target for target, _ in waiting.values()])
    estimates = []
    for _ in range(800):
        for link in _explored(field.lead):
            target, good = waiting[link]
            field.learn(target, float(good))
            field.lead.score([target])  # comes back: the queue stays as it is
            estimates.append(field.lead.remaining() or 0.0)
    assert len(estimates) > 700
    assert 60 < mean(estimates[100:]) < 90


def test_explored_links_that_bring_no_page_count_as_none() -> None:
    field = Field(Learned(explore=0.99))
    for _ in range(40):
        field.lead.score([field.target(Seen()) for _ in range(5)])
        field.lead.forget(_explored(field.lead))
    assert field.lead.remaining() == 0.0


def test_a_link_that_is_drawn_twice_counts_twice() -> None:
    field = Field(Learned(explore=0.99))
    [target] = [field.target(Seen())]
    field.lead.score([target])
    drawn = sum(link == target.id for _ in range(40) for link, score in field.lead.fresh()[-1:] if score == EXPLORED)
    assert drawn > 30
    field.learn(target, 1.0)
    assert field.lead.remaining() == pytest.approx(1.0, rel=0.5)


def test_explored_links_that_wait_are_told_again_so_that_ended_ones_are_named() -> None:
    field = Field(Learned(explore=0.99))
    field.lead.score([field.target(Seen()) for _ in range(50)])
    told = [{link for link, score in field.lead.fresh() if score == EXPLORED} for _ in range(10)]
    assert len(told[-1]) > 5
    assert told[-2] <= told[-1]


def test_people_are_told_that_a_link_is_explored() -> None:
    target = Field(Learned()).target(Seen())
    assert "drawn by chance" in Learned().explain(target._replace(score=EXPLORED))[0]


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


# --- kept


def _crowd(field: Field) -> Iterator[tuple[Target, float, str]]:
    random = Random(3)
    while True:
        seen = random.choice([one for pair in DECIDING.values() for one in pair])
        yield field.target(seen._replace(parent=random.randrange(1, 50))), random.random(), "barley or tractor"


def _taught(pages: int, **options: Any) -> tuple[Field, Iterator[tuple[Target, float, str]]]:
    field = Field(Learned(SAMPLES, ["de"], **options))
    crowd = _crowd(field)
    for _ in range(pages):
        field.learn(*next(crowd))
    return field, crowd


def test_a_lead_that_was_loaded_scores_and_learns_as_the_one_that_was_saved() -> None:
    """But for credit, which is not kept: pages that were fetched before get none."""
    field, crowd = _taught(300, discount=0.0)
    state = field.lead.save()
    assert state is not None
    loaded = Learned(SAMPLES, ["de"], discount=0.0)
    loaded.load(state)
    targets = [next(crowd)[0] for _ in range(100)]
    assert loaded.score(targets) == pytest.approx(field.lead.score(targets), abs=0.02)
    for _ in range(50):
        lesson = judged(*next(crowd))
        field.lead.learn(lesson)
        loaded.learn(lesson)
    targets = [next(crowd)[0] for _ in range(100)]
    assert loaded.score(targets) == pytest.approx(field.lead.score(targets), abs=0.02)
    assert loaded.weights() == pytest.approx(field.lead.weights(), abs=0.02)


def test_what_was_explored_is_kept() -> None:
    field = Field(Learned(explore=0.9))
    targets = {target.id: target for target in (field.target(Seen()) for _ in range(100))}
    field.lead.score(list(targets.values()))
    for link in [link for _ in range(30) for link in _explored(field.lead)]:
        field.learn(targets[link], 0.6)
    loaded = Learned()
    loaded.load(field.lead.save() or b"")
    assert loaded.remaining() == field.lead.remaining()
    assert loaded.remaining()


@pytest.mark.parametrize("version", [None, 0, 99])
def test_a_state_of_another_version_is_refused(version: int | None) -> None:
    field, _ = _taught(10)
    held = msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(field.lead.save() or b""))
    held["version"] = version
    state = zstandard.ZstdCompressor().compress(msgspec.msgpack.encode(held))
    with pytest.raises(CrawlDirError, match=f"has version {version}, and this Opilio reads version"):
        Learned().load(state)


def test_a_state_of_other_signals_is_refused() -> None:
    field, _ = _taught(10)
    held = msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(field.lead.save() or b""))
    held["learner"]["weights"] += bytes(8)
    with pytest.raises(CrawlDirError, match="other signals"):
        Learned().load(zstandard.ZstdCompressor().compress(msgspec.msgpack.encode(held)))


def test_nothing_is_saved_where_nothing_was_learned() -> None:
    field, crowd = _taught(100)
    assert field.lead.save()
    assert field.lead.save() is None
    for _ in range(6):
        field.learn(*next(crowd))
    assert field.lead.save()


# --- explained


def test_it_explains_itself_in_words() -> None:
    field = Field(Learned(SAMPLES))
    good, bad = DECIDING["host"]
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
    field.meet(*DECIDING["anchor"])
    target = field.target(Seen(anchor="barley"))
    [score] = field.lead.score([target])
    first, *parts = field.lead.explain(target)
    assert f"log odds {score:+.2f}" in first
    assert len(parts) == 2  # the signal, and the word as such


def test_asking_changes_nothing() -> None:
    field, crowd = _taught(50)
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
        ({"reward": "fame"}, 'lead.reward is one of pages, tokens, hosts, and not "fame"'),
    ],
)
def test_options_that_make_no_sense_are_refused_by_name(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said.replace(".", r"\.")):
        Learned(**options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"signals": "anchor"}, 'lead.signals is a list, not a text: write ["anchor"].'),
        ({"explore": "much"}, "lead.explore is a number, such as 0.02"),
        ({"speed": 3}, "cannot be built with these options"),
    ],
)
def test_options_of_another_kind_are_refused_by_name(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build_plugin("lead", {"name": "learned", **options}, Context(load_config(), None))
    assert said in str(caught.value)


def test_the_same_seed_gives_the_same_scores_and_the_same_explorations() -> None:
    def crawl(seed: int) -> list[Any]:
        field, crowd = _taught(100, seed=seed, explore=0.5)
        told: list[Any] = []
        for _ in range(20):
            told.append(field.lead.score([next(crowd)[0] for _ in range(10)]))
            told.append(list(field.lead.fresh()))
            field.learn(*next(crowd))
        return told

    assert crawl(1) == crawl(1)
    assert crawl(1) != crawl(2)


def test_how_often_the_state_is_saved_changes_nothing() -> None:
    def crawl(every: int) -> list[Any]:
        field, crowd = _taught(100, explore=0.5)
        told: list[Any] = []
        for step in range(60):
            field.lead.score([next(crowd)[0] for _ in range(10)])
            told.append(list(field.lead.fresh()))
            field.learn(*next(crowd))
            if step % every == 0:
                field.lead.save()
        return told

    assert crawl(1) == crawl(50)


# --- rewards


def _met(field: Field, score: float, words: int, size_bytes: int, *, kept: bool = True, host: str = "h.test") -> Judged:
    lesson = judged(field.target(Seen(f"http://{host}/{{}}")), score)
    page = msgspec.structs.replace(lesson.page, words=words)
    return lesson._replace(page=page, kept=kept, size_bytes=size_bytes)


def test_a_page_of_middling_density_is_worth_half_its_verdict_and_a_denser_one_more() -> None:
    field, reward, random = Field(Learned()), Reward("tokens"), Random(5)
    for _ in range(500):
        reward.of(_met(field, 0.9, random.randrange(50, 151), 10_000))
    middling, dense, empty = (reward.of(_met(field, 0.8, words, 10_000)) for words in (100, 900, 0))
    assert middling == pytest.approx(0.4, abs=0.04)
    assert dense == pytest.approx(0.72, abs=0.04)
    assert empty == 0.0


def test_text_that_is_known_is_worth_nothing() -> None:
    field, reward = Field(Learned()), Reward("tokens")
    assert reward.of(_met(field, 0.9, 100, 1_000)) == pytest.approx(0.45)
    assert reward.of(_met(field, 0.9, 100, 1_000, kept=False)) == 0.0
    assert reward.of(_met(field, 0.4, 100, 1_000, kept=False)) > 0.0  # it is not kept because it does not belong


def _prose(words: int, seed: int) -> str:
    return " ".join(f"word{Random(seed * 10_000 + number).randrange(9_999)}" for number in range(words))


def _read(reward: Reward, text: str, score: float = 0.9, *, kept: bool = True) -> float:
    """The share of its words that counted, by what the page was worth."""
    lesson = judged(Target(1, "http://a.test/", "a.test", 0, 0, ()), score, text)
    page = msgspec.structs.replace(lesson.page, words=600)
    worth = reward.of(lesson._replace(page=page, kept=kept, size_bytes=10_000)) / score
    return worth / (1 - worth) * reward._median / 0.06


def _changed(text: str, every: int) -> str:
    return " ".join(f"other{at}" if at % every == 0 else word for at, word in enumerate(text.split()))


def test_a_near_duplicate_is_worth_next_to_nothing() -> None:
    reward, text = Reward("tokens"), _prose(600, 1)
    assert _read(reward, text) == pytest.approx(1.0)
    assert _read(reward, _changed(text, 20)) == pytest.approx(0.05, abs=0.01)  # one word in twenty is another one
    assert _read(reward, f"{text} {_prose(30, 2)}") == pytest.approx(0.05, abs=0.01)
    assert _read(reward, text) < 0.01


def test_a_page_with_half_known_text_counts_for_the_other_half() -> None:
    reward, text = Reward("tokens"), _prose(300, 1)
    _read(reward, f"{_prose(100, 2)} {text}")
    assert _read(reward, f"{text} {_prose(300, 3)}") == pytest.approx(0.5, abs=0.01)


def test_words_that_texts_share_a_few_at_a_time_stay_new() -> None:
    reward, text = Reward("tokens"), _prose(600, 1)
    _read(reward, text)
    assert _read(reward, _changed(text, 5)) == pytest.approx(1.0)
    assert _read(reward, " ".join(reversed(text.split()))) == pytest.approx(1.0)


def test_text_of_pages_that_were_not_kept_stays_new_to_the_corpus() -> None:
    reward, text = Reward("tokens"), _prose(600, 1)
    assert _read(reward, text, 0.4, kept=False) == pytest.approx(1.0)  # it does not belong
    assert _read(reward, text, 0.9, kept=False) == 0.0  # opted out, say
    assert _read(reward, text) == pytest.approx(1.0)
    assert _read(reward, text, 0.4, kept=False) == pytest.approx(0.0)  # and now it is there


@pytest.mark.parametrize("text", ["", "one", "one two three", "一", "ตัวอย่าง"])
def test_the_shortest_texts_are_new_once(text: str) -> None:
    reward = Reward("tokens")
    assert _read(reward, text) == pytest.approx(1.0)
    assert _read(reward, text) == pytest.approx(0.0 if text else 1.0)


def test_known_text_is_saved_with_the_lead_and_takes_no_more_room_however_much_is_read() -> None:
    field, text = Field(Learned(reward="tokens")), _prose(600, 1)
    field.learn(field.target(Seen()), 0.9, text)
    loaded = Learned(reward="tokens")
    loaded.load(field.lead.save() or b"")
    assert _read(loaded._reward, text) < 0.01
    known = KnownText()
    for number in range(1_000):
        known.new_share(" ".join(map(str, range(4_500 * number, 4_500 * (number + 1)))), keep=True)
    assert sum(map(len, known.state())) < 4.5e6
    assert 0.2 < known.new_share(" ".join(map(str, range(4_500))), keep=False) < 0.8  # what was long ago has faded
    again = KnownText()
    again.restore(known.state())
    assert again.state() == known.state()


def test_only_a_lead_that_counts_words_remembers_texts() -> None:
    field, text = Field(Learned()), _prose(600, 1)
    for kind in ("pages", "hosts"):
        reward = Reward(kind)
        reward.of(judged(field.target(Seen()), 0.9, text))
        assert reward.state()[-1] is None
    counting = Reward("tokens")
    counting.restore(reward.state())  # the operator has changed his mind
    counting.of(judged(field.target(Seen()), 0.9, text))
    assert counting.state()[-1]


def test_only_the_first_good_page_of_a_host_has_its_full_reward() -> None:
    field, reward = Field(Learned()), Reward("hosts")
    scores = [(0.4, "a.test"), (0.9, "a.test"), (0.8, "a.test"), (0.8, "b.test")]
    found = [reward.of(_met(field, score, 1, 1, host=host)) for score, host in scores]
    assert found == pytest.approx([0.4, 0.9, 0.08, 0.8])


@pytest.mark.parametrize("kind", REWARDS)
def test_rewards_go_on_as_they_were_when_a_lead_is_loaded(kind: str) -> None:
    field = Field(Learned(reward=kind))
    for words in range(1, 60):
        field.lead.learn(_met(field, 0.9, words, 1_000, host=f"h{words % 9}.test"))
    loaded = Learned(reward=kind)
    loaded.load(field.lead.save() or b"")
    lesson = _met(field, 0.9, 30, 1_000, host="h1.test")
    assert loaded._reward.of(lesson) == field.lead._reward.of(lesson)


def test_with_hosts_as_reward_a_host_that_gave_its_page_falls_behind_new_ones() -> None:
    def known_against_new(kind: str) -> Sequence[float]:
        field = Field(Learned(reward=kind, explore=0.0))
        for number in range(300):
            host = f"http://{'rich' if number % 2 else f'h{number}'}.test/{{}}"
            field.learn(field.target(Seen(host)), 0.9)
        return field.scores(Seen("http://rich.test/{}"), Seen("http://never-seen.test/{}"))

    rich, new = known_against_new("pages")
    assert rich > new - 0.5
    rich, new = known_against_new("hosts")
    assert new > rich + 0.5


def test_with_tokens_as_reward_links_to_dense_pages_come_first_and_the_words_still_learn_the_verdict() -> None:
    field = Field(Learned(reward="tokens"))
    for _ in range(150):
        for anchor, words in (("barley", 300), ("tractor", 10)):
            lesson = judged(field.target(Seen(anchor=anchor)), 0.9)
            page = msgspec.structs.replace(lesson.page, words=words)
            field.lead.learn(lesson._replace(page=page, size_bytes=5_000))
    dense, thin = field.scores(Seen(anchor="barley"), Seen(anchor="tractor"))
    assert dense > thin + 0.5
    barley, tractor = field.lead._anchors.odds[field.lead._words.read(["barley", "tractor"])[0]]
    assert barley == pytest.approx(tractor, abs=0.05)
    assert field.lead.explain(field.target(Seen(anchor="barley")))[0].startswith("now by new words per byte worth ")


# --- a warm start


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The folder of a crawl that has learned of anchors and of hosts."""
    field = Field(Learned(SAMPLES))
    field.meet(*DECIDING["anchor"], texts=("harvestmen and mites", "law and taxes"))
    field.meet(*DECIDING["host"])
    return _crawled(tmp_path / "other", "learned", field.lead.save())


def _crawled(folder: Path, name: str, state: bytes | None) -> Path:
    folder.mkdir()
    database = Database(folder / "crawl.db", ())
    database.set_meta("config", msgspec.json.encode({"lead": {"name": name}}))
    if state is not None:
        database.set_meta("lead", state)
    database.commit()
    database.close()
    return folder


def _inheriting(folder: Path, **options: Any) -> Learned:
    lead = Learned(SAMPLES, warm=folder, **options)
    assert isinstance(lead, Inheriting)
    lead.inherit()
    return lead


def test_a_warm_lead_knows_the_words_of_the_other_crawl_and_not_its_hosts(other: Path) -> None:
    warm = Field(_inheriting(other))
    good, bad = warm.scores(*DECIDING["anchor"])
    assert good > bad + 1.0
    cold_good, cold_bad = Field(Learned(SAMPLES)).scores(*DECIDING["anchor"])
    assert cold_good < cold_bad  # barley is a common word, and the samples have neither
    assert not warm.lead._hosts.table.any()
    assert not warm.lead._fates.table.any()
    assert warm.lead.remaining() is None


def test_a_warm_lead_holds_what_it_has_taken_over_no_firmer_than_its_own_beliefs(other: Path) -> None:
    field = Field(_inheriting(other))
    assert field.lead._seen == 20
    assert field.lead._good == pytest.approx(10.0)
    assert field.lead._learner.covariance == pytest.approx(Learned(SAMPLES)._learner.covariance)
    good, bad = DECIDING["anchor"]
    field.meet(bad, good, 120)
    was_good, was_bad = field.scores(good, bad)
    assert was_bad > was_good


def test_what_was_taken_over_is_saved_at_once_and_found_again(other: Path) -> None:
    warm = _inheriting(other)
    again = Learned(SAMPLES)
    again.load(warm.save() or b"")
    targets = [Field(again).target(seen) for seen in DECIDING["anchor"]]
    assert again.score(targets) == pytest.approx(warm.score(targets), abs=0.02)


def test_signals_that_are_left_out_stay_out_of_a_warm_lead(other: Path) -> None:
    field = Field(_inheriting(other, signals=["place"]))
    good, bad = field.scores(*DECIDING["anchor"])
    assert good == pytest.approx(bad)


def test_without_another_crawl_nothing_is_taken_over() -> None:
    lead = Learned(SAMPLES)
    lead.inherit()
    assert lead.save() is None


def test_a_folder_without_learned_state_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"lead\.warm names .*nowhere, which holds no crawl"):
        _inheriting(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match=r"its lead: learned\)\. Name the folder"):
        _inheriting(_crawled(tmp_path / "young", "learned", None))
    with pytest.raises(ConfigError, match=r"its lead: quality\)"):
        _inheriting(_crawled(tmp_path / "another", "quality", b"something"))


def test_the_folder_of_the_other_crawl_is_relative_to_that_of_this_one(other: Path, tmp_path: Path) -> None:
    settings = {"name": "learned", "warm": "../other"}
    lead = build_plugin("lead", settings, Context(load_config(), tmp_path / "other"))
    lead.inherit()
    assert lead.save()
