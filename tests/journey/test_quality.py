"""Whole crawls for quality over a made web: what is retained, what is reported, and what `why` says."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import opilio
from opilio.bench.quality_crawl import BREADTH_FIRST, SeedSet, fit, seed_fits, snapshots, strategies
from opilio.bench.quality_signs import BADNESS, BLOCK, DOMAIN, LEARNED, PLANTED, guess_languages, predict
from opilio.bench.quality_web import Known, Web, look
from opilio.core.config import load_config
from opilio.flow import CrawlFolder
from opilio.lab.labels import read_labels
from opilio.lab.make import Library, Parameters, make_web
from opilio.lab.shelf import Shelf
from opilio.report.standing import standing
from opilio.report.story import story
from opilio.report.tables import standing_tables

BUDGET = 120


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


@pytest.fixture(scope="module", params=["quality", "cyclic"])
def folder(request: pytest.FixtureRequest, web: Web, tmp_path_factory: pytest.TempPathFactory) -> CrawlFolder:
    path = tmp_path_factory.mktemp(request.param)
    seeds = Path(web.name).with_name("made.seeds.txt").read_text().split()
    own = ("lead.burn_in=30", "lead.phase=40") if request.param == "cyclic" else ()
    settings = ('corpus.languages=["en"]', f"stop.pages={BUDGET}", "crawl.workers=1", "fetch.delay_s=0", *own)
    config = load_config(recipe=request.param, settings=settings)
    assert list(opilio.crawl(config, path, web=web.name, seeds=seeds))
    return CrawlFolder(path)


def test_the_status_tells_the_yields(folder: CrawlFolder) -> None:
    facts = standing(folder)
    assert facts["document_yield"] == pytest.approx(facts["kept"] / facts["pages"], abs=1e-4)
    assert facts["byte_yield"] == pytest.approx(facts["kept_bytes"] / facts["size_bytes"], abs=1e-4)
    shown = StringIO()
    for table in standing_tables(facts):
        Console(file=shown, width=200).print(table)
    assert f"{facts['document_yield']:.1%} of the pages" in shown.getvalue()


def test_the_retained_documents_are_long_distinct_and_of_small_badness(folder: CrawlFolder) -> None:
    records = list(opilio.read(folder.path))
    assert all(len(record.text) >= 1_000 and record.opinions[0].judge == "badness" for record in records)
    assert max(record.opinions[0].measure or 0.0 for record in records) <= 10.0
    assert len({record.text for record in records}) == len(records)


def test_every_page_can_be_asked_about(folder: CrawlFolder, web: Web) -> None:
    told = [dict(story(folder, url)) for url in sorted(web.languages)[::4]]
    assert any("Badness" in steps.get("verdict", "") for steps in told)
    reasons = " ".join(steps.get("score", "") for steps in told)
    assert ("retained with probability" in reasons) or ("each phase begins" in reasons)


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
    links, bases, found = predict(known)
    assert links > 100
    assert 0.0 < bases[PLANTED] < 0.5
    assert found[BLOCK, PLANTED].f1 > found[BADNESS, PLANTED].f1


def test_a_learned_guess_beats_the_top_level_domain(web: Web) -> None:
    guesses = guess_languages(sorted(web.languages), web.languages)
    assert guesses[LEARNED][0] > guesses[DOMAIN][0]


def test_predictions_are_counted_as_in_the_paper() -> None:
    known = {
        "http://a/": Known(True, True, True, 5.0, (("http://b/", 0.1), ("http://c/", 0.9), ("http://gone/", 0.1))),
        "http://b/": Known(True, False, False, 20.0, (("http://c/", 0.2),)),
        "http://c/": Known(False, False, False, 50.0, ()),
    }
    links, bases, found = predict(known)
    assert links == 3
    assert bases["over 2 KB, no duplicate"] == pytest.approx(1 / 3)
    assert found[BLOCK, "over 2 KB, no duplicate"] == pytest.approx((1 / 2, 1.0, 2 / 3))
    assert found[BADNESS, "over 2 KB, no duplicate"] == pytest.approx((1 / 2, 1.0, 2 / 3))


def test_a_line_is_fitted() -> None:
    line = fit([(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)])
    assert line == pytest.approx((2.0, 1.0, 1.0))
    assert fit([(0.0, 1.0), (0.0, 2.0)]).slope == 0.0


def test_languages_that_differ_are_not_taken_for_seeds_that_matter() -> None:
    sets = [SeedSet("de", own, 0.2) for own in (0.1, 0.2, 0.3)] + [SeedSet("en", own, 0.8) for own in (0.7, 0.8, 0.9)]
    together, within = seed_fits(sets)
    assert together.slope > 0.9
    assert within.slope == pytest.approx(0.0, abs=1e-9)
