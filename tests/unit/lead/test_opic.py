"""OPIC+COMMD and COMMD: what links are worth by the cash of pages that belong, and by their word alone."""

import pytest

from opilio.core.items import Sighting, Target, Verdict
from opilio.lead import FRESH, Commd, Judged, Opic, Stale
from tests.builders import link, page, sighting, target


def _target(name: str, score: float | None = None, *sightings: Sighting, depth: int = 1) -> Target:
    return target(f"http://t.test/{name}", *sightings, depth=depth, score=score)


def _judged(name: str, links: str, *, belongs: bool = True) -> Judged:
    """`links` has a letter for each link; a letter that comes twice is linked twice."""
    found = tuple(link(f"http://t.test/{to}", times=links.count(to)) for to in dict.fromkeys(links))
    linking = page(url=f"http://t.test/{name}", links=found)
    return Judged(_target(name), linking, Verdict(float(belongs), belongs=belongs), kept=belongs)


def _layer(lead: Opic, *pages: Judged, waiting: int = 1) -> None:
    for judged in pages:
        assert lead.learn(judged) == FRESH
    lead.count(waiting)
    assert lead.boundary() == Stale(everything=True)


def _scores(lead: Opic, names: str, score: float = 0.0) -> list[float]:
    return [round(value, 9) for value in lead.score([_target(name, score) for name in names])]


# --- OPIC+COMMD


def test_a_page_shares_its_cash_by_how_often_it_links() -> None:
    lead = Opic()
    _layer(lead, _judged("s", "aab"))
    assert _scores(lead, "abc") == [round(2 / 3, 9), round(1 / 3, 9), 0.0]


def test_links_of_a_page_to_itself_get_nothing() -> None:
    lead = Opic()
    _layer(lead, _judged("s", "sssa"))
    assert _scores(lead, "sa") == [0.0, 1.0]


def test_cash_of_pages_that_do_not_belong_is_shared_by_those_that_do() -> None:
    lead = Opic()
    _layer(lead, _judged("s", "abcd"))  # a quarter for each
    _layer(
        lead, _judged("a", "x"), _judged("b", "y"), _judged("c", "z", belongs=False), _judged("d", "z", belongs=False)
    )
    assert _scores(lead, "xyz") == [0.5, 0.5, 0.0]


def test_a_page_without_links_returns_its_cash() -> None:
    lead = Opic()
    _layer(lead, _judged("s", "ab"))
    _layer(lead, _judged("a", "x"), _judged("b", "b"))
    assert _scores(lead, "x") == [1.0]


def test_a_page_that_was_cut_returns_its_cash() -> None:
    lead = Opic()
    _layer(lead, _judged("s", "aaab"))
    _layer(lead, _judged("b", "x"))  # a was not fetched
    assert _scores(lead, "xa") == [1.0, 0.0]


def test_where_no_page_belongs_all_that_wait_share_equally() -> None:
    lead = Opic()
    _layer(lead, _judged("s", "abcd", belongs=False), waiting=4)
    assert _scores(lead, "abcd") == [0.25] * 4
    _layer(lead, _judged("a", "x"), _judged("b", "y"), waiting=4)
    assert _scores(lead, "xy") == [0.5, 0.5]


def test_a_score_is_the_sum_over_the_layers() -> None:
    lead = Opic()
    _layer(lead, _judged("s", "ab"))
    assert _scores(lead, "b") == [0.5]
    _layer(lead, _judged("a", "b"))
    assert _scores(lead, "b", 0.5) == [1.5]


def test_cash_is_paid_once() -> None:
    lead = Opic()
    _layer(lead, _judged("s", "ab"))
    assert _scores(lead, "b") == [0.5]
    lead.learn(_judged("a", "b"))
    assert _scores(lead, "b", 0.5) == [0.5]


def test_seeds_come_before_all_links() -> None:
    [seed, link] = Opic().score([_target("s", depth=0), _target("a")])
    assert seed > link == 0.0


def test_a_saved_lead_goes_on_in_the_middle_of_a_layer() -> None:
    lead, resumed = Opic(), Opic()
    assert lead.save() is None
    _layer(lead, _judged("s", "aab"))
    lead.learn(_judged("a", "xy"))
    state = lead.save()
    assert state is not None
    assert lead.save() is None
    resumed.load(state)
    for each in (lead, resumed):
        _layer(each, _judged("b", "y"))
    assert _scores(resumed, "xy") == _scores(lead, "xy") == [round(1 / 3, 9), round(2 / 3, 9)]


def test_the_reason_tells_the_cash_and_where_it_came_from() -> None:
    lead = Opic()
    assert lead.explain(_target("s", 1.0, depth=0)) == ["a seed: first of all"]
    _layer(lead, _judged("s", "ab"))
    [sum_, latest] = lead.explain(_target("a", 0.75))
    assert "75.0000%" in sum_
    assert "50.0000%" in latest
    assert "layer 0" in latest
    _layer(lead, _judged("a", "x", belongs=False), waiting=4)
    assert "25.0000%" in lead.explain(_target("x", 0.25))[1]


# --- COMMD


def test_one_parent_that_belongs_is_enough() -> None:
    good, bad = sighting(belongs=True), sighting(belongs=False)
    [both, none] = Commd(3).score([_target("a", None, bad, good), _target("a", None, bad)])
    assert 1 <= both < 2
    assert 0 <= none < 1
    assert both == none + 1


def test_what_a_forgotten_parent_has_given_stays() -> None:
    lead = Commd(3)
    [score] = lead.score([_target("a", None, sighting(belongs=True))])
    assert lead.score([_target("a", score, sighting(belongs=False))]) == [score]


def test_the_order_among_equals_is_drawn_with_the_seed_of_the_crawl() -> None:
    targets = [_target(name, None, sighting(belongs=True)) for name in "abcdefgh"]
    assert Commd(3).score(targets) == Commd(3).score(targets)
    assert Commd(3).score(targets) != Commd(4).score(targets)
    assert len(set(Commd(3).score(targets))) == len(targets)


def test_the_hard_focus_says_whether_a_page_that_belongs_links_here() -> None:
    lead = Commd(3)
    assert lead.score([_target("s", depth=0)]) == [2.0]
    assert lead.explain(_target("s", 2.0, depth=0)) == ["a seed: first of all"]
    assert lead.explain(_target("a", 1.2))[0].startswith("a page that belongs")
    assert lead.explain(_target("a", 0.2))[0].startswith("no page that belongs")


@pytest.mark.parametrize("name", ["comments", "comments-hard"])
def test_recipes_crawl_by_layers(name: str) -> None:
    from opilio.core.config import load_config

    config = load_config(recipe=name)
    assert (config.policy.wave, config.policy.top, config.stop.layers) == ("layer", 10_000, 10)
