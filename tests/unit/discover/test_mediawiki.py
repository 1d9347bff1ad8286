"""A wiki's interface, served on loopback by its documented schema: continuation, categories, lag, and wrong answers."""

import json

import pytest
from aiohttp import web

from opilio.discover.mediawiki import MediaWiki
from tests.unit.discover.asked import Answer, Query, Ran, run

PAGES = {f"Page {number}": [f"http://a{number}.test/{link}" for link in range(3)] for number in range(5)}
CATEGORIES = {"Cats": ["Page 0", "Page 1", "Category:Lions"], "Lions": ["Page 2", "Category:Cats"]}


def wiki(query: Query) -> str:
    """Answers with two pages at a time, and two links of a page at a time."""
    if query.get("meta") == "siteinfo":
        return json.dumps({"batchcomplete": True, "query": {"general": {"lang": "id", "sitename": "W"}}})
    if query.get("list") == "exturlusage":
        start = int(query.get("eucontinue", 0))
        uses = [{"pageid": 1, "ns": 0, "title": title, "url": url} for title, urls in PAGES.items() for url in urls]
        more = {"continue": {"eucontinue": str(start + 4), "continue": "-||"}} if start + 4 < len(uses) else {}
        return json.dumps({**more, "query": {"exturlusage": uses[start : start + 4]}})
    chosen = CATEGORIES[query["gcmtitle"].partition(":")[2]] if "gcmtitle" in query else list(PAGES)
    return _pages(chosen, int(query.get("gapcontinue", 0)), int(query.get("elcontinue", 0)))


def _pages(chosen: list[str], start: int, link: int) -> str:
    part = chosen[start : start + 2]
    pages = [
        {"pageid": 1, "ns": 14 if title.startswith("Category:") else 0, "title": title}
        | ({"extlinks": [{"url": url} for url in PAGES[title][link : link + 2]]} if title in PAGES else {})
        for title in part
    ]
    more = {}
    if link == 0:
        more = {"gapcontinue": str(start), "elcontinue": "2", "continue": "||"}
    elif start + 2 < len(chosen):
        more = {"gapcontinue": str(start + 2), "continue": "gapcontinue||"}
    return json.dumps({"query": {"pages": pages}} | ({"continue": more} if more else {"batchcomplete": True}))


def ask(answer: Answer = wiki, **options: object) -> Ran:
    return run(lambda origin: MediaWiki(f"{origin}/w/api.php", **options), {"/w/api.php": answer})  # type: ignore[arg-type]


def test_all_pages_are_read_by_continuation() -> None:
    ran = ask()
    assert sorted(ran.urls) == sorted(url for urls in PAGES.values() for url in urls)
    assert {find.language for find in ran.finds} == {"id"}
    assert {find.origin for find in ran.finds} == set(PAGES)
    assert len(ran.asked) == 7


def test_categories_are_read_with_subcategories_once_each() -> None:
    assert {find.origin for find in ask(categories=("Cats",)).finds} == {"Page 0", "Page 1"}
    ran = ask(categories=("Cats",), depth=5)
    assert {find.origin for find in ran.finds} == {"Page 0", "Page 1", "Page 2"}
    assert len(ran.asked) < 15


def test_links_of_a_kind_are_asked_for() -> None:
    ran = ask(pattern="*.test")
    assert len(ran.urls) == 15
    assert "euquery=%2A.test" in ran.asked[1][1]


def test_a_killed_source_goes_on_where_it_was() -> None:
    def make(origin: str) -> MediaWiki:
        return MediaWiki(f"{origin}/w/api.php")

    first = run(make, {"/w/api.php": wiki}, kill_after=2)
    second = run(make, {"/w/api.php": wiki}, memory=first.memory, port=first.port)
    assert sorted(first.urls + second.urls) == sorted(url for urls in PAGES.values() for url in urls)
    assert len(first.asked) + len(second.asked) == 7


def test_a_wiki_that_lags_is_left_alone_for_as_long_as_it_asks() -> None:
    lag = json.dumps({"error": {"code": "maxlag", "info": "Waiting for a database", "lag": 9}})
    replies = [web.Response(text=lag, headers={"Retry-After": "30"})]
    ran = ask(lambda query: replies.pop() if replies else wiki(query))
    assert len(ran.urls) == 15
    assert ran.asked[1][0] - ran.asked[0][0] == pytest.approx(30)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("<!DOCTYPE html><html></html>", "not answer as documented"),
        ("{}", "api.php"),
        ('{"query": {"pages": [{"pageid": 1}]}}', "title"),
        ('{"error": {"code": "badvalue", "info": "Unrecognized value"}}', "Unrecognized value"),
        ('{"error": {"code": "maxlag"}}', "overloaded"),
        (web.Response(status=403), "403"),
    ],
)
def test_a_wrong_answer_is_an_error_that_says_what_to_do(answer: Answer, words: str) -> None:
    assert words in ask(answer).error


def test_the_budget_ends_the_work_and_the_next_run_goes_on() -> None:
    def make(origin: str) -> MediaWiki:
        return MediaWiki(f"{origin}/w/api.php")

    first = run(make, {"/w/api.php": wiki}, budget=4)
    second = run(make, {"/w/api.php": wiki}, memory=first.memory, port=first.port)
    assert first.over
    assert len(first.urls + second.urls) == 15
