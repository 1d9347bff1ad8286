"""The learned lead on small made webs that lack signals, on many hosts that give few pages each, and with a judge that errs.

Floors only go up. The full tables are those of `bench signals`, `caps` and `drift`.
"""

from pathlib import Path

import pytest

from bench import caps, drift, signals
from bench.signals_web import harvest, made
from opilio.lab.maker import Library, Parameters

SINGLES = {"numbers": "parents", "same": "parents", "all": "host", "hosts": "host"}  # what each web still has
SCATTER = 0.1  # of one crawl's harvest; means of the full table scatter by 0.05
MOST_LOST = 0.15
SMALL = range(25, 61)


@pytest.fixture(scope="module")
def lacking(schools_web: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, float]]:
    """Web → lead → harvest at R."""
    webs = signals.make_webs(tmp_path_factory.mktemp("signals"), 800, subjects=1)
    found: signals.Found = {}
    for single in set(SINGLES.values()):
        fitting = {name: web for name, web in webs.items() if SINGLES[name] == single}
        found |= signals.compare(fitting, 1, ("learned", single, "breadth-first"))
    return {name: {lead: harvest(runs) for (web, lead), runs in found.items() if web == name} for name in webs}


def test_whatever_signal_a_web_has_is_found_out(lacking: dict[str, dict[str, float]]) -> None:
    for web, found in lacking.items():
        assert found["learned"] >= found[SINGLES[web]] - SCATTER, (web, found)


def test_no_web_is_better_crawled_breadth_first(lacking: dict[str, dict[str, float]]) -> None:
    for web, found in lacking.items():
        assert found["learned"] > found["breadth-first"], (web, found)


def test_many_hosts_that_give_few_pages_are_no_trap(schools_web: Path, tmp_path: Path) -> None:
    web = made(tmp_path, "caps", Parameters(pages=1_500, domains=75), 1, Library.find())
    found, left_out = caps.compare(web, 1, ("learned", "breadth-first"))
    assert not left_out
    for cap in {cap for _, cap in found}:
        assert harvest(found["learned", cap]) > harvest(found["breadth-first", cap]), cap


def test_a_judge_that_errs_leads_nobody_far_astray(schools_web: Path) -> None:
    found = drift.compare(schools_web, 6, 1, ("learned",), SMALL)
    true, turned = (harvest(runs) for runs in found.values())
    assert turned >= (1 - MOST_LOST) * true, (true, turned)
