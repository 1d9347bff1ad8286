"""Seeds in order, and figures about sources."""

import pytest
from msgspec.structs import asdict

from opilio.core.errors import ConfigError
from opilio.core.outcome import Drop
from opilio.discover.entries import Entry
from opilio.discover.ranking import RANKS, ranked, with_expected_yield
from opilio.discover.statistics import statistics
from tests.unit.discover.test_directory import PROBE


def entry(name: str, **fields: object) -> Entry:
    known = {
        "url": f"https://{name}/", "host": name, "domain": name, "state": "probed", "drop": None, "detail": "",
        "sources": ("a",), "origins": (), "groups": (), "topics": (), "mention_languages": (), "finds": 1, "drawn": True,
        "set_aside": False, **asdict(PROBE),
    }  # fmt: skip
    return Entry(**{**known, **fields})


def order(*entries: Entry, links: dict[str, dict[str, int]] | None = None) -> list[str]:
    return [one.domain for one in ranked(with_expected_yield(entries, links or {}, ["id"]), "yield")]


def test_a_page_in_the_wanted_language_comes_before_others() -> None:
    assert order(entry("other", language="en"), entry("wanted")) == ["wanted", "other"]


def test_good_long_text_comes_first() -> None:
    assert order(entry("bad", badness=30.0), entry("short", main_chars=300), entry("good")) == ["good", "bad", "short"]


def test_what_a_page_links_to_counts() -> None:
    links = {"https://good/": {"wanted": 1}, "https://bad/": {"foreign": 1}}
    others = entry("wanted", badness=0.0), entry("foreign", language="en")
    found = order(entry("bad"), entry("good"), *others, links=links)
    assert found.index("good") < found.index("bad")


def test_what_others_link_to_comes_before_what_nobody_does() -> None:
    assert order(entry("lonely"), entry("known", indegree=9)) == ["known", "lonely"]


def test_a_url_without_a_page_is_expected_to_yield_nothing() -> None:
    [one] = with_expected_yield([entry("a", probed="", tokens=0)], {}, ["id"])
    assert one.expected == 0


@pytest.mark.parametrize("rank", RANKS)
def test_every_rank_orders_by_its_own_figure(rank: str) -> None:
    found = ranked([entry("a"), entry("b")], rank)
    assert [one.domain for one in found] == ["a", "b"]  # equal ones by their URLs


def test_an_unknown_rank_gets_a_suggestion() -> None:
    with pytest.raises(ConfigError, match='Did you mean "indegree"'):
        ranked([], "in-degree")


def test_statistics_count_a_url_for_each_of_its_sources() -> None:
    entries = [
        entry("one", sources=("a", "b"), text_chars=1_000, address="192.0.2.1"),
        entry("two", language="en", text_chars=3_000, address="192.0.2.1"),
        entry("three", apart="too little text"),
        entry("four", state="dropped", drop=Drop.MEDIA, drawn=False, probed=""),
    ]
    found = statistics(entries, ["id"])
    first = {row.source: row for row in found.sources}
    assert first["a"][:5] == ("a", 4, 1, 3, 2)
    assert (first["a"].in_target, first["b"].in_target) == (0.5, 1.0)
    assert (first["a"].mean_chars, first["a"].median_chars, first["a"].tokens) == (2_000, 2_000, 600)
    assert first["a"].different_addresses == 0.5
    assert (first["a"].own_domains, first["b"].own_domains, first["all sources"].retained) == (1, 0, 2)
    assert [(row.source, row.language) for row in found.languages][:2] == [("a", "en"), ("a", "id")]
    assert (found.drops, found.apart) == ({"media": 1}, {"too little text": 1})
