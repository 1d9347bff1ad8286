"""What the benchmarks of published experiments report of their measurements. The crawls themselves have floors in
tests/quality.
"""

from collections import Counter

from bench import languages, sites
from bench.focus_crawl import Point
from opilio.demo.experiment import SETTINGS


def points(german: float, perplexity: float, count: int) -> list[Point]:
    tokens = languages.checkpoints_of(languages.PUBLISHED)[:count]
    return [Point(each, each / 100, german * each / 100, german * each, *[perplexity] * 4) for each in tokens]


def outcome(homophily: float) -> languages.Outcome:
    count = len(languages.checkpoints_of(homophily))
    crawls = {"breadth-first": points(0.25, 1_200.0, count), "perplexity": points(0.75, 600.0, count)}
    return languages.Outcome(crawls, {"breadth-first": Counter(de=1, en=3), "perplexity": Counter(de=3, en=1)})


def test_gains_are_relative_to_the_unfocused_crawl_and_stand_beside_what_is_possible() -> None:
    alone = Point(perplexity=900.0)
    found = {homophily: [outcome(homophily)] for homophily in (0.5, languages.PUBLISHED)}
    report = languages.report(found, alone)
    cells = [dict(zip(report.columns, row, strict=True)) for row in report.rows]
    focused = [row for row in cells if row["recipe"] == "perplexity"]
    assert {(row["times unfocused"], row["most possible"], row["German documents %"]) for row in focused} == {
        (3.0, 4.0, 75.0)
    }
    assert [(goal.figure, goal.met) for goal in report.goals] == [(3.0, True), (3.0, False), (2 / 3, True), (0.5, True)]
    assert "perplexity, in percent: de 75.0, fr 0.0, en 25.0" in report.notes[-1]


def test_a_corner_has_the_pages_of_its_site_as_its_figure() -> None:
    pages: dict[str, sites.Pages] = {setting.title: (90.0, 1.0, 85.0, 2.0) for setting in SETTINGS}
    report = sites.report(dict.fromkeys(sites.all_corners(), pages))
    assert [(goal.figure, goal.met) for goal in report.goals] == [
        (90.0, False), (85.0, False), (90.0, True), (85.0, True), (90.0, False), (85.0, False),
    ]  # fmt: skip
    assert report.rows[-1] == ("the paper", "one by one", "not stated", "German cats", 1, 1, 97, 1)
    assert "cat.de.txt 867, cat.en.txt 922" in report.notes[0]
