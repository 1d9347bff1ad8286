"""Scouts as an operator runs them: over real HTTP on loopback, and over recorded webs."""

import json
import random
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import opilio
from opilio.core.errors import ConfigError, CrawlDirError
from opilio.webs.demo import demo_web
from opilio.webs.server import LoopbackServer
from tests.builders import PROSE, opilio_command, opilio_environment, run_opilio, write_demo_web, write_web
from tests.journey.scout_sources import with_sources

HOSTS = 30
KILLS = 8
TABLES = {
    "urls": 'url, host, domain, state, "drop", detail, drawn',
    "finds": '(SELECT url FROM urls WHERE id = finds.url), source, origin, "group", set_aside, language, topic, message',
    "probes": "(SELECT url FROM urls WHERE id = probes.url), html_chars, text_chars, tokens, in_links, out_links, address, "
    "digest, language, confidence, badness, feed, sitemap, apart",
    "pairs": "(SELECT url FROM urls WHERE id = pairs.origin), target, domain",
    "memory": "source, key, value",
}


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(f"made:{HOSTS},20,3") as started:
        yield started


@pytest.fixture
def environment(tmp_path: Path) -> str:
    return with_sources(tmp_path / "plugins")


def arguments(server: LoopbackServer, *more: str, source: str = "") -> list[str]:
    hosts = ", ".join(f'"{name}" = "{address}"' for name, address in server.hosts.items())
    settings = [
        "fetch.delay_s=0.01",
        "fetch.allow_private_addresses=true",
        f"fetch.hosts={{{hosts}}}",
        "scout.min_chars=500",
    ]
    start = f"{server.origin(next(iter(server.hosts)))}/"
    options = [word for setting in settings for word in ("--set", setting)]
    return ["scout", "run", "scout.db", "--source", source or f"hubs={start}", *options, *more]


def wait_until_tried(path: Path, url: str, process: subprocess.Popen[str]) -> None:
    while True:
        with suppress(CrawlDirError):  # it is not there yet
            if any(entry.url == url and entry.drawn for entry in opilio.scout_ls(path, all=True)):
                return
        assert process.poll() is None
        time.sleep(0.1)


def content(path: Path) -> dict[str, list[Any]]:
    """Everything that a directory knows, without the numbers of rows and the times."""
    with sqlite3.connect(path) as connection:
        return {name: sorted(connection.execute(f"SELECT {columns} FROM {name}")) for name, columns in TABLES.items()}


