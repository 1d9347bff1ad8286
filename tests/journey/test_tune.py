"""Thresholds of a crawl by perplexity: shown, moved by a second process while it runs, and proposed by a pilot."""

import json
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from opilio.enqueue import bucket_of, graded
from opilio.webs.demo import HOSTS, articles
from opilio.webs.server import LoopbackServer
from tests.builders import opilio_command, opilio_environment, run_opilio

SOON_S = 5.0


@pytest.fixture(scope="module")
def like(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("like") / "cats.txt"
    file.write_text("\n".join(article.text for article in articles("cats.en")[:12]), "utf-8")
    return file


@pytest.fixture
def toml(tmp_path: Path, like: Path) -> Iterator[Path]:
    """A folder with a crawl.toml for the demo web, which is served meanwhile."""
    folder = tmp_path / "crawl"
    folder.mkdir()
    with LoopbackServer("demo") as server:
        hosts = "".join(f'"{host}" = "{address}"\n' for host, address in server.hosts.items())
        seeds = json.dumps([f"{server.origin(host)}/" for host in HOSTS])
        (folder / "crawl.toml").write_text(
            f'[operator]\ncontact = "https://demo.invalid/"\n[seeds]\nurls = {seeds}\n[corpus]\nlike = ["{like}"]\n'
            f'[scope]\nmax_depth = 6\n[crawl]\nrecipe = "perplexity"\nworkers = 1\ncommit_s = 0.2\n'
            f"[fetch]\ndelay_s = 0.3\nallow_private_addresses = true\n[fetch.hosts]\n{hosts}",
            "utf-8",
        )
        yield folder


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(f"file:{folder / 'crawl.db'}?mode=ro", uri=True)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def wait_for(folder: Path, query: str, wanted: int) -> None:
    deadline_s = time.monotonic() + 60
    while time.monotonic() < deadline_s:
        with suppress(sqlite3.OperationalError):  # no file or no table yet
            if rows(folder, query)[0][0] >= wanted:
                return
        time.sleep(0.1)
    raise AssertionError(f"the crawl did not get to {wanted}: {query}")


def test_a_running_crawl_obeys_thresholds_that_a_second_process_moves(toml: Path) -> None:
    judged = "SELECT count(*) FROM links WHERE judge_score IS NOT NULL"
    crawl = subprocess.Popen(opilio_command("crawl", toml, "-q"), env=opilio_environment(), stderr=subprocess.DEVNULL)
    try:
        wait_for(toml, judged, 12)
        moved = run_opilio("tune", toml, "--threshold", "0.0001", "--high", "2", "--medium", "3", "--cut", "900000")
        assert moved.returncode == 0, moved.stderr
        assert "obeys from now on" in moved.stderr
        assert "up to 2 " in moved.stdout
        soon_s = time.time() + SOON_S
        wait_for(toml, f"SELECT count(*) FROM links WHERE fetched_s > {soon_s} AND judge_score IS NOT NULL", 3)
        late = rows(
            toml, f"SELECT judge_score, belongs FROM links WHERE fetched_s > {soon_s} AND judge_score IS NOT NULL"
        )
        assert all(bool(belongs) == (score >= 0.0001) for score, belongs in late)
        queued = rows(toml, "SELECT score, bucket FROM links WHERE state IN (0, 1) AND score < -3")
        steps = graded((-2.0, -3.0), 0.05)
        assert queued
        assert all(bucket == bucket_of(score, steps) for score, bucket in queued)
    finally:
        run_opilio("control", toml, "stop", code=None)
        crawl.wait(30)
    facts = json.loads(run_opilio("tune", toml, "--json").stdout)
    assert (facts["threshold"], facts["high"], facts["medium"], facts["cut"]) == (0.0001, 2, 3, 900_000)


def test_bounds_that_do_not_rise_change_nothing(toml: Path) -> None:
    run_opilio("crawl", toml, "--pages", "3", "-q")
    before = run_opilio("tune", toml, "--json").stdout
    refused = run_opilio("tune", toml, "--high", "500000", "--medium", "10", code=2)
    assert "must rise" in refused.stderr
    assert run_opilio("tune", toml, "--json").stdout == before


def test_a_threshold_that_is_no_number_is_refused(toml: Path) -> None:
    run_opilio("crawl", toml, "--pages", "1", "-q")
    refused = run_opilio("tune", toml, "--cut", "inf", code=2)
    assert "finite" in refused.stderr
    run_opilio("status", toml)


def test_a_crawl_that_stands_still_obeys_when_it_goes_on(toml: Path) -> None:
    run_opilio("crawl", toml, "--pages", "6", "-q")
    moved = run_opilio("tune", toml, "--cut", "1000000")
    assert "next run" in moved.stderr
    run_opilio("crawl", toml, "--pages", "8", "-q")
    assert json.loads(run_opilio("tune", toml, "--json").stdout)["cut"] == 1_000_000


def test_a_crawl_without_perplexities_cannot_be_tuned(toml: Path) -> None:
    run_opilio("crawl", toml, "--recipe", "breadth-first", "--pages", "1", "-q")
    refused = run_opilio("tune", toml, code=2)
    assert "no perplexities" in refused.stderr
    assert "--recipe perplexity" in " ".join(refused.stderr.split())
    assert "threshold" not in refused.stderr  # its judge takes none


def test_a_crawl_by_the_learned_lead_says_what_to_set_instead(toml: Path) -> None:
    run_opilio("crawl", toml, "--recipe", "learned", "--pages", "1", "-q")
    refused = run_opilio("tune", toml, "--high", "1000", code=2)
    for said in ('its recipe is "learned", its judge "topic"', "set judge.threshold=", "--recipe perplexity"):
        assert said in " ".join(refused.stderr.split())


def test_a_pilot_names_the_recipe_that_its_bounds_are_for(toml: Path) -> None:
    said = run_opilio("pilot", toml, "--pages", "3", "-q", "--set", "fetch.delay_s=0.02").stdout
    assert 'recipe = "perplexity"' in said
    assert "--recipe perplexity" in said


def test_a_pilot_shows_the_pages_and_proposes_bounds_that_rise(toml: Path) -> None:
    done = run_opilio("pilot", toml, "--pages", "24", "--json", "-q", "--set", "fetch.delay_s=0.02")
    found = json.loads(done.stdout)
    assert 20 <= len(found["perplexities"]) <= 24
    assert 1 < found["bounds"]["high"] <= found["bounds"]["medium"] < found["bounds"]["cut"]
    again = run_opilio("pilot", toml, "--pages", "24", "-q", code=2)
    assert "earlier pilot" in again.stderr
    assert not (toml / "crawl.db").exists()  # the crawl itself has not begun


def test_pilots_that_failed_do_not_stand_in_the_way_of_the_next(toml: Path) -> None:
    for wrong, says in [
        (("--like", "gone.txt"), "gone.txt does not exist"),
        (("--set", "seeds.urls=[]"), "nothing to crawl"),
        (("--set", "corpus.like=[]"), "--like"),
        (("--web", "gone.warc.gz"), "gone.warc.gz is not a file"),
    ]:
        failed = run_opilio("pilot", toml, "--pages", "2", "-q", *wrong, code=2)
        assert says in failed.stderr
    assert not (toml / "pilot").exists()
    run_opilio("pilot", toml, "--pages", "2", "--json", "-q", "--set", "fetch.delay_s=0.02")


def test_a_pilot_of_a_judge_without_perplexities_is_refused_before_it_crawls(toml: Path) -> None:
    refused = run_opilio("pilot", toml, "--set", "judge.name=everything", "-q", code=2)
    assert ("judge.name" in refused.stderr, "--recipe" in refused.stderr) == (True, False)
    assert not (toml / "pilot").exists()


def test_a_pilot_reads_samples_whose_names_have_quotes(toml: Path, like: Path) -> None:
    for name in ("cat's.txt", 'the "cat\'s".txt'):
        (toml / name).write_bytes(like.read_bytes())
    named = json.dumps(["cat's.txt", 'the "cat\'s".txt'])
    quick = ("--pages", "2", "--json", "-q", "--set", "fetch.delay_s=0.02")
    run_opilio("pilot", toml, *quick, "--set", f"corpus.like={named}")
