"""`opilio judge`: pages tried before a crawl, and WARC files filtered without one."""

import contextlib
import json
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import opilio
from opilio.folder.database import open_readonly
from opilio.webs.server import LoopbackServer
from tests.builders import DATE, PROSE, opilio_command, opilio_environment, response, run_opilio

PLAIN = ("--recipe", "breadth-first")


def _html(text: str, *links: str) -> str:
    anchors = "".join(f'<a href="{link}">{link}</a>' for link in links)
    return f"<title>{text}</title><p>{text}. {PROSE}</p><nav>{anchors}</nav>"


def _drops(folder: Path) -> dict[str, str | None]:
    connection = open_readonly(folder / "crawl.db")
    rows = connection.execute('SELECT url, "drop" FROM links').fetchall()
    connection.close()
    return {row[0]: row[1] for row in rows}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One page of each fate."""
    path = tmp_path_factory.mktemp("web") / "mixed.warc.gz"
    query = "&".join(f"p{number}={number}" for number in range(30))
    records = [
        response("http://a.test/robots.txt", "User-agent: *\nDisallow: /private/\n", kind="text/plain"),
        response("http://a.test/", _html("front", *(f"/link/{number}" for number in range(50)))),
        response("http://a.test/private/x", _html("private")),
        response("http://a.test/twin", "<p>" + _html("front")),
        response("http://a.test/", _html("a later copy")),
        response("http://a.test/empty", "<p></p>"),
        response("http://a.test/gone", _html("gone"), 404),
        response("http://a.test/paper.pdf", "%PDF-1.4", kind="application/pdf"),
        response("http://a.test/moved", "", 301, Location="/target"),
        response("http://a.test/target", _html("target")),
        response("http://a.test/away", "", 302, Location="http://elsewhere.test/"),
        response(f"http://b.test/x/x/x/x/x/search?{query}", _html("search")),
    ]
    path.write_bytes(b"".join(records))
    return path


@pytest.fixture(scope="module")
def judged(mixed: Path) -> Path:
    """Judges the mixed web, and returns the folder of the corpus."""
    folder = mixed.with_name("judged")
    assert "frontier empty" in run_opilio("judge", "run", mixed, "-o", folder, *PLAIN, "--workers", 1).stderr
    return folder


# --- run


def test_every_recorded_page_is_kept_or_dropped_with_its_reason(judged: Path) -> None:
    fates = {url.partition("?")[0]: drop for url, drop in _drops(judged).items()}
    assert fates == {
        "http://a.test/": None,
        "http://a.test/private/x": "robots",
        "http://a.test/twin": "duplicate",
        "http://a.test/empty": "no_text",
        "http://a.test/gone": "fetch_failed",
        "http://a.test/paper.pdf": "content_type",
        "http://a.test/moved": "redirected",
        "http://a.test/target": None,
        "http://a.test/away": "redirected",
        "http://elsewhere.test/": "not_in_web",
        "http://b.test/x/x/x/x/x/search": None,
    }


def test_links_are_counted_and_not_remembered(judged: Path) -> None:
    assert opilio.status(judged)["drops"]["too_deep"] == 50
    assert not any("/link/" in url for url in _drops(judged))


def test_documents_bear_the_date_of_their_record_and_the_first_record_counts(judged: Path) -> None:
    documents = list(opilio.read(judged))
    assert [each.title for each in documents] == ["front", "search", "target"]
    assert {each.fetched for each in documents} == {DATE}


def test_the_folder_is_one_of_a_crawl(judged: Path, tmp_path: Path) -> None:
    assert json.loads(run_opilio("status", judged, "--json").stdout)["kept"] == 3
    assert "duplicate" in run_opilio("why", judged, "http://a.test/twin").stdout
    run_opilio("export", judged, "--format", "jsonl", "-o", tmp_path / "out.jsonl")
    assert len((tmp_path / "out.jsonl").read_text("utf-8").splitlines()) == 3


def test_files_can_be_added_to_a_corpus_one_after_the_other(mixed: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.warc.gz"
    more.write_bytes(response("http://c.test/", _html("more")) + response("http://a.test/", _html("known")))
    for path in (mixed, more):
        run_opilio("judge", "run", path, "-o", tmp_path / "c", *PLAIN, "-q")
    assert {each.title for each in opilio.read(tmp_path / "c")} == {"front", "search", "target", "more"}


def test_settings_of_the_folder_stay_polite(judged: Path) -> None:
    asked = run_opilio("judge", "try", judged, "http://127.0.0.1:9/", code=2)
    assert (asked.returncode, "no contact" in asked.stderr) == (2, True)
    settings = ("--set", "operator.contact=me@example.org")
    [trial] = json.loads(run_opilio("judge", "try", judged, "http://127.0.0.1:9/", *settings, "--json").stdout)
    assert trial["drop"] == "address"


def test_files_that_lack_what_is_queued_are_refused_and_nothing_is_lost(mixed: Path, tmp_path: Path) -> None:
    run_opilio("judge", "run", mixed, "-o", tmp_path / "c", *PLAIN, "--workers", 1, "--set", "stop.pages=2", "-q")
    other = tmp_path / "other.warc.gz"
    other.write_bytes(response("http://c.test/", _html("other")))
    refused = run_opilio("judge", "run", other, "-o", tmp_path / "c", *PLAIN, code=2)
    assert "these files do not hold" in refused.stderr
    run_opilio("judge", "run", mixed, "-o", tmp_path / "c", *PLAIN, "-q")
    assert len(list(opilio.read(tmp_path / "c"))) == 3


def test_a_run_that_was_killed_goes_on_to_the_same_corpus(tmp_path: Path) -> None:
    web = tmp_path / "web.warc.gz"
    pages = 400
    web.write_bytes(
        b"".join(response(f"http://h{n % 7}.test/{n}", _html(f"number {n}", "/a", "/b")) for n in range(pages))
    )
    asked = ("judge", "run", web, "-o", tmp_path / "c", *PLAIN, "-q", "--set", "crawl.commit_pages=8")
    process = subprocess.Popen(opilio_command(*asked), env=opilio_environment())
    deadline_s = time.monotonic() + 60
    while _kept(tmp_path / "c") < 20 and process.poll() is None:
        assert time.monotonic() < deadline_s
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = _kept(tmp_path / "c")
    run_opilio(*asked)
    titles = [each.title for each in opilio.read(tmp_path / "c")]
    assert 20 <= before < pages
    assert sorted(titles) == sorted(f"number {n}" for n in range(pages))


def _kept(folder: Path) -> int:
    if not (folder / "crawl.db").exists():
        return 0
    with contextlib.suppress(opilio.OpilioError, sqlite3.OperationalError):  # the database may be half made
        return int(opilio.status(folder)["kept"])
    return 0


@pytest.mark.parametrize("name", ["missing.warc.gz", "text.warc.gz"])
def test_what_is_no_warc_is_refused_by_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "text.warc.gz").write_text("no WARC at all", "utf-8")
    refused = run_opilio("judge", "run", tmp_path / name, "-o", tmp_path / "c", *PLAIN, code=2)
    assert name in refused.stderr
    assert "WARC files with responses" in refused.stderr
    assert "--web" not in refused.stderr
    assert name.startswith("text") or not (tmp_path / "c").exists()


# --- try


def test_a_page_is_shown_with_verdict_reasons_language_words_and_title(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(_html("Harvestmen"), "utf-8")
    (tmp_path / "short.txt").write_text("Too little.", "utf-8")
    names = (tmp_path / "page.html", tmp_path / "short.txt")
    shown = run_opilio("judge", "try", *names, *PLAIN).stdout
    for words in ("page.html", "belongs", "1.000", "en", "Harvestmen", "every page belongs", "not kept: too short"):
        assert words in shown
    trials = json.loads(run_opilio("judge", "try", *names, *PLAIN, "--json").stdout)
    assert [(each["page"], each["drop"]) for each in trials] == [(str(names[0]), None), (str(names[1]), "too_short")]
    assert (trials[0]["title"], trials[0]["language"], trials[0]["belongs"]) == ("Harvestmen", "en", True)
    assert trials[0]["words"] > 50


def test_few_words_of_samples_are_warned_of(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(_html("Harvestmen"), "utf-8")
    (tmp_path / "like.txt").write_text("Hardly anything.", "utf-8")
    said = run_opilio("judge", "try", tmp_path / "page.html", "--like", tmp_path / "like.txt", *PLAIN)
    assert "2 words" in said.stderr


def test_nothing_to_try_and_files_that_are_missing_are_named(tmp_path: Path) -> None:
    for arguments, words in [
        ((tmp_path,), "which pages?"),
        ((tmp_path, "x.html"), "holds no crawl"),
        ((tmp_path / "gone.html",), "cannot read"),
    ]:
        refused = run_opilio("judge", "try", *arguments, *PLAIN, code=2)
        assert words in refused.stderr


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LoopbackServer]:
    with LoopbackServer("made:1,20,0", log=tmp_path / "server.log") as running:
        yield running


def test_urls_are_asked_for_politely_and_once(server: LoopbackServer, tmp_path: Path) -> None:
    [host] = server.hosts
    origin = server.origin(host)
    online: list[Any] = ["--set", "fetch.allow_private_addresses=true", "--set", "fetch.delay_s=0.05"]
    online += ["--set", f'fetch.hosts={{"{host}" = "{server.hosts[host]}"}}']
    pages = [f"{origin}/", f"{origin}/private/p1.html", f"{origin}/nothing-here"]
    trials = json.loads(run_opilio("judge", "try", *pages, *PLAIN, *online, "--json").stdout)
    assert [(each["drop"], each["detail"]) for each in trials] == [
        (None, ""),
        ("robots", ""),
        ("fetch_failed", "HTTP 404"),
    ]
    assert trials[0]["words"] > 100
    asked = [line for line in (tmp_path / "server.log").read_text("utf-8").splitlines() if line]
    assert sum("/robots.txt" in line for line in asked) == 1
    assert not any("/private/" in line for line in asked)
