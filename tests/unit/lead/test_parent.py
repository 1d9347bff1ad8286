"""Leads that go by the page a link stands on."""

import pytest

from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Sighting, Target, Verdict
from opilio.lead import FRESH, Judged, ParentPerplexity, ParentScore
from tests.builders import page, sighting, target


def _sighting(parent: int, score: float, perplexity: float | None) -> Sighting:
    measures = {} if perplexity is None else {"perplexity": perplexity}
    return sighting("http://t.test/", parent, score, belongs=score > 0.5, measures=measures)


def _target(*sightings: Sighting, score: float | None = None) -> Target:
    return target("http://t.test/", *sightings, score=score)


def test_the_best_of_several_parents_counts() -> None:
    seen = _sighting(1, 0.2, 900.0), _sighting(2, 0.8, 300.0), _sighting(3, 0.5, 500.0)
    assert ParentPerplexity().score([_target(*seen)]) == pytest.approx([-300.0], rel=1e-5)
    assert ParentScore().score([_target(*seen)]) == [0.8]


def test_of_two_links_with_the_same_best_parent_the_one_with_better_other_parents_comes_first() -> None:
    best, good, bad, none = (
        _sighting(1, 0.8, 300.0),
        _sighting(2, 0.5, 500.0),
        _sighting(3, 0.1, 1e7),
        _sighting(4, 0, None),
    )
    lead = ParentPerplexity(ties="parents")
    alone, shared, everywhere, listed = lead.score(
        [_target(best), _target(good, best), _target(best, good, bad), _target(best, none)]
    )
    assert alone == listed > shared > everywhere
    [slightly_worse] = lead.score([_target(_sighting(5, 0.8, 300.1))])
    assert everywhere > slightly_worse  # it only breaks ties
    assert "300;" in lead.explain(_target(best, good, bad, score=everywhere))[0]


def test_ties_are_left_as_they_are_found() -> None:
    lead = ParentPerplexity()
    best, bad = _sighting(1, 0.8, 300.0), _sighting(3, 0.1, 1e7)
    assert lead.score([_target(best), _target(best, bad)]) == [-300.0, -300.0]
    assert (lead.sightings, ParentPerplexity(ties="parents").sightings) == (
        1,
        8,
    )  # the other parents need not be stored
    with pytest.raises(ConfigError, match=r"lead\.ties is 'found' or 'parents', not 'chance'"):
        ParentPerplexity(ties="chance")


def test_the_first_parent_may_count_or_the_mean_of_all() -> None:
    good, bad, none = _sighting(1, 0.8, 100.0), _sighting(2, 0.1, 10_000.0), _sighting(3, 0, None)
    first, mean = ParentPerplexity(parent="first"), ParentPerplexity(parent="mean")
    assert first.score([_target(bad), _target(good, score=-10_000.0)]) == [-10_000.0, -10_000.0]
    assert mean.score([_target(good), _target(good, bad), _target(good, none)]) == pytest.approx(
        [-100.0, -1_000.0, -100.0]
    )
    assert (first.sightings, mean.sightings) == (1, 8)
    with pytest.raises(ConfigError, match=r"lead\.parent is 'best', 'first' or 'mean', not 'last'"):
        ParentPerplexity(parent="last")


def test_a_worse_parent_does_not_lower_what_a_forgotten_one_has_given() -> None:
    assert ParentPerplexity().score([_target(_sighting(4, 0.1, 7_000.0), score=-300.0)]) == [-300.0]
    assert ParentPerplexity().score([_target(_sighting(4, 0.9, 100.0), score=-300.0)]) == [-100.0]


def test_seeds_come_first() -> None:
    for lead, best in ((ParentPerplexity(), -1.0), (ParentScore(), 1.0)):
        [seed, link] = lead.score([_target(), _target(_sighting(1, 1.0, 1.0))])
        assert seed >= link == best


