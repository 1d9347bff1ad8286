"""A crawl that stops by what it still finds: the last pages, and what is estimated to remain."""

import pytest

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.tables import Stop
from opilio.engine import outlook
from opilio.engine.stopping import enough
from opilio.folder import Tally
from opilio.folder.tally import RECENT_PAGES
from opilio.lead import BreadthFirst, Learned, PlainLead


class _Knowing(PlainLead):
    """Estimates that this many pages remain."""

    def __init__(self, remaining: float | None) -> None:
        self._remaining = remaining

    def remaining(self) -> float | None:
        return self._remaining


def _stop(*settings: str) -> Stop:
    return load_config(settings=[f"stop.{setting}" for setting in settings]).stop


def _tally(good: int, bad: int) -> Tally:
    """Returns the tally of a crawl that finds the good pages first."""
    tally = Tally()
    for number in range(good + bad):
        tally.judged(float(number < good), belongs=number < good)
    return tally


def test_a_crawl_stops_below_its_precision_and_says_the_figures() -> None:
    stop = _stop("precision=0.1")
    assert enough(stop, _tally(500, 180), BreadthFirst()) == ""  # 10 % exactly
    said = "precision below 0.1: 9.50% of the last 200 pages belong"
    assert enough(stop, _tally(500, 181), BreadthFirst()) == said


def test_a_line_that_is_too_strict_does_not_end_a_crawl_that_still_finds_likely_pages() -> None:
    tally = Tally()
    for _ in range(RECENT_PAGES):
        tally.judged(0.3, belongs=False)
    assert enough(_stop("precision=0.29"), tally, BreadthFirst()) == ""
    assert enough(_stop("precision=0.31"), tally, BreadthFirst()).endswith("belong, by the judge's probabilities")


def test_nothing_is_said_of_precision_before_there_are_enough_pages() -> None:
    assert enough(_stop("precision=0.5"), _tally(0, RECENT_PAGES - 1), BreadthFirst()) == ""
    assert enough(_stop("precision=0.5"), _tally(0, RECENT_PAGES), BreadthFirst()) != ""


def test_a_crawl_without_such_a_bound_goes_on_however_little_it_finds() -> None:
    assert enough(_stop(), _tally(500, 500), _Knowing(0.0)) == ""


def test_a_crawl_stops_when_the_wanted_share_is_found_and_says_the_figures() -> None:
    stop = _stop("saturation=0.9")
    assert enough(stop, _tally(900, RECENT_PAGES), _Knowing(101.0)) == ""
    said = "saturation of 0.9 reached: 900 pages found that belong, 90.0% of those in reach by estimate"
    assert enough(stop, _tally(900, RECENT_PAGES), _Knowing(100.0)) == said


@pytest.mark.parametrize("lead", [BreadthFirst(), _Knowing(None)])
def test_without_an_estimate_nothing_is_saturated(lead: PlainLead) -> None:
    assert enough(_stop("saturation=0.5"), _tally(900, RECENT_PAGES), lead) == ""


def test_no_estimate_is_believed_against_what_the_last_pages_bring() -> None:
    assert outlook(_tally(400, 100), _Knowing(0.0))["found_share"] == 400 / 500
    assert enough(_stop("saturation=0.9"), _tally(400, 0), _Knowing(0.0)) == ""


def test_where_nothing_was_found_no_share_of_it_is_known() -> None:
    assert outlook(_tally(0, RECENT_PAGES), _Knowing(0.0))["found_share"] is None
    assert enough(_stop("saturation=0.5"), _tally(0, RECENT_PAGES), _Knowing(0.0)) == ""


def test_the_outlook_has_what_the_lead_can_say_and_no_more() -> None:
    said = outlook(_tally(150, 50), _Knowing(49.6))
    assert said == {
        "relevant": 150, "marginal_yield": 0.75, "marginal_pages": 200, "by_probability": False, "remaining": 50,
        "found_share": 0.5, "signals": {},
    }  # fmt: skip
    silent = outlook(_tally(150, 50), BreadthFirst())
    assert (silent["marginal_yield"], silent["remaining"], silent["found_share"]) == (0.75, None, None)
    assert len(outlook(Tally(), Learned())["signals"]) == 3
    assert outlook(Tally(), None)["marginal_yield"] is None


def test_the_learned_lead_estimates_and_a_plain_one_does_not() -> None:
    assert Learned.estimates
    assert not BreadthFirst.estimates


@pytest.mark.parametrize("setting", ["precision=1.1", "saturation=-0.1", "saturation=95"])
def test_precision_and_saturation_are_shares(setting: str) -> None:
    with pytest.raises(ConfigError, match=setting.partition("=")[0]):
        _stop(setting)
