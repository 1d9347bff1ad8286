"""What is remembered of the pages met."""

import pytest

from opilio.judge.pages_met import PagesMet
from opilio.model.similarity import Bag, bag_of

WORDS = bag_of({"cat": 2})


def never() -> Bag:
    raise AssertionError("the terms of a page that is not remembered were counted")


def met_pages(number: int) -> PagesMet:
    """Meets pages of which one in a hundred has a high score."""
    met = PagesMet()
    for place in range(number):
        met.meet(f"http://a.test/{place}", place / number + (place % 100 == 0), lambda: WORDS)
    return met


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opilio.judge.pages_met._DRAWN_PAGES", 50)
    monkeypatch.setattr("opilio.judge.pages_met._BEST_PAGES", 10)


@pytest.mark.usefixtures("small")
def test_memory_is_bounded() -> None:
    met = met_pages(5_000)
    assert met.pages == 5_000
    assert (len(met.drawn), len(met.best), len(met.scores)) == (50, 10, 10)


@pytest.mark.usefixtures("small")
def test_the_best_pages_are_kept() -> None:
    met = met_pages(5_000)
    assert {page.url for page in met.best} == {f"http://a.test/{place}" for place in range(4_000, 5_000, 100)}
    assert min(met.scores) > 1


@pytest.mark.usefixtures("small")
def test_early_and_late_pages_are_drawn_alike() -> None:
    places = [int(page.url.rsplit("/", 1)[1]) for page in met_pages(5_000).drawn]
    assert 15 <= sum(place < 2_500 for place in places) <= 35


@pytest.mark.usefixtures("small")
def test_the_same_pages_are_remembered_in_the_same_crawl() -> None:
    assert met_pages(1_000) == met_pages(1_000)


@pytest.mark.usefixtures("small")
def test_terms_are_counted_only_of_pages_that_are_remembered() -> None:
    met = met_pages(1_000)
    met.pages = 10**12  # so a draw is out of the question
    met.meet("http://a.test/low", 0.0, never)
    assert met.pages == 10**12 + 1


def test_all_names_each_page_once_and_says_whether_it_was_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opilio.judge.pages_met._DRAWN_PAGES", 1)
    met = PagesMet()
    for name in ("a", "a", "b", "b"):
        met.meet(f"http://{name}.test/", 0.5, lambda: WORDS)
    drawn = {page.url for page in met.drawn}
    assert sorted((page.url, fair) for page, fair in met.all()) == [
        (url, url in drawn) for url in ("http://a.test/", "http://b.test/")
    ]


def test_a_page_without_terms_is_not_remembered() -> None:
    met = PagesMet()
    met.meet("http://a.test/", 0.5, lambda: bag_of({}))
    assert met.all() == []
