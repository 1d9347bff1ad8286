"""The benchmark of crawls for quality, on a small made web."""

from pathlib import Path

import pytest

from bench import run_benchmark
from bench.chart import draw
from bench.quality import Outcome, _goals, _language_goals
from bench.quality_crawl import (
    BEST,
    BREADTH_FIRST,
    CYCLIC,
    QUALITY,
    SeedSet,
    Story,
    fit,
    seed_fits,
    snapshots,
    strategies,
)
from bench.quality_signs import BADNESS, BLOCK, DOMAIN, GOOD, LEARNED, PLANTED, guess_languages, predict
from bench.quality_web import MADE_WEB, WASTE_WEB, Known, Web, look
from opilio.lab.labels import read_labels
from opilio.lab.maker import Library, Parameters, make_web
from opilio.lab.shelf import Shelf

BUDGET = 120
STRATEGIES = (QUALITY, BEST, CYCLIC, BREADTH_FIRST)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Web:
    path = tmp_path_factory.mktemp("web") / "made.warc.gz"
    make_web(path, Parameters(pages=600, domains=20), Library.of_demo())
    shelf = Shelf(path)
    labels = read_labels(path.with_name("made.labels.tsv"), shelf)
    languages = {url: code for code in ("de", "en") for url in labels.relevant(f"lang.{code}")}
    return Web(str(path), shelf, labels, languages, ("en",))


@pytest.fixture(scope="module")
def known(web: Web) -> dict[str, Known]:
    return look(web, lambda _done, _all: None)


def test_every_strategy_fetches_nothing_twice_and_as_much_as_it_may(web: Web) -> None:
    stories = strategies(web, "en", 1, BUDGET)
    for one in stories.values():
        assert len(set(one.urls)) == len(one.urls) <= BUDGET
    assert len(stories[BREADTH_FIRST].urls) == BUDGET
    points = snapshots(list(stories.values()), BUDGET)
    assert points[-1][0] == BUDGET
    assert all(0.0 <= share <= 1.0 for _, share in points)


def test_ranked_crawls_retain_more_than_breadth_first(web: Web) -> None:
    stories = [strategies(web, "en", seed, BUDGET) for seed in (1, 2)]
    kept = {name: sum(sum(each[name].kept) for each in stories) for name in stories[0]}
    assert kept["quality, best first"] > kept[BREADTH_FIRST]


def test_the_block_around_a_link_predicts_the_target_better_than_the_badness_of_its_page(
    known: dict[str, Known],
) -> None:
    signs = predict(known)
    assert signs.across
    assert signs.links > 100
    assert 0.0 < signs.bases[PLANTED] < 0.5
    assert signs.predictions[BLOCK, PLANTED].f1 > signs.predictions[BADNESS, PLANTED].f1


def test_a_learned_guess_beats_the_top_level_domain(web: Web) -> None:
    guesses = guess_languages(sorted(web.languages), web.languages)
    assert guesses[LEARNED][0] > guesses[DOMAIN][0]


def test_predictions_are_counted_as_in_the_paper_on_links_to_other_hosts_alone() -> None:
    seen = (("http://b/", 0.1, True), ("http://c/", 0.9, True), ("http://gone/", 0.1, True), ("http://a/", 0.9, False))
    known = {
        "http://a/": Known(True, True, True, 5.0, seen),
        "http://b/": Known(True, False, False, 20.0, (("http://c/", 0.2, True),)),
        "http://c/": Known(False, False, False, 50.0, ()),
    }
    signs = predict(known)
    assert signs.links == 3
    assert signs.bases == {GOOD: pytest.approx(1 / 3)}
    assert signs.predictions[BLOCK, GOOD] == pytest.approx((1 / 2, 1.0, 2 / 3))
    assert signs.predictions[BADNESS, GOOD] == pytest.approx((1 / 2, 1.0, 2 / 3))


def test_a_page_whose_text_another_page_has_is_not_good_whichever_comes_first(
    web: Web, known: dict[str, Known]
) -> None:
    copies = web.labels.relevant("copy.exact")
    assert copies
    assert not any(known[url].good for url in copies)


def test_where_no_link_leaves_its_host_those_inside_are_counted_and_it_is_said() -> None:
    signs = predict({"http://a/": Known(True, True, False, 5.0, (("http://a/", 0.1, False),))})
    assert (signs.links, signs.across) == (1, False)
    assert predict({}).links == 0


def test_the_benchmark_runs_all_experiments_in_small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OPILIO_DATA", raising=False)  # the demo's texts make a web in a second
    report = run_benchmark("quality", {"pages": 240, "hosts": 12})
    figures = {what: ours for _, _, what, ours, _ in report.rows if isinstance(ours, int | float)}
    assert "crawl yield by seed yield, 24 sets: slope" in figures
    for name in STRATEGIES:
        assert all(0.0 < figures[f"en: {name}: {ratio}"] <= 1.0 for ratio in ("Yd", "Yb"))
    assert {row[0] for row in report.rows} == {"1 seeds", "2 yield", "3 links", "URL language"}
    assert any(goal.name.startswith(f"3: F1 of the block, {WASTE_WEB}") for goal in report.goals)
    assert report.chart is not None
    assert draw(report.chart, tmp_path / "quality.png")


def test_findings_of_the_paper_that_hold_by_a_hair_miss_their_goals() -> None:
    flat = [SeedSet("en", own, 0.5 + own / 5) for own in (0.1, 0.2, 0.3)]
    steep = [SeedSet("en", own, own) for own in (0.1, 0.2, 0.3)]
    same = {"en": {key: [Story(["http://a/"], [True], 0.5)] for key in STRATEGIES}}
    for seeds, met in ((flat, False), (steep, True)):
        outcome = Outcome(MADE_WEB, predict({}), seeds, same, {"en": 1}, {})
        assert [goal.met for goal in _goals(outcome)][:4] == [met, False, False, False]
    guesses = {LEARNED: (0.6, 0.5), DOMAIN: (0.5, 0.5)}
    assert not _language_goals(outcome._replace(guesses=guesses))[0].met


def test_a_line_is_fitted() -> None:
    line = fit([(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)])
    assert line == pytest.approx((2.0, 1.0, 1.0))
    assert fit([(0.0, 1.0), (0.0, 2.0)]).slope == 0.0


def test_languages_that_differ_are_not_taken_for_seeds_that_matter() -> None:
    sets = [SeedSet("de", own, 0.2) for own in (0.1, 0.2, 0.3)] + [SeedSet("en", own, 0.8) for own in (0.7, 0.8, 0.9)]
    together, within = seed_fits(sets)
    assert together.slope > 0.9
    assert within.slope == pytest.approx(0.0, abs=1e-9)
