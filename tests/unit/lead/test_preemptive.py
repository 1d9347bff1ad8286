"""Links that are judged before they are fetched."""

from collections.abc import Sequence
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.core.errors import ConfigError
from opilio.core.items import Sighting, Target, Verdict
from opilio.lead import Judged, ParentsMean, Preemptive
from opilio.lead.pools import Pools, Weights, anchor_tokens, url_tokens
from tests.builders import link, page

tokens = st.frozensets(st.sampled_from("abcdefgh"), max_size=5)


def target(number: int, name: str, *, good: bool = False, parents: int = 1, depth: int = 1) -> Target:
    """A link to a page of that name, from a parent in the same language."""
    url = f"http://a.test/{number}.{name}.html"
    found = link(url, anchor=f"the {name} page")
    score = 0.9 if good else 0.1
    seen = [Sighting(parent, f"http://a.test/p{parent}.{name}.html", score, good, found) for parent in range(parents)]
    return Target(number, url, "a.test", depth, 0, tuple(seen))


def teach(lead: Preemptive, numbers: Sequence[int], name: str, *, belongs: bool, good: bool = False) -> None:
    for number in numbers:
        verdict = Verdict(0.95 if belongs else 0.05, belongs=belongs)
        assert not lead.learn(Judged(target(number, name, good=good), page(), verdict, belongs)).everything


def trained(**options: Any) -> Preemptive:
    lead = Preemptive(5, **options)
    teach(lead, range(1, 8), "de", belongs=True)
    teach(lead, range(8, 15), "en", belongs=False)
    assert lead.boundary().everything
    return lead


# --- tokens and pools


def test_a_url_is_split_at_all_that_is_no_letter_or_digit() -> None:
    assert url_tokens("https://fsfe.org/News_2010/index.de.html?a=B") == {
        "fsfe", "org", "news", "2010", "index", "de", "html", "a", "b",
    }  # fmt: skip
    assert url_tokens("http://a.test/%C3%84pfel") == {"a", "test", "äpfel"}
    assert anchor_tokens("Über uns – mehr") == {"über", "uns", "mehr"}


def test_a_token_that_stands_everywhere_says_nothing() -> None:
    pools = Pools.empty()
    for _ in range(10):
        pools.add({"html", "de"}, belongs=True)
        pools.add({"html", "en"}, belongs=False)
    for nothing in ({"html"}, {"unheard-of"}, frozenset[str]()):
        assert pools.overlaps(nothing) == pytest.approx((0.0, 0.0))
    assert pools.overlaps({"de"}, weights="contrast") == (1.0,)
    assert pools.overlaps({"en", "html"}, weights="contrast") == (-0.5,)
    assert pools.overlaps({"de", "html"}, weights="frequencies") == (1.0, 0.5)


def test_odds_let_rare_tokens_count_and_doubt_what_was_seen_once() -> None:
    pools = Pools.empty()
    for number in range(40):
        pools.add({"html", f"in{number}", f"cat{number % 4}"}, belongs=True)
        pools.add({"html", f"out{number}", f"dog{number % 4}"}, belongs=False)
    [[html], [unknown], [once], [often], [against]] = (
        pools.overlaps({token}, weights="odds") for token in ("html", "new", "in1", "cat1", "dog1")
    )
    assert (html, unknown) == pytest.approx((0.0, 0.0))
    assert often > once > 0.0
    assert against == pytest.approx(-often)


@given(st.lists(st.tuples(tokens, st.booleans()), max_size=20), tokens)
def test_overlaps_are_mean_frequencies(links: list[tuple[frozenset[str], bool]], asked: frozenset[str]) -> None:
    pools = Pools.empty()
    for words, belongs in links:
        pools.add(words, belongs=belongs)
    inside, outside = pools.overlaps(asked, weights="frequencies")
    assert 0.0 <= inside <= 1.0
    assert 0.0 <= outside <= 1.0
    assert pools.overlaps(asked, weights="contrast") == (inside - outside,)
    assert pools.overlaps(asked) == (inside - outside, *pools.overlaps(asked, weights="odds"))


