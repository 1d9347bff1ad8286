"""Small versions of the benchmarks: they measure something and report it in the common form. Speed is not tested here."""

import importlib.util
import json
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from bench import BENCHMARKS, run_benchmark
from bench.__main__ import app
from bench.again import OTHER
from bench.comments_web import WEBS
from bench.focus import crawl, held_out_of
from bench.focus_web import draw, labelled_webs
from bench.form import Goal
from bench.iterator import check
from bench.learned import START, TOPIC
from bench.tunnel import explore
from opilio.lab.labels import read_labels
from opilio.lab.maker import Library, make_tunnel
from opilio.lab.maker.tunnel import CLUSTERS
from opilio.lab.shelf import Shelf
from opilio.webs.demo import articles
from tests.builders import run_module, write_web

_PEERS = ("scrapy", "trafilatura", "warcio", "uvloop")


def bench(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs in the made web, or with the data in `folder`, whether or not this machine has recorded pages."""
    data = str(folder) if (folder / "webs").exists() else ""
    return run_module("bench", *arguments, folder=folder, code=None, OPILIO_DATA=data)


def report(*arguments: str, folder: Path) -> dict[str, Any]:
    done = bench(*arguments, "--json", folder=folder)
    assert done.returncode == 0, done.stderr
    tree: dict[str, Any] = json.loads(done.stdout)
    assert {"benchmark", "machine", "rows", "goals"} <= tree.keys()
    assert tree["machine"]["cores"] >= 1
    assert all(goal.keys() >= {"name", "figure", "goal", "unit", "met"} for goal in tree["goals"])
    return tree


@pytest.mark.parametrize(
    ("figure", "at_least", "met"), [(2, True, True), (1, True, False), (2, False, True), (3, False, False)]
)
def test_a_goal_is_met_up_to_its_bound(figure: float, at_least: bool, met: bool) -> None:
    assert Goal("any", figure, 2, "things", at_least=at_least).met is met


def test_a_small_crawl_is_polite_by_the_servers_log(tmp_path: Path) -> None:
    tree = report("politeness", "--pages", "300", "--hosts", "120", folder=tmp_path)
    figures = {goal["name"]: goal["figure"] for goal in tree["goals"]}
    assert figures.pop("pages fetched") >= 300
    assert set(figures.values()) == {0}, figures
    assert (tmp_path / "bench-results" / "politeness.png").stat().st_size > 0


def test_a_few_kills_lose_nothing(tmp_path: Path) -> None:
    tree = report("crash", "--kills", "3", folder=tmp_path)
    figures = {goal["name"]: goal["figure"] for goal in tree["goals"]}
    assert figures["violations of I1 to I5"] == 0, tree["notes"]
    assert figures["pages fetched again, worst kill"] <= 100
    assert figures["kills in recovery"] > 0


def test_a_loop_that_is_left_and_killed_gets_each_document_once(tmp_path: Path) -> None:
    tree = report("iterator", "--kills", "3", folder=tmp_path)
    figures = {goal["name"]: goal["figure"] for goal in tree["goals"]}
    assert figures.pop("loops left") > 3
    assert set(figures.values()) == {0}, tree["notes"]


def test_the_iterators_check_sees_what_is_lost_and_what_comes_twice() -> None:
    found = check(["a", "b", "#", "b", "b", "c", "a", "x"], [4], ["a", "b", "c", "d"])
    assert (found.handed_out, found.left, found.in_hands) == (7, 1, 1)
    assert (found.repeated, found.lost, found.strange) == (["b", "a"], ["d"], ["x"])


def test_a_small_frontier_resumes(tmp_path: Path) -> None:
    [row] = report("frontier", "--urls", "20000", folder=tmp_path)["rows"]
    assert row["URLs"] == 20_000
    assert min(row["adds/s"], row["leases/s"], row["disk bytes/URL"]) > 0


@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in _PEERS), reason='the peers need pip install "opilio[bench]"'
)
def test_every_contender_fetches_the_pages_it_is_measured_by(tmp_path: Path) -> None:
    tree = report("speed", "--pages", "60", "--hosts", "20", "--out", "charts", folder=tmp_path)
    ours, links, tuned, stack = tree["rows"]
    assert ours["pages"] == ours["kept"] == 60
    assert links["kept"] is tuned["kept"] is None
    assert stack["pages"] == stack["kept"] >= 60
    assert min(row["CPU ms/page"] for row in tree["rows"]) > 0
    assert [goal["unit"] for goal in tree["goals"]] == ["times faster"] * 2
    assert (tmp_path / "charts" / "speed.png").stat().st_size > 0


@pytest.mark.skipif(not os.environ.get("OPILIO_DATA"), reason="needs OPILIO_DATA")
def test_a_small_dump_is_read_in_little_memory() -> None:
    report = run_benchmark("scout", {"size": 7, "rounds": 1})
    figures = {goal.name: goal for goal in report.goals}
    assert figures["links of the sample"].met
    assert figures["memory"].met
    assert report.rows[1][-1] == 2 * 4_985  # the sample twice, with other URLs


def test_crawls_with_and_without_sitemaps_make_as_many_requests(tmp_path: Path) -> None:
    rows = report("sitemaps", "--pages", "800", "--hosts", "20", folder=tmp_path)["rows"]
    assert len(rows) == 8
    assert len({row["requests"] for row in rows if row["links"].startswith("every")}) == 1
    assert min(row["kept pages"] for row in rows) > 0


def test_leads_are_measured_with_links_that_are_new_and_known(tmp_path: Path) -> None:
    tree = report("lead", "--pages", "60", "--urls", "20000", folder=tmp_path)
    rows = {row["lead"]: row for row in tree["rows"]}
    assert rows.keys() >= {"breadth-first", "quality", "preemptive", "learned"}
    for row in rows.values():
        assert row["links met"] == 3_000
        assert 3_000 < row["targets"] < 4_500  # with those of the pages before
        assert row["together ms/page"] > 0
    assert all(rows["learned"][f"MB at {links}"] > 0 for links in ("2,000", "4,000", "10,000", "20,000"))


def test_a_parent_is_no_guide_through_tunnels(tmp_path: Path) -> None:
    make_tunnel(tmp_path / "web.warc.gz", Library.of_demo())
    shelf = Shelf(tmp_path / "web.warc.gz")
    found = explore(shelf, read_labels(tmp_path / "web.labels.tsv", shelf), "perplexity", 1)
    assert 1 <= found.clusters <= 0.3 * CLUSTERS
    assert 0 < found.at_r <= found.at_2r


def test_a_small_text_is_trained_and_asked(tmp_path: Path) -> None:
    tree = report("lm", "--pages", "40", folder=tmp_path)
    assert all(row["Opilio"] > 0 for row in tree["rows"])
    goals = {goal["name"]: goal for goal in tree["goals"]}
    if importlib.util.find_spec("kenlm") is None:
        assert "kenlm cannot be imported" in tree["notes"][-1]
    else:
        assert goals["largest difference to kenlm"]["met"]
    assert (tmp_path / "bench-results" / "lm.png").stat().st_size > 0


def test_focus_is_measured_on_the_embedded_web(tmp_path: Path) -> None:
    tree = report("focus", folder=tmp_path)
    rows = [row for row in tree["rows"] if row["web"] == "demo"]
    alone, crawls = rows[0], rows[1:]
    assert {row["recipe"] for row in crawls} == {"breadth-first", "perplexity", "language"}
    assert all(row["German tokens"] > 0 and row["perplexity"] < alone["perplexity"] for row in crawls)
    assert all(row["German without OOV"] < row["German only"] for row in crawls)
    assert "OPILIO_DATA" in tree["notes"][-1]
    assert (tmp_path / "bench-results" / "focus.png").stat().st_size > 0


def test_what_a_focused_crawl_is_tested_with_is_not_what_it_gains(tmp_path: Path) -> None:
    web = next(labelled_webs(tmp_path))
    drawn = draw(web, 1)
    assert len({*drawn.samples, *drawn.held_out, *drawn.seeds}) == len(drawn.samples + drawn.held_out + drawn.seeds)
    assert drawn == draw(web, 1) != draw(web, 2)
    order = crawl(web, drawn, "perplexity", 5_000)
    assert 5_000 <= sum(document.words for document in order) < 6_000
    assert not {web.documents[url].text for url in drawn.known}.intersection(document.text for document in order)
    held_out = held_out_of(web, drawn)
    elsewhere = {
        line for url, each in web.documents.items() if url not in drawn.held_out for line in each.lines.split("\n")
    }
    assert held_out.lines
    assert not elsewhere.intersection(held_out.lines.split("\n"))


def test_more_text_of_the_domain_lowers_the_perplexity_of_the_held_out(tmp_path: Path) -> None:
    web = next(labelled_webs(tmp_path))
    held_out = held_out_of(web, drawn := draw(web, 1))
    rest = [each for url, each in web.documents.items() if each.language == "de" and url not in drawn.known]
    with_oov, without_oov = zip(*(held_out.perplexities(part) for part in ([], rest[:50], rest)), strict=True)
    assert list(with_oov) == sorted(with_oov, reverse=True)
    assert without_oov[-1] < without_oov[0]


def test_a_judge_of_a_small_labelled_web_is_measured(tmp_path: Path) -> None:
    write_labelled_web(tmp_path / "webs")
    tree = report("calibration", "--topics", "2", "--pages", "40", folder=tmp_path)
    rows = [row for row in tree["rows"] if row["topic"] == "mean of 2 topics"]
    assert [(row["met"], row["pages met"]) for row in rows] == [
        ("breadth-first", 0), ("breadth-first", 20), ("random", 0), ("random", 20),
    ]  # fmt: skip
    assert all(0 <= row["calibration error %"] <= 100 for row in rows)
    assert rows[1]["AUC %"] > 60  # the samples have 170 words each
    assert (tmp_path / "bench-results" / "calibration.png").stat().st_size > 0


def test_a_judge_that_may_ask_about_a_small_labelled_web_is_measured(tmp_path: Path) -> None:
    write_labelled_web(tmp_path / "webs")
    (tmp_path / "samples").mkdir()
    sample = {"topic": "cats", "text": articles("cats.en")[0].text}
    (tmp_path / "samples" / "topics.jsonl").write_text(json.dumps(sample), "utf-8")
    tree = report("review", "--topics", "1", folder=tmp_path)
    means = {(row["asked about"], row["answers"]): row for row in tree["rows"] if row["topic"] == "mean"}
    assert means["review", 0]["F1 at its line %"] == means["chance", 0]["F1 at its line %"]
    assert means["review", 20]["F1 at the best line %"] > means["review", 0]["F1 at the best line %"] - 5
    assert 0 < means["review", 20]["yes %"] < 100


def test_a_small_learned_crawl_costs_cpu_for_the_same_pages(tmp_path: Path) -> None:
    write_labelled_web(tmp_path / "webs", cats=TOPIC, start=START)
    tree = report("learned", "--pages", "40", "--rounds", "1", "--out", "charts", folder=tmp_path)
    plain, learned = tree["rows"]
    assert (plain["contender"], learned["contender"]) == ("breadth-first", "learned")
    assert plain["pages"] == learned["pages"] == plain["kept"] == 40
    assert 0 < learned["kept"] < 40
    assert learned["CPU ms/page"] == pytest.approx(plain["CPU ms/page"] * learned["times breadth-first"])
    assert [(goal["goal"], goal["figure"]) for goal in tree["goals"]] == [(1.8, learned["times breadth-first"])]
    assert (tmp_path / "charts" / "learned.png").stat().st_size > 0


def test_judging_a_small_crawl_again_is_compared_with_the_crawl(tmp_path: Path) -> None:
    write_labelled_web(tmp_path / "webs", cats=TOPIC, start=START)
    (tmp_path / "samples").mkdir()
    samples = [
        {"topic": TOPIC, "text": articles("cats.en")[0].text},
        {"topic": OTHER, "text": articles("tech.en")[0].text},
    ]
    (tmp_path / "samples" / "topics.jsonl").write_text("\n".join(map(json.dumps, samples)), "utf-8")
    tree = report("again", "--pages", "40", folder=tmp_path)
    crawl, again = tree["rows"]
    assert (crawl["pages"], again["pages"]) == (40, 40)
    assert tree["goals"][0]["figure"] == pytest.approx(again["CPU s"] / crawl["CPU s"])


def test_without_the_recorded_web_a_learned_crawl_is_not_measured(tmp_path: Path) -> None:
    done = bench("learned", folder=tmp_path)
    assert done.returncode == 2
    assert "OPILIO_DATA" in done.stderr


def write_labelled_web(folder: Path, cats: str = "cats", start: str = "http://cats.test/0") -> None:
    """Two topics, whose pages link to each other. `cats` is the name of the first one, and `start` the URL of its first page."""
    folder.mkdir()
    found = [(topic, article) for topic, name in ((cats, "cats.en"), ("tech", "tech.en")) for article in articles(name)]
    pages = {f"http://{each[0].lower()}.test/{number}" if number else start: each for number, each in enumerate(found)}
    urls = list(pages)
    html = {}
    for place, (url, (_, article)) in enumerate(pages.items()):
        links = "".join(f'<a href="{urls[(place * 7 + step) % len(urls)]}">more</a> ' for step in range(5))
        html[url] = f"<p>{article.text}</p><nav>{links}</nav>"
    write_web(folder / "schools.warc.gz", html)
    lines = ["url\tlabel", *(f"{url}\t{topic}" for url, (topic, _) in pages.items())]
    (folder / "schools.labels.tsv").write_text("\n".join(lines), "utf-8")


def test_without_labelled_pages_the_calibration_is_not_guessed(tmp_path: Path) -> None:
    done = bench("calibration", folder=tmp_path)
    assert done.returncode == 2
    assert "OPILIO_DATA" in done.stderr
    assert "schools.labels.tsv" in done.stderr


def test_without_a_name_all_benchmarks_are_listed(tmp_path: Path) -> None:
    done = bench(folder=tmp_path)
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(BENCHMARKS)


def test_the_example_of_the_command_parses() -> None:
    command = get_command(app)
    example = re.search(r"Example: python3 dev\.py bench (.*)", command.help or "")
    assert example
    command.make_context("bench", shlex.split(example[1]))


def test_an_unknown_benchmark_is_told_the_list(tmp_path: Path) -> None:
    done = bench("politenes", folder=tmp_path)
    assert done.returncode == 2
    assert 'Did you mean "politeness"?' in done.stderr
    assert "speed" in done.stderr


def test_an_option_of_another_benchmark_is_refused(tmp_path: Path) -> None:
    done = bench("politeness", "--kills", "3", folder=tmp_path)
    assert done.returncode == 2
    assert "--pages, --hosts" in done.stderr


def test_three_strategies_are_compared_for_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPILIO_DATA", raising=False)
    report = run_benchmark("comments", {"pages": 300, "rounds": 1})
    assert {row[0] for row in report.rows} == {"OPIC+COMMD", "COMMD", "breadth first"}
    assert {row[1] for row in report.rows} == {case for web in WEBS for case in web.cases}
    assert [goal.goal for goal in report.goals] == [2.0] * 4
    assert len(report.notes) == 8
    assert report.chart is not None


def test_what_judging_links_beforehand_saves_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPILIO_DATA", raising=False)
    report = run_benchmark("preemptive", {"pages": 240, "seed": 3})
    assert len(report.goals) == 2
    assert {row[2] for row in report.rows} >= {"preemptive", "skyline", "breadth first"}
    assert all(isinstance(row[4], int) and isinstance(row[3], int) and 0 < row[4] <= row[3] for row in report.rows)
    assert report.chart is not None


def test_seeds_are_scouted_and_crawled_from(tmp_path: Path) -> None:
    tree = report("seeds", "--hosts", "40", "--rounds", "1", folder=tmp_path)
    assert [row["seeds"] for row in tree["rows"]][:3] == ["ranked", "random, of the language", "random, any"]
    assert any(note.startswith("all sources: ") for note in tree["notes"])