@pytest.fixture(scope="module")
def undisturbed(server: LoopbackServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    folder = tmp_path_factory.mktemp("undisturbed")
    run_opilio(*arguments(server), folder=folder, PYTHONPATH=with_sources(folder / "plugins"))
    return content(folder / "scout.db")


def test_a_scout_over_http_probes_one_url_of_each_domain(undisturbed: dict[str, list[Any]]) -> None:
    drawn = [row for row in undisturbed["urls"] if row[6]]
    assert len(undisturbed["probes"]) > HOSTS / 2
    assert len({row[2] for row in drawn}) == len(drawn)
    assert all(row[6].startswith("127.") for row in undisturbed["probes"])  # addresses
    assert undisturbed["pairs"]
    assert {row[3] for row in undisturbed["urls"]} <= {"found", "probed", "dropped"}


@pytest.mark.timeout(300)
def test_a_scout_that_is_killed_at_random_moments_ends_with_the_same_directory(
    server: LoopbackServer, tmp_path: Path, environment: str, undisturbed: dict[str, list[Any]]
) -> None:
    draw = random.Random(5)
    kills = 0
    command = opilio_command(*arguments(server))
    for _ in range(KILLS):
        process = subprocess.Popen(
            command,
            cwd=tmp_path,
            env=opilio_environment(PYTHONPATH=environment),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(0.7 + draw.random() * 1.5)
        process.kill()
        kills += process.wait() == -signal.SIGKILL
    run_opilio(*arguments(server), folder=tmp_path, PYTHONPATH=environment)
    assert kills
    assert content(tmp_path / "scout.db") == undisturbed
    assert not (tmp_path / "scout.db.work").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_cleanly_and_the_same_command_goes_on(
    server: LoopbackServer, tmp_path: Path, environment: str, undisturbed: dict[str, list[Any]], number: int
) -> None:
    process = subprocess.Popen(
        opilio_command(*arguments(server)),
        cwd=tmp_path,
        env=opilio_environment(PYTHONPATH=environment),
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (tmp_path / "scout.db.work").exists():
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert "the same command goes on" in said
    run_opilio(*arguments(server), folder=tmp_path, PYTHONPATH=environment)
    assert content(tmp_path / "scout.db") == undisturbed


def test_a_source_that_fails_is_told_and_the_others_go_on(
    server: LoopbackServer, tmp_path: Path, environment: str
) -> None:
    done = run_opilio(
        *arguments(server, "--source", f"hubs={server.origin('h0001.test')}/missing"),
        folder=tmp_path,
        PYTHONPATH=environment,
    )
    assert "hubs: " in done.stderr
    assert "Name another page." in done.stderr
    assert json.loads(run_opilio("scout", "stats", "scout.db", "--json", folder=tmp_path).stdout)["sources"][0][
        "retained"
    ]


def test_the_budget_counts_the_requests_of_sources(server: LoopbackServer, tmp_path: Path, environment: str) -> None:
    done = run_opilio(*arguments(server, "--budget", "3"), folder=tmp_path, PYTHONPATH=environment)
    assert "with 3 requests" in done.stderr
    again = run_opilio(*arguments(server, "--budget", "3"), folder=tmp_path, PYTHONPATH=environment)
    assert "with 3 requests" in again.stderr


def test_two_scouts_do_not_write_into_one_directory(server: LoopbackServer, tmp_path: Path, environment: str) -> None:
    process = subprocess.Popen(opilio_command(*arguments(server, "--set", "fetch.delay_s=1")), cwd=tmp_path,
                               env=opilio_environment(PYTHONPATH=environment), stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        while not (tmp_path / "scout.db").exists():
            time.sleep(0.02)
        done = run_opilio(*arguments(server), folder=tmp_path, code=2, PYTHONPATH=environment)
        assert "another process" in done.stderr
    finally:
        process.kill()
        process.wait()


def test_a_repeated_scout_adds_what_is_new_until_it_is_stopped(
    server: LoopbackServer, tmp_path: Path, environment: str
) -> None:
    first, second = (f"{server.origin(host)}/" for host in list(server.hosts)[:2])
    (tmp_path / "list.csv").write_text(f"url\n{first}\n")
    process = subprocess.Popen(
        opilio_command(*arguments(server, "--repeat", "0.5", source="table=list.csv")),
        cwd=tmp_path, env=opilio_environment(PYTHONPATH=environment), stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        wait_until_tried(tmp_path / "scout.db", first, process)
        (tmp_path / "list.csv").write_text(f"url\n{first}\n{second}\n")
        wait_until_tried(tmp_path / "scout.db", second, process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, said
    assert "the same command goes on" in said
    assert sorted(entry.url for entry in opilio.scout_ls(tmp_path / "scout.db", all=True)) == sorted([first, second])


# --- recorded webs


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return write_demo_web(tmp_path / "demo.warc.gz")


def demo_list(tmp_path: Path) -> Path:
    path = tmp_path / "list.txt"
    path.write_text("\n".join(f"http://{host}{at}" for host, site in demo_web().items() for at in site.pages))
    return path


def test_from_nothing_to_a_corpus_in_one_command_line(tmp_path: Path, demo: Path, environment: str) -> None:
    demo_list(tmp_path)
    line = (
        f"opilio scout run scout.db --source urls=list.txt --language de --web {demo} -q && "
        f"opilio crawl corpus --from-scout scout.db --language de --web {demo} --pages 40 -q && "
        "opilio export corpus --format jsonl"
    ).replace("opilio ", f"{opilio_command()[0]} -m opilio ")
    subprocess.run(
        ["bash", "-euc", line], cwd=tmp_path, env=opilio_environment(PYTHONPATH=environment), check=True, timeout=110
    )
    texts = [json.loads(each) for each in (tmp_path / "corpus" / "corpus.jsonl").read_text("utf-8").splitlines()]
    assert texts
    assert {text["language"] for text in texts} == {"de"}
    seeds = opilio.scout_ls(tmp_path / "scout.db", language="de")
    assert dict(opilio.why(tmp_path / "corpus", seeds[0].url))["found"].endswith(
        f"as a seed from scout.db: urls=list.txt (list.txt), expected yield {seeds[0].expected:.2f}"
    )


def test_the_directory_can_be_filtered_ranked_and_written(tmp_path: Path, demo: Path, environment: str) -> None:
    demo_list(tmp_path)
    run_opilio(
        "scout",
        "run",
        "scout.db",
        "--source",
        "urls=list.txt",
        "--web",
        demo,
        "--per-domain",
        5,
        folder=tmp_path,
        PYTHONPATH=environment,
    )
    place = tmp_path / "scout.db"
    german = opilio.scout_ls(place, where='language == "de" and tokens > 50')
    assert {entry.language for entry in german} == {"de"}
    lengths = [entry.main_chars for entry in opilio.scout_ls(place, rank="length")]
    assert lengths == sorted(lengths, reverse=True)
    every = opilio.scout_ls(place, all=True)
    assert len(every) > len(lengths)
    for style in ("csv", "jsonl", "parquet"):
        opilio.scout_ls(place, format=style, output=tmp_path / f"out.{style}")
        opilio.scout_ls(place, pairs=True, output=tmp_path / f"pairs.{style}")
    lines = (tmp_path / "out.csv").read_text("utf-8").splitlines()
    assert lines[0].startswith("url,host,domain,state,language,confidence,tokens,")
    assert len(lines) == len(lengths) + 1
    assert len(json.loads((tmp_path / "pairs.jsonl").read_text("utf-8").splitlines()[0])) == 2
    with pytest.raises(ConfigError, match='Did you mean "language"'):
        opilio.scout_ls(place, where='langage == "de"')
    with pytest.raises(ConfigError, match='Did you mean "outlinks"'):
        opilio.scout_ls(place, rank="outlink")
    with pytest.raises(ConfigError, match="Formats"):
        opilio.scout_ls(place, format="xml")


def test_added_urls_are_probed_even_if_their_domain_was(tmp_path: Path, demo: Path) -> None:
    urls = demo_list(tmp_path).read_text("utf-8").split()[1:4]
    opilio.scout_add(tmp_path / "scout.db", urls, web=demo, settings=["scout.min_chars=0"])
    found = opilio.scout_ls(tmp_path / "scout.db", all=True)
    assert sorted(entry.url for entry in found if entry.drawn) == sorted(urls)
    assert {entry.sources for entry in found if entry.drawn} == {("added",)}


def test_a_refresh_marks_what_is_gone(tmp_path: Path, demo: Path) -> None:
    first = write_web(tmp_path / "first.warc.gz", {f"http://{name}.example/": f"<p>{PROSE * 3}" for name in "abc"})
    later = write_web(
        tmp_path / "later.warc.gz", {"http://a.example/": f"<p>{PROSE * 3}", "http://b.example/": f"<p>{PROSE * 4}"}
    )
    place = tmp_path / "scout.db"
    opilio.scout_add(place, [f"http://{name}.example/" for name in "abc"], web=first)
    done = opilio.scout_refresh(place, web=later)
    assert (done.probed, done.same, done.changed, done.gone) == (3, 1, 1, 1)
    states = {entry.url: (entry.state, entry.changed) for entry in opilio.scout_ls(place, all=True)}
    assert states == {
        "http://a.example/": ("probed", ""), "http://b.example/": ("probed", "text"), "http://c.example/": ("gone", ""),
    }  # fmt: skip


def test_a_directory_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(CrawlDirError, match="there is no directory"):
        opilio.scout_stats(tmp_path / "scout.db")
    with pytest.raises(CrawlDirError, match="there is no directory"):
        opilio.scout_refresh(tmp_path / "scout.db")
    with pytest.raises(ConfigError, match="there is no source"):
        opilio.scout_run(tmp_path / "scout.db", "nowhere")
    with pytest.raises(ConfigError, match=r'has no "colum"\. Did you mean "column"'):
        opilio.scout_run(tmp_path / "scout.db", "table=a.csv", settings=["sources.table.colum=1"])
    with pytest.raises(ConfigError, match="is new, so name a source"):
        opilio.scout_run(tmp_path / "scout.db")
    with pytest.raises(ConfigError, match="is a folder"):
        opilio.scout_run(".", "urls=list.txt")
    assert not list(tmp_path.iterdir())
