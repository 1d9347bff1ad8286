"""The lead that begins anew from good links."""

import pytest

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Target, Verdict
from opilio.lead import FRESH, Cyclic, Judged, Stale
from tests.builders import page, sighting, target

GOOD, BAD_BLOCK, BAD_PAGE = (0.2, 4.0), (0.9, 4.0), (0.2, 30.0)


def _target(number: int, kind: tuple[float, float] = GOOD, score: float | None = None) -> Target:
    url = f"http://t.test/{number}"
    seen = sighting(url, boilerplate=kind[0], measures={"badness": kind[1]})
    return target(url, seen, number=number, score=score)


def _learn(lead: Cyclic) -> Stale:
    return lead.learn(Judged(_target(0), page(), Verdict(0.5, belongs=True), kept=True))


def _again(lead: Cyclic, target: Target, score: float) -> float:
    return lead.score([target._replace(score=score)])[0]


def test_a_phase_goes_in_the_order_of_finding() -> None:
    lead = Cyclic(burn_in=3, phase=3)
    assert lead.score([_target(7), _target(3)]) == [-1.0, -2.0]
    assert _learn(lead) == FRESH
    assert lead.score([_target(3, score=-2.0), _target(8)]) == [-2.0, -3.0]


def test_after_a_phase_only_good_links_found_in_it_stay_and_come_before_later_ones() -> None:
    lead = Cyclic(burn_in=2, phase=2)
    kinds = (GOOD, BAD_BLOCK, BAD_PAGE, GOOD)
    scores = lead.score([_target(number, kind) for number, kind in enumerate(kinds)])
    _learn(lead)
    assert _learn(lead) == Stale(everything=True)
    cut = load_config(recipe="cyclic").policy.cut
    new = [_again(lead, _target(n, kind), score) for n, (kind, score) in enumerate(zip(kinds, scores, strict=True))]
    assert [score > cut for score in new] == [True, False, False, True]
    assert [
        _again(lead, _target(n, kind), score) for n, (kind, score) in enumerate(zip(kinds, new, strict=True))
    ] == new
    _learn(lead)
    [later] = lead.score([_target(9)])
    assert cut < later < min(new[0], new[3])
    assert "left behind" in lead.explain(_target(1, BAD_BLOCK, new[1]))[0]


def test_what_a_phase_began_with_is_not_used_for_the_next_one() -> None:
    lead = Cyclic(burn_in=1, phase=1)
    [first] = lead.score([_target(1)])
    _learn(lead)
    chosen = _again(lead, _target(1), first)
    _learn(lead)  # a phase of one page that was another one
    assert _again(lead, _target(1), chosen) < load_config(recipe="cyclic").policy.cut


def test_a_link_left_behind_is_queued_when_a_later_phase_finds_it() -> None:
    lead = Cyclic(burn_in=1, phase=9)
    [score] = lead.score([_target(1, BAD_BLOCK)])
    _learn(lead)
    emptied = _again(lead, _target(1, BAD_BLOCK), score)
    _learn(lead)
    assert _again(lead, _target(1, BAD_BLOCK), emptied) > load_config(recipe="cyclic").policy.cut > emptied


def test_a_resumed_crawl_goes_on_in_its_phase() -> None:
    lead, again = Cyclic(burn_in=2, phase=2), Cyclic(burn_in=2, phase=2)
    lead.score([_target(1)])
    _learn(lead)
    state = lead.save()
    assert state is not None
    again.load(state)
    assert again.score([_target(2)]) == lead.score([_target(2)])
    assert _learn(again) == _learn(lead) == Stale(everything=True)
    assert lead.save() == again.save()


def test_a_phase_has_at_least_one_page() -> None:
    with pytest.raises(ConfigError, match=r"lead\.phase"):
        Cyclic(phase=0)
