"""The walk: what it visits can be weighed to a uniform sample, though nobody knows who links to a page."""

import math
from collections.abc import Iterable, Mapping
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from opilio.model.walk import Walk, Walker, draw_by_weight

PAGES = 20_000
SEEDS = (1, 2, 3, 4, 5)
Web = Mapping[int, list[int]]


@pytest.fixture(scope="module", params=[1, 2])
def web(request: pytest.FixtureRequest) -> Web:
    """Most pages have few links and some hundreds, and they lead to pages in proportion to a worth that has a heavier tail still:
    the most popular page is linked by most of the others. Of all that, what can be reached from the seeds."""
    random = np.random.default_rng(request.param)
    sizes = np.minimum((random.pareto(1.7, PAGES) + 1) * 5, 500).astype(int)
    worth = np.cumsum(random.pareto(1.1, PAGES) + 1)
    drawn = [np.searchsorted(worth, random.random(size) * worth[-1]) + 1 for size in sizes]
    links = {page: [int(link) for link in dict.fromkeys(drawn[page - 1].tolist())] for page in range(1, PAGES + 1)}
    reached: dict[int, list[int]] = {}
    ahead = list(SEEDS)
    while ahead:
        page = ahead.pop()
        if page not in reached:
            reached[page] = [link for link in links[page] if link != page]
            ahead += reached[page]
    return reached


def read(walk: Walk, web: Web, page: int) -> None:
    walk.visit(page)
    for link in web[page]:
        walk.link(page, link)


def walk_over(web: Web, pages: float, walkers: int = 8, seed: int = 0) -> Walk:
    walk = Walk([Walker() for _ in range(walkers)], seed)
    for page in SEEDS:
        read(walk, web, page)
    while len(walk.links) < pages:
        walk.advance()
        for page in walk.wanted:
            read(walk, web, page)
    return walk


def surf(web: Web, steps: int) -> dict[int, float]:
    """The walk that everybody thinks of first: along links, now and then from a seed anew; every visit counts the same."""
    random, page, visits = Random(0), SEEDS[0], dict[int, float]()
    for _ in range(steps):
        page = random.choice(web[page]) if web[page] and random.random() < 0.85 else random.choice(SEEDS)
        visits[page] = visits.get(page, 0.0) + 1
    return visits


def degrees(web: Web) -> tuple[dict[int, int], dict[int, int]]:
    """(links to a page, links on a page), in classes that double."""
    to = dict.fromkeys(web, 0)
    for links in web.values():
        for link in links:
            to[link] += 1
    return ({page: int(math.log2(count + 1)) for page, count in to.items()},
            {page: int(math.log2(len(links) + 1)) for page, links in web.items()})  # fmt: skip


def distance(classes: Mapping[int, int], weights: Mapping[int, float]) -> float:
    """Total variation between the classes of these pages and those of all pages."""
    size = max(classes.values()) + 1
    uniform = np.bincount(list(classes.values()), minlength=size) / len(classes)
    drawn = np.bincount([classes[page] for page in weights], weights=list(weights.values()), minlength=size)
    return float(abs(uniform - drawn / drawn.sum()).sum() / 2)


def equal(pages: Iterable[int]) -> dict[int, float]:
    return dict.fromkeys(pages, 1.0)


