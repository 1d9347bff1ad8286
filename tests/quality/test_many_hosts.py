"""Focus by perplexity on a web of many hosts in many languages, as polite as the crawl without a focus: a floor under what Remus
& Biemann (2016) show. It only goes up; the full figures are those of `bench languages`.
"""

from pathlib import Path
from statistics import mean

import pytest

from bench.focus_crawl import Point, measure, trace
from bench.focus_web import GERMAN
from bench.languages import PUBLISHED, crawl
from bench.languages_web import draw_domain, make

TOKENS = 60_000
# Of its words, which is its gain over breadth first as a share of the gain that is possible. The floor was a gain of 1.65 where
# 2.0 were possible; the web is made of gleaned paragraphs, so it is another one since pages have more text: 1.75 are possible.
GERMAN_SHARE = 0.825  # measured: 0.856, from 0.81 to 0.94; 0.909 before
DRAWS = (1, 2, 3)


@pytest.fixture(scope="module")
def points(schools_web: Path) -> dict[str, Point]:
    """Returns the points by recipe, and that of the samples. Without `schools` the other texts of the web are missing as well."""
    assert schools_web
    domain = draw_domain(1)
    web = make(domain, PUBLISHED, 1)
    crawls = {recipe: crawl(web, recipe, TOKENS) for recipe in ("breadth-first", "perplexity")}
    found = {recipe: trace(documents, domain.held_out, [TOKENS])[0] for recipe, documents in crawls.items()}
    return found | {"alone": measure([], domain.held_out)}


@pytest.mark.timeout(400)
def test_a_focused_crawl_stays_in_its_language(schools_web: Path) -> None:
    assert schools_web
    crawls = [crawl(make(draw_domain(draw), PUBLISHED, draw), "perplexity", TOKENS) for draw in DRAWS]
    shares = [
        sum(each.words for each in documents if each.language == GERMAN) / sum(each.words for each in documents)
        for documents in crawls
    ]
    assert mean(shares) >= GERMAN_SHARE, shares


def test_text_of_a_focused_crawl_improves_a_model_more_than_that_of_others(points: dict[str, Point]) -> None:
    assert points["perplexity"].perplexity < min(points["alone"].perplexity, points["breadth-first"].perplexity), points