def test_a_parent_without_a_perplexity_is_the_worst() -> None:
    [unknown, bad] = ParentPerplexity().score([_target(_sighting(1, 0.9, None)), _target(_sighting(1, 0.0, 1e9))])
    assert unknown < bad


def test_the_reason_names_the_perplexity() -> None:
    [reason] = ParentPerplexity().explain(_target(_sighting(1, 0.2, 1_234.4), score=-1_234.4))
    assert "1,234" in reason
    assert ParentPerplexity().explain(_target()) == ["a seed: first of all"]


# --- what hosts have shown


def _judged(host: str, perplexity: float) -> Judged:
    verdict = Verdict(0.5, belongs=True, opinions=(Opinion("perplexity", 0.5, "", perplexity),))
    return Judged(_target(), page(url=f"http://{host}/"), verdict, kept=True)


def test_a_link_is_no_better_than_the_best_page_of_its_host() -> None:
    lead = ParentPerplexity(hosts=True)
    target = _target(_sighting(1, 0.9, 300.0))
    assert lead.score([target]) == [-300.0]  # nothing is known of the host: the parent's word counts
    for perplexity, score in ((900.0, -900.0), (2_000.0, -900.0), (700.0, -700.0), (200.0, -300.0)):
        assert lead.learn(_judged("t.test", perplexity)) == FRESH
        lead.learn(_judged("elsewhere.test", 1.0))
        assert lead.score([target]) == [score]


def test_a_bad_page_makes_the_links_to_its_host_at_most_ten_times_worse() -> None:
    lead = ParentPerplexity(hosts=True)
    lead.learn(_judged("t.test", 1e6))
    assert lead.score([_target(_sighting(1, 0.9, 300.0))]) == [-3_000.0]
    [reason] = lead.explain(_target(_sighting(1, 0.9, 300.0), score=-3_000.0))
    assert "300 " in reason
    assert "3,000" in reason


def test_without_hosts_the_parent_alone_counts() -> None:
    lead = ParentPerplexity()
    lead.learn(_judged("t.test", 1e6))
    assert lead.score([_target(_sighting(1, 0.9, 300.0))]) == [-300.0]
    assert lead.save() is None


def test_what_hosts_have_shown_outlives_a_kill() -> None:
    lead, resumed = ParentPerplexity(hosts=True), ParentPerplexity(hosts=True)
    lead.learn(_judged("t.test", 900.0))
    state = lead.save()
    assert state is not None
    assert lead.save() is None
    resumed.load(state)
    assert resumed.score([_target(_sighting(1, 0.9, 300.0))]) == [-900.0]


def test_a_page_without_a_perplexity_hands_on_some_of_what_it_was_worth() -> None:
    lead = ParentPerplexity()
    listing = _judged("list.test", 1.0)
    silent = Verdict(0.0, belongs=False, opinions=(Opinion("perplexity", 0.0, "no sentence"),))
    lead.learn(listing._replace(target=listing.target._replace(id=7, score=-400.0), verdict=silent))
    assert lead.score([_target(_sighting(7, 0.0, None))]) == [-2_000.0]
    lead.learn(listing._replace(target=listing.target._replace(id=9, score=-50_000.0), verdict=silent))
    assert lead.score([_target(_sighting(9, 0.0, None))]) == [-50_000.0]
    lead.learn(_judged("other.test", 50.0))
    assert lead.score([_target(_sighting(8, 0.9, 50.0))]) == [-50.0]


def test_a_seed_without_a_perplexity_does_not_make_its_links_the_best() -> None:
    lead = ParentPerplexity()
    listing = _judged("list.test", 1.0)
    silent = Verdict(0.0, belongs=False, opinions=(Opinion("perplexity", 0.0, "no sentence"),))
    lead.learn(listing._replace(target=listing.target._replace(id=7, score=0.0), verdict=silent))
    listed, read = lead.score([_target(_sighting(7, 0.0, None)), _target(_sighting(8, 0.2, 3_000.0))])
    assert listed < read
