"""BootCaT through SearXNG, which is served on loopback by its documented schema, with a small engine behind it."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from aiohttp import web

from opilio.core.config import load_config
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.discover.search import Search
from tests.unit.discover.asked import Answer, Query, Ran, run

DOCUMENTS = {
    "http://a.test/": "The harvestman has eight legs and no web, said the arachnologist",
    "http://b.test/": "An arachnologist watches the harvestman by night in the cave",
    "http://c.test/": "The cave of the arachnologist is dark, and stalactites hang there",
    "http://d.test/": "Stalactites grow slowly in a dark cave",
}


def searxng(query: Query) -> str:
    """Finds the documents that have any word of the query, two on a page."""
    words = query["q"].lower().split()
    hits = [url for url, text in DOCUMENTS.items() if any(word in text.lower() for word in words)]
    start = 2 * (int(query["pageno"]) - 1)
    results = [
        {"url": url, "title": "", "content": DOCUMENTS[url], "engine": "small"} for url in hits[start : start + 2]
    ]
    return json.dumps({"query": query["q"], "number_of_results": 0, "results": results, "unresponsive_engines": []})


def ask(answer: Answer = searxng, **options: object) -> Ran:
    options = {"words": ("harvestman", "legs", "night", "web"), "size": 2, "tuples": 3, **options}
    return run(lambda origin: Search(origin, **options), {"/search": answer})  # type: ignore[arg-type]


def queries(ran: Ran) -> list[str]:
    return [parse_qs(urlsplit(target).query)["q"][0] for _, target in ran.asked]


def test_tuples_of_seed_words_are_the_queries_and_each_is_another() -> None:
    asked = queries(ask(rounds=1))
    assert len(set(asked)) == 3
    assert all(
        len(set(query.split())) == 2 and set(query.split()) <= {"harvestman", "legs", "night", "web"} for query in asked
    )


def test_the_words_of_what_was_found_are_the_seeds_of_the_next_round() -> None:
    ran = ask(rounds=4, tuples=6, pages=2)
    assert "stalactites" in " ".join(queries(ran))
    assert "http://d.test/" in ran.urls
    assert "the" not in " ".join(queries(ran)).split()


def test_the_same_seed_draws_the_same_tuples_and_another_seed_others() -> None:
    assert queries(ask()) == queries(ask())
    assert queries(ask(seed=1)) != queries(ask(seed=2))


def test_a_find_names_its_query_and_its_language() -> None:
    ran = ask(languages=("id",))
    assert ran.finds[0].origin == queries(ran)[0]
    assert ran.finds[0].language == "id"
    assert "language=id" in ran.asked[0][1]


def test_a_killed_source_goes_on_with_the_next_query_and_the_next_run_draws_anew() -> None:
    first = ask(tuples=3, rounds=1)
    part = run(lambda origin: Search(origin, ("a", "b", "c"), 2, 3, 1), {"/search": searxng}, kill_after=1)
    rest = run(lambda origin: Search(origin, ("a", "b", "c"), 2, 3, 1), {"/search": searxng}, memory=part.memory)
    assert len(queries(part) + queries(rest)) == len(set(queries(part) + queries(rest))) == 3
    again = run(
        lambda origin: Search(origin, ("harvestman", "legs", "night", "web"), 2, 3, 1),
        {"/search": searxng},
        memory=first.memory,
    )
    assert queries(again) != queries(first)


def test_samples_give_the_seed_words() -> None:
    samples = tuple(Sample(url, text) for url, text in DOCUMENTS.items())
    context = Context(load_config(settings=['corpus.languages=["en"]']), None, samples)
    ran = run(lambda origin: build_plugin("source", {"name": "search", "where": origin}, context), {"/search": searxng})
    assert {"arachnologist", "harvestman"} & set(" ".join(queries(ran)).split())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (web.Response(status=403), "search.formats"),
        (web.Response(status=429), "fewer requests"),
        ("<html>", "not answer as documented"),
        ('{"answers": []}', "results"),
    ],
)
def test_a_wrong_answer_is_an_error_that_says_what_to_do(answer: Answer, words: str) -> None:
    assert words in ask(answer).error


def test_without_words_or_samples_the_error_says_how_to_give_them() -> None:
    with pytest.raises(Exception, match="--like FILE"):
        Search("http://one.example")