@given(st.lists(st.tuples(tokens, st.booleans()), max_size=20), tokens, st.booleans())
def test_an_example_is_compared_with_pools_that_do_not_have_it(
    links: list[tuple[frozenset[str], bool]], own: frozenset[str], belongs: bool
) -> None:
    without, pools = Pools.empty(), Pools.empty()
    for words, kind in links:
        without.add(words, belongs=kind)
        pools.add(words, belongs=kind)
    pools.add(own, belongs=belongs)
    for weights in get_args(Weights):
        assert pools.overlaps(own, belongs, weights=weights) == without.overlaps(own, weights=weights)


def test_a_full_pool_forgets_what_it_saw_least() -> None:
    pools = Pools.empty()
    for number in range(30_000):
        pools.add({"common", f"rare {number}"}, belongs=True)
    assert len(pools.inside.counts) < 20_001
    assert pools.inside.counts["common"] == pytest.approx(pools.inside.links, abs=2)


# --- phases


def test_the_first_pages_come_breadth_first_until_enough_are_known() -> None:
    lead = Preemptive(3)
    far, near = target(1, "de", depth=4), target(2, "en", depth=2)
    assert lead.score([far, near]) == [-4.0, -2.0]
    teach(lead, range(3), "en", belongs=False)
    assert not lead.boundary().everything  # none that belongs
    assert lead.score([far, near]) == [-4.0, -2.0]
    teach(lead, [9], "de", belongs=True)
    assert lead.boundary().everything
    [de, en] = lead.score([far, near])
    assert de > en


def test_the_first_pages_can_come_by_their_parents_too() -> None:
    lead = Preemptive(3, first="parents")
    far, near = target(1, "de", depth=4, good=True), target(2, "en", depth=2)
    [good, bad] = lead.score([far, near])
    assert good > bad > 0
    assert "mean score of its parents" in lead.explain(far)[0]


def test_each_piece_of_evidence_counts_once() -> None:
    """One is left of two overlaps that mirror each other; those of the published weights differ, and both count."""
    for weights, numbers in (("both", 8), ("odds", 5), ("contrast", 5), ("frequencies", 8)):
        lead = Preemptive(weights=weights)  # type: ignore[arg-type]
        teach(lead, [1], "de", belongs=True)
        lead.boundary()
        state = msgspec.msgpack.decode(lead.save() or b"")
        assert len(state["learner"]["squares"]) == numbers


def test_links_like_those_that_led_inside_are_thought_to_lead_inside() -> None:
    for weights in get_args(Weights):
        [de, en, other] = trained(weights=weights).score([target(90, "de"), target(91, "en"), target(92, "fr")])
        assert de > 0 > en
        assert de > other > en


def test_good_parents_speak_for_a_link() -> None:
    lead = Preemptive(5)
    teach(lead, range(1, 8), "x", belongs=True, good=True)
    teach(lead, range(8, 15), "x", belongs=False, good=False)
    lead.boundary()
    [many, good, bad] = lead.score([target(90, "x", good=True, parents=4), target(91, "x", good=True), target(92, "x")])
    assert many > good > 0 > bad


def test_scores_change_at_boundaries_only() -> None:
    lead = trained()
    links = [target(90, "de"), target(91, "fr")]
    before = lead.score(links)
    teach(lead, range(100, 120), "fr", belongs=True)
    assert lead.score(links) == before
    assert lead.boundary().everything
    assert lead.score(links)[1] > before[1]


def test_a_layer_that_adds_next_to_nothing_is_not_worth_a_pass_over_the_queue() -> None:
    lead = trained()
    teach(lead, range(100, 200), "de", belongs=True)
    assert lead.boundary().everything
    teach(lead, [300], "de", belongs=True)
    assert not lead.boundary().everything


