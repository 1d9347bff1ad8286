"""Thresholds of a crawl by perplexity: shown, moved by a second process while it runs, and proposed by a pilot."""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from opilio.webs.demo import HOSTS, articles
from opilio.webs.server import LoopbackServer

SOON_S = 5.0


def opilio(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "opilio", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)


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
            f'[scope]\nmax_depth = 6\n[crawl]\nrecipe = "perplexity"\ncommit_s = 0.2\n'
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
    crawl = subprocess.Popen([sys.executable, "-m", "opilio", "crawl", str(toml), "-q"], stderr=subprocess.DEVNULL)
    try:
        wait_for(toml, judged, 12)
        moved = opilio("tune", str(toml), "--threshold", "0.0001", "--high", "2", "--medium", "3", "--cut", "900000")
        assert moved.returncode == 0, moved.stderr
        assert "obeys from now on" in moved.stderr
        assert "up to 2 " in moved.stdout
        soon_s = time.time() + SOON_S
        wait_for(toml, f"SELECT count(*) FROM links WHERE fetched_s > {soon_s} AND judge_score IS NOT NULL", 3)
        late = rows(
            toml, f"SELECT judge_score, belongs FROM links WHERE fetched_s > {soon_s} AND judge_score IS NOT NULL"
        )
        assert all(bool(belongs) == (score >= 0.0001) for score, belongs in late)
        assert rows(toml, "SELECT DISTINCT bucket FROM links WHERE state IN (0, 1) AND score < -3") == [(2,)]
    finally:
        opilio("control", str(toml), "stop")
        crawl.wait(30)
    facts = json.loads(opilio("tune", str(toml), "--json").stdout)
    assert (facts["threshold"], facts["high"], facts["medium"], facts["cut"]) == (0.0001, 2, 3, 900_000)


def test_bounds_that_do_not_rise_change_nothing(toml: Path) -> None:
    assert opilio("crawl", str(toml), "--pages", "3", "-q").returncode == 0
    before = opilio("tune", str(toml), "--json").stdout
    refused = opilio("tune", str(toml), "--high", "500000", "--medium", "10")
    assert refused.returncode == 2
    assert "must rise" in refused.stderr
    assert opilio("tune", str(toml), "--json").stdout == before


def test_a_threshold_that_is_no_number_is_refused(toml: Path) -> None:
    assert opilio("crawl", str(toml), "--pages", "1", "-q").returncode == 0
    refused = opilio("tune", str(toml), "--cut", "inf")
    assert (refused.returncode, "finite" in refused.stderr) == (2, True)
    assert opilio("status", str(toml)).returncode == 0


def test_a_crawl_that_stands_still_obeys_when_it_goes_on(toml: Path) -> None:
    assert opilio("crawl", str(toml), "--pages", "6", "-q").returncode == 0
    moved = opilio("tune", str(toml), "--cut", "1000000")
    assert "next run" in moved.stderr
    assert opilio("crawl", str(toml), "--pages", "8", "-q").returncode == 0
    assert json.loads(opilio("tune", str(toml), "--json").stdout)["cut"] == 1_000_000


def test_a_crawl_without_perplexities_cannot_be_tuned(toml: Path) -> None:
    assert opilio("crawl", str(toml), "--recipe", "breadth-first", "--pages", "1", "-q").returncode == 0
    refused = opilio("tune", str(toml))
    assert (refused.returncode, "no perplexities" in refused.stderr) == (2, True)
    assert "--recipe perplexity" in " ".join(refused.stderr.split())
    assert "threshold" not in refused.stderr  # its judge takes none


def test_a_crawl_by_the_learned_lead_says_what_to_set_instead(toml: Path) -> None:
    assert opilio("crawl", str(toml), "--recipe", "learned", "--pages", "1", "-q").returncode == 0
    refused = opilio("tune", str(toml), "--high", "1000")
    assert refused.returncode == 2
    for said in ('its recipe is "learned", its judge "sum"', "set judge.threshold=", "--recipe perplexity"):
        assert said in " ".join(refused.stderr.split())


def test_a_pilot_names_the_recipe_that_its_bounds_are_for(toml: Path) -> None:
    said = opilio("pilot", str(toml), "--pages", "3", "-q", "--set", "fetch.delay_s=0.02").stdout
    assert 'recipe = "perplexity"' in said
    assert "--recipe perplexity" in said


def test_a_pilot_shows_the_pages_and_proposes_bounds_that_rise(toml: Path) -> None:
    done = opilio("pilot", str(toml), "--pages", "24", "--json", "-q", "--set", "fetch.delay_s=0.02")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert 20 <= len(found["perplexities"]) <= 24
    assert 1 < found["bounds"]["high"] <= found["bounds"]["medium"] < found["bounds"]["cut"]
    again = opilio("pilot", str(toml), "--pages", "24", "-q")
    assert (again.returncode, "earlier pilot" in again.stderr) == (2, True)
    assert not (toml / "crawl.db").exists()  # the crawl itself has not begun


def test_pilots_that_failed_do_not_stand_in_the_way_of_the_next(toml: Path) -> None:
    for wrong, says in [
        (("--like", "gone.txt"), "gone.txt does not exist"),
        (("--set", "seeds.urls=[]"), "no seeds"),
        (("--set", "corpus.like=[]"), "--like"),
        (("--web", "gone.warc.gz"), "gone.warc.gz is not a file"),
    ]:
        failed = opilio("pilot", str(toml), "--pages", "2", "-q", *wrong)
        assert (failed.returncode, says in failed.stderr) == (2, True), failed.stderr
    assert (toml / "pilot" / "crawl.db").exists()  # it is there, and has no pages
    done = opilio("pilot", str(toml), "--pages", "2", "--json", "-q", "--set", "fetch.delay_s=0.02")
    assert done.returncode == 0, done.stderr


def test_a_pilot_of_a_judge_without_perplexities_is_refused_before_it_crawls(toml: Path) -> None:
    refused = opilio("pilot", str(toml), "--set", "judge.name=everything", "-q")
    assert (refused.returncode, "judge.name" in refused.stderr, "--recipe" in refused.stderr) == (2, True, False)
    assert not (toml / "pilot").exists()


def test_a_pilot_reads_samples_whose_names_have_quotes(toml: Path, like: Path) -> None:
    for name in ("cat's.txt", 'the "cat\'s".txt'):
        (toml / name).write_bytes(like.read_bytes())
    named = json.dumps(["cat's.txt", 'the "cat\'s".txt'])
    quick = ("--pages", "2", "--json", "-q", "--set", "fetch.delay_s=0.02")
    done = opilio("pilot", str(toml), *quick, "--set", f"corpus.like={named}")
    assert done.returncode == 0, done.stderr