def test_the_sample_has_the_degrees_of_the_web_and_uncorrected_walks_have_not(web: Web) -> None:
    walk = walk_over(web, 0.6 * len(web))
    sample = draw_by_weight(walk.weights, len(walk.links) // 10, seed=1)
    to, on = degrees(web)
    assert len(web) >= 10_000
    assert distance(to, equal(sample)) < 0.07
    assert distance(on, equal(sample)) < 0.07
    assert distance(to, equal(walk.links)) > 0.13  # whatever was read
    assert distance(to, surf(web, walk.draws)) > 0.4


def test_the_longer_the_walk_the_nearer_to_uniform(web: Web) -> None:
    to, _ = degrees(web)
    errors = [distance(to, walk_over(web, share * len(web)).weights) for share in (0.1, 0.3, 0.9)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.03


@pytest.mark.parametrize(("share", "most"), [(0.05, 0.3), (0.1, 0.23), (0.25, 0.13)])
def test_a_walk_over_little_of_a_web_is_nearly_as_likely_to_draw_any_page(web: Web, share: float, most: float) -> None:
    """The chance of each page to be drawn, as mean over walks; without the pages that are missing it is 0.06 more."""
    chances: dict[int, float] = {}
    for seed in range(3):
        weights = walk_over(web, share * len(web), seed=seed).weights
        whole = sum(weights.values())
        for page, weight in weights.items():
            chances[page] = chances.get(page, 0.0) + weight / whole
    to, on = degrees(web)
    assert distance(to, chances) < most
    assert distance(on, chances) < 0.04


def test_pages_that_were_read_stand_for_those_that_are_known_and_those_that_are_missing() -> None:
    walk = Walk([Walker()])
    web = {1: [2, 3, 4, 5], 2: [3, 6], 3: [2, 4]}
    for page in web:
        read(walk, web, page)
    assert {page: walk.ways(page) for page in range(1, 7)} == {1: 0, 2: 2, 3: 2, 4: 2, 5: 1, 6: 1}
    assert walk.weights == {2: 1.5, 3: 1.5}  # and for page 4; 1 is a seed that nothing links to
    read(walk, {5: [6]}, 5)
    assert walk.weights[2] == 4 / 2  # 2, 3, 4 and 6 have two links now
    assert walk.weights[5] > 1.0  # itself, and what nobody has met


def test_a_walk_that_was_saved_goes_on_as_if_nothing_had_happened(web: Web) -> None:
    straight, stopped = walk_over(web, 300), walk_over(web, 100)
    stopped = msgspec.msgpack.decode(msgspec.msgpack.encode(stopped), type=Walk)
    while len(stopped.links) < 300:
        stopped.advance()
        for page in stopped.wanted:
            read(stopped, web, page)
    assert stopped == straight
    assert walk_over(web, 300, seed=1) != straight


# --- the graph


@settings(max_examples=20)
@given(some.integers(0, 2**32), some.integers(2, 30), some.integers(1, 4))
def test_both_ends_of_a_link_know_it_and_nothing_changes_after_a_page_was_read(
    seed: int, size: int, count: int
) -> None:
    random = Random(seed)
    web = {page: random.sample(range(1, size + 1), random.randrange(min(size, 5))) for page in range(1, size + 1)}
    walk = Walk([Walker() for _ in range(count)], seed)
    read(walk, web, 1)
    settled = {1: walk.degree(1)}
    for _ in range(20):
        walk.advance()
        for page in walk.wanted:
            read(walk, web, page)
            settled[page] = walk.degree(page)
    links = sorted((page, link) for page, targets in walk.links.items() for link in targets)
    assert links == sorted((page, target) for target, pages in walk.known.items() for page in pages)
    assert settled == {page: walk.degree(page) for page in walk.links}


def test_what_could_not_be_read_leads_back(web: Web) -> None:
    walk = Walk([Walker()])
    read(walk, {1: [2, 3]}, 1)
    walk.advance()
    first = set(walk.wanted)
    walk.advance()
    walk.advance()
    assert walk.dead == {2, 3}
    assert first <= walk.dead
    assert walk.walkers[0].page == 1
    assert walk.degree(1) == 2


def test_a_page_that_has_moved_is_met_at_its_new_address() -> None:
    walk = Walk([Walker(), Walker()])
    read(walk, {1: [2]}, 1)
    walk.advance()
    assert walk.wanted == {2: 1}  # the last who wants it
    walk.visit(7, walker=1)
    assert [walker.page for walker in walk.walkers] == [7, 7]
    assert walk.known[7] == [1]
    walk.advance()
    assert not walk.is_open(2)
    assert set(walk.weights) <= {1, 7}
    assert not walk.dead


def test_a_walker_with_nothing_left_around_it_rests() -> None:
    walk = Walk([Walker()])
    walk.advance()
    assert not walk.wanted
    read(walk, {1: []}, 1)
    walk.advance()
    assert not walk.wanted
    assert list(walk.unread()) == []


# --- drawing


def test_chances_are_in_proportion_to_weights() -> None:
    firsts = [draw_by_weight({"a": 3.0, "b": 1.0, "c": 0.0}, 1, seed)[0] for seed in range(2_000)]
    assert firsts.count("a") == pytest.approx(1_500, abs=80)
    assert "c" not in firsts


def test_nothing_is_drawn_twice_and_no_more_than_there_is() -> None:
    assert sorted(draw_by_weight({"a": 3.0, "b": 1.0}, 5, 0)) == ["a", "b"]