def test_the_learner_takes_only_the_surest_verdicts_of_a_layer() -> None:
    def odds(sureness: float) -> float:
        lead = trained(trained=0.5)
        for number in range(100, 110):
            doubtful = Verdict(0.5 + sureness, belongs=True)
            lead.learn(Judged(target(number, "en"), page(), doubtful, True))
        teach(lead, range(200, 210), "en", belongs=False)
        lead.boundary()
        return float(lead.score([target(90, "en")])[0])

    assert odds(0.01) < odds(0.5)  # what is in doubt is left out, what is surer than the others is learned


@pytest.mark.parametrize("verdict", [Verdict(0.5, belongs=False), Verdict.cannot_tell("language", "there is no text")])
def test_a_judge_that_cannot_tell_teaches_nothing(verdict: Verdict) -> None:
    lead = Preemptive(1)
    for number in range(5):
        lead.learn(Judged(target(number, "de"), page(), verdict, False))
    assert lead.save() is None
    assert not lead.boundary().everything


# --- state, words, options


@pytest.mark.parametrize("pages", [3, 14, 20])
def test_a_lead_that_was_saved_in_any_phase_goes_on_as_if_nothing_had_happened(pages: int) -> None:
    def feed(lead: Preemptive, numbers: range) -> None:
        for number in numbers:
            teach(lead, [number], "de" if number % 3 == 0 else "en", belongs=number % 3 == 0)
            if number % 4 == 3:
                lead.boundary()

    one, other = Preemptive(4), Preemptive(4)
    feed(one, range(30))
    feed(other, range(pages))
    resumed = Preemptive(4)
    resumed.load(other.save() or b"")
    feed(resumed, range(pages, 30))
    links = [target(90, "de"), target(91, "en", good=True), target(92, "fr", parents=3)]
    assert resumed.score(links) == one.score(links)
    assert resumed.save() == one.save()
    assert resumed.save() is None


def test_a_crawl_that_is_resumed_with_other_weights_learns_anew() -> None:
    resumed = Preemptive(5, trained=1.0, weights="frequencies")
    resumed.load(trained(weights="both").save() or b"")
    links = [target(90, "de"), target(91, "en")]
    assert len(set(resumed.score(links))) == 1
    teach(resumed, range(20, 40), "de", belongs=True)
    teach(resumed, range(40, 60), "en", belongs=False)
    resumed.boundary()
    inside, outside = resumed.score(links)
    assert inside > outside


def test_the_reason_is_told_in_words() -> None:
    [early] = Preemptive(5).explain(target(1, "de", depth=2))
    assert "2 links from a seed" in early
    verdict, overlap, parents = trained().explain(target(90, "de"))
    assert "thought to lead inside" in verdict
    assert "7 pages that belong and 7 others" in verdict
    assert "URL +0.2" in overlap
    assert "by odds" in overlap
    assert "inside," in trained(weights="frequencies").explain(target(90, "de"))[1]
    assert "0 of them belong" in parents


@pytest.mark.parametrize(
    "options", [{"bootstrap": 0}, {"trained": 0.0}, {"trained": 2.0}, {"weights": "votes"}, {"first": "best"}]
)
def test_options_that_cannot_be_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=f"lead.{next(iter(options))}"):
        Preemptive(**options)  # type: ignore[arg-type]


# --- the lead of the skyline


def test_of_several_parents_the_mean_counts_and_one_alone_is_doubted() -> None:
    lead = ParentsMean()
    scores = lead.score([target(1, "x", good=True), target(2, "x", good=True, parents=4), target(3, "x")])
    assert scores[1] > scores[0] > scores[2]
    assert lead.score([Target(9, "http://a.test/", "a.test", 0, 0, ())])[0] > scores[1]
    [words] = lead.explain(target(2, "x", good=True, parents=4))
    assert "4 of 4 pages that link here belong" in words
