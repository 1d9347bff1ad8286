"""Whole crawls: of a small recorded web in this process and by the command line, and of the demo over loopback sockets."""

import contextlib
import json
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

import opilio
from opilio.core.errors import CrawlDirError, NothingFetchedError, OpilioError
from opilio.fetch.recorded import RecordedWeb
from opilio.folder import CrawlFolder, ask
from opilio.folder.database import open_readonly
from opilio.keep import FORMATS, CorpusReader, export_corpus
from opilio.webs.server import LoopbackServer
from tests.builders import opilio_command, opilio_environment, response, run_opilio

PAGES = 24
SEEDS = ["http://sheep.test/0", "http://goats.test/0"]
IN_ORDER = {"workers": 1, "in_flight": 1}
_WORDS = (
    "meadow",
    "river",
    "shepherd",
    "evening",
    "winter",
    "stone",
    "bread",
    "gate",
    "lamb",
    "wool",
    "market",
    "hill",
)


# --- a small recorded web


def _text(host: str, number: int) -> str:
    words = [_WORDS[(number * 7 + n * n + len(host)) % len(_WORDS)] for n in range(12)]
    sentence = f"Page {number} of {host} tells of the {' and the '.join(words)}, and of nothing else at all. "
    return f"<p>{sentence}</p><p>{sentence.replace('tells', 'speaks')}</p><p>{sentence.replace('Page', 'Leaf')}</p>"


def _page(host: str, number: int) -> str:
    links = [f"http://{host}/{n}" for n in (2 * number + 1, 2 * number + 2) if n < PAGES]
    links += [f"http://{'goats' if host == 'sheep.test' else 'sheep'}.test/{number}", "/moved", "/gone", "/twin"]
    anchors = "".join(f'<li><a href="{link}">to {link}</a></li>' for link in links)
    return (
        f"<html><title>{host} {number}</title><body><main>{_text(host, number)}</main><ul>{anchors}</ul></body></html>"
    )


def _write_web(path: Path, robots: str = "User-agent: *\nDisallow: /20\n") -> Path:
    records = []
    for host in ("sheep.test", "goats.test"):
        records += [
            response(f"http://{host}/robots.txt", robots, kind="text/plain"),
            response(f"http://{host}/moved", "", 301, Location=f"http://{host}/3"),
            response(f"http://{host}/twin", _page(host, 4)),
            *(response(f"http://{host}/{number}", _page(host, number)) for number in range(PAGES)),
        ]
    path.write_bytes(b"".join(records))
    return path


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _write_web(tmp_path_factory.mktemp("web") / "web.warc.gz")


def _crawl(web: Path, folder: Path, tables: dict[str, Any] | None = None, **more: Any) -> list[opilio.Record]:
    settings = {**(tables or {}), "crawl": {**IN_ORDER, **(tables or {}).get("crawl", {})}}
    return list(opilio.crawl(settings, folder, web=web, seeds=SEEDS, **more))


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for kind in ("warc", "pages") for path in (folder / kind).iterdir()}


def _exported(folder: Path, style: str) -> bytes:
    connection = open_readonly(folder / "crawl.db")
    export_corpus(CorpusReader(connection, folder), style, folder / "exported")
    connection.close()
    return (folder / "exported").read_bytes()


def _tally(folder: Path) -> dict[str, Any]:
    connection = open_readonly(folder / "crawl.db")
    row = connection.execute("SELECT value FROM meta WHERE key = 'tally'").fetchone()
    connection.close()
    tally: dict[str, Any] = json.loads(row[0])
    return tally


def _states(folder: Path) -> dict[int, int]:
    connection = open_readonly(folder / "crawl.db")
    counts = dict(connection.execute("SELECT state, count(*) FROM links GROUP BY state").fetchall())
    connection.close()
    return counts


def _check_corpus(folder: Path) -> None:
    """No record twice, every record readable, and every kept page in the WARC with a right digest."""
    records = list(opilio.read(folder))
    assert len({record.url for record in records}) == len(records)
    assert len({record.text_digest for record in records}) == len(records)
    archived = []
    for path in sorted((folder / "warc").iterdir()):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                record.raw_stream.read()
                if record.rec_type == "response":
                    archived.append(record.rec_headers.get_header("WARC-Record-ID"))
    assert sorted(archived) == sorted(f"<{record.warc_record}>" for record in records)


# --- recorded


def test_every_page_that_may_be_fetched_is_kept_once_and_every_other_says_why(web: Path, tmp_path: Path) -> None:
    kept = _crawl(web, tmp_path)
    expected = {f"http://{host}.test/{n}" for host in ("sheep", "goats") for n in range(PAGES) if n != 20}
    twins = {f"http://{host}.test/twin" for host in ("sheep", "goats")}
    fours = {f"http://{host}.test/4" for host in ("sheep", "goats")}
    urls = {record.url for record in kept}
    assert urls - twins - fours == expected - fours
    assert len(urls & (twins | fours)) == 2
    drops = _tally(tmp_path)["drops"]
    assert {name: drops[name] for name in ("robots", "redirected", "duplicate", "not_in_web")} == {
        "robots": 2,
        "redirected": 2,
        "duplicate": 2,
        "not_in_web": 2,
    }
    assert _states(tmp_path) == {3: 2 * (PAGES + 3)}
    assert list(opilio.read(tmp_path)) == kept
    _check_corpus(tmp_path)


@pytest.mark.parametrize("recipe", ["breadth-first", "random"])
def test_the_same_seed_gives_the_same_corpus_byte_for_byte(web: Path, tmp_path: Path, recipe: str) -> None:
    for name in ("one", "two"):
        _crawl(web, tmp_path / name, {"crawl": {"recipe": recipe, "seed": 3}})
    run_opilio("crawl", tmp_path / "cli", "--web", web, "--workers", 1, "--recipe", recipe, "--set", "crawl.seed=3",
         *(part for seed in SEEDS for part in ("--url", seed)))  # fmt: skip
    one, two, cli = (_files(tmp_path / name) for name in ("one", "two", "cli"))
    assert one == two == cli
    for style in FORMATS:
        assert _exported(tmp_path / "one", style) == _exported(tmp_path / "cli", style)


def test_another_seed_gives_another_order(web: Path, tmp_path: Path) -> None:
    orders = [
        [record.url for record in _crawl(web, tmp_path / str(seed), {"crawl": {"recipe": "random", "seed": seed}})]
        for seed in (1, 2)
    ]
    assert orders[0] != orders[1]
    assert len(orders[0]) == len(orders[1])


def test_the_same_call_resumes_where_an_earlier_one_stopped(web: Path, tmp_path: Path) -> None:
    whole = _crawl(web, tmp_path / "whole")
    first = _crawl(web, tmp_path / "parts", {"stop": {"pages": 11}})
    assert (_tally(tmp_path / "parts")["pages"], _tally(tmp_path / "parts")["stop_reason"]) == (11, "pages reached")
    second = _crawl(web, tmp_path / "parts")
    assert [record.url for record in (*first, *second)] == [record.url for record in whole]
    assert _tally(tmp_path / "parts")["runs"] == 2
    assert _crawl(web, tmp_path / "parts") == []
    _check_corpus(tmp_path / "parts")


def test_a_caller_that_stops_listening_loses_nothing_that_it_heard_of(web: Path, tmp_path: Path) -> None:
    stream = opilio.crawl({"crawl": {**IN_ORDER, "commit_pages": 4}}, tmp_path, web=web, seeds=SEEDS)
    assert isinstance(stream, Iterator)
    heard = [next(stream).url for _ in range(6)]
    stream.close()
    assert set(heard) <= {record.url for record in opilio.read(tmp_path)}
    _crawl(web, tmp_path)
    assert len(list(opilio.read(tmp_path))) == len(_crawl(web, tmp_path / "whole"))
    _check_corpus(tmp_path)


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        ({"pages": 7}, "pages reached"),
        ({"documents": 7}, "documents reached"),
        ({"size_bytes": 9000}, "size_bytes reached"),
        ({"tokens": 500}, "tokens reached"),
        ({"seconds": 7.0}, "time reached"),
        ({}, "frontier empty"),
    ],
)
def test_a_crawl_says_why_it_stopped(web: Path, tmp_path: Path, stop: dict[str, Any], reason: str) -> None:
    kept = _crawl(web, tmp_path, {"stop": stop})
    tally = _tally(tmp_path)
    assert tally["stop_reason"] == reason
    assert len(kept) == tally["kept"]
    for name, limit in stop.items():
        assert tally[{"documents": "kept"}.get(name, name)] >= limit
    if set(stop) & {"pages", "documents"}:
        assert len(kept) == 7


def test_a_crawl_stops_when_every_host_cools_for_too_long(tmp_path: Path) -> None:
    web = _write_web(tmp_path / "web.warc.gz", "User-agent: *\nCrawl-delay: 900\n")
    with pytest.raises(NothingFetchedError, match=r"before the crawl stopped: crawl\.max_wait_s \(now 600\.0\)"):
        _crawl(web, tmp_path / "out", {"crawl": {"max_wait_s": 600.0}})
    assert _tally(tmp_path / "out")["stop_reason"] == "only cooling hosts"
    assert _states(tmp_path / "out")[0] > 0


def test_a_host_gives_as_many_pages_as_it_may(web: Path, tmp_path: Path) -> None:
    assert len(_crawl(web, tmp_path, {"scope": {"pages_per_host": 3}})) == 6


def test_every_link_that_ended_is_counted(web: Path, tmp_path: Path) -> None:
    tables = {"policy": {"cut": -2.0, "wave": "layer", "top": 3, "keep_rest": False}, "scope": {"pages_per_host": 6}}
    _crawl(web, tmp_path, tables)
    connection = open_readonly(tmp_path / "crawl.db")
    stored = dict(
        connection.execute('SELECT "drop", count(*) FROM links WHERE "drop" <> \'\' GROUP BY "drop"').fetchall()
    )
    connection.close()
    assert {"below_cut", "layer_cut"} <= set(stored)
    assert {name: _tally(tmp_path)["drops"].get(name, 0) for name in stored} == stored


def test_events_are_written_where_the_operator_wants_them(web: Path, tmp_path: Path) -> None:
    kept = _crawl(web, tmp_path, {"crawl": {"event_log": True}, "stop": {"pages": 5}})
    lines = [json.loads(line) for line in (tmp_path / "events.jsonl").read_bytes().splitlines()]
    assert [line["url"] for line in lines if line["stage"] == "keep"] == [record.url for record in kept]
    assert lines[-1]["stage"] == "stop"


@pytest.mark.parametrize("wave", ["layer", "batch"])
def test_waves_reach_every_page_too(web: Path, tmp_path: Path, wave: str) -> None:
    kept = _crawl(web, tmp_path, {"policy": {"wave": wave, "top": 4}})
    assert len(kept) == len(_crawl(web, tmp_path / "plain"))


def test_robots_may_move_to_another_host_of_the_same_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def located(_web: RecordedWeb, _url: object) -> str:
        return "192.0.2.1"

    monkeypatch.setattr(RecordedWeb, "locate", located)
    path = tmp_path / "web.warc.gz"
    records = [
        response("http://a.test/robots.txt", "", 301, Location="http://www.a.test/robots.txt"),
        response("http://www.a.test/robots.txt", "User-agent: *\nDisallow: /x\n", kind="text/plain"),
        response("http://a.test/", _page("a.test", 99)),
    ]
    path.write_bytes(b"".join(records))
    kept = list(opilio.crawl({"crawl": {**IN_ORDER}}, tmp_path / "out", web=path, seeds=["http://a.test/"]))
    assert [record.url for record in kept] == ["http://a.test/"]


# --- plug-ins as objects


class _OnlySheep:
    def judge(self, page: opilio.Page) -> opilio.Verdict:
        belongs = page.host == "sheep.test"
        return opilio.Verdict(float(belongs), belongs, (opilio.Opinion("sheep", float(belongs), f"host {page.host}"),))


class _HighNumbersFirst(opilio.PlainLead):
    sightings = 2

    def score(self, targets: Sequence[opilio.Target]) -> Sequence[float]:
        last = [target.url.rpartition("/")[2] for target in targets]
        return [float(word) if word.isdigit() else 0.0 for word in last]


def test_a_judge_and_a_lead_of_ones_own_are_a_few_lines(web: Path, tmp_path: Path) -> None:
    kept = _crawl(web, tmp_path, judge=_OnlySheep(), lead=_HighNumbersFirst())
    assert {record.url.split("/")[2] for record in kept} == {"sheep.test"}
    assert [opinion.reason for opinion in kept[0].opinions] == ["host sheep.test"]
    numbers = [int(record.url.rpartition("/")[2]) for record in kept if not record.url.endswith("twin")]
    assert numbers[:4] == [0, 2, 6, 14]
    assert _tally(tmp_path)["drops"]["not_relevant"] > 10


# --- over loopback


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LoopbackServer]:
    with LoopbackServer("demo", log=tmp_path / "server.log") as running:
        yield running


@contextlib.contextmanager
def _live(server: LoopbackServer, folder: Path, delay_s: float = 0.0) -> Iterator[subprocess.Popen[str]]:
    """The command line on the demo web, which has 500 pages and an endless calendar that is left out here."""
    folder.mkdir(exist_ok=True)
    hosts = ", ".join(f'"{name}" = "{address}"' for name, address in server.hosts.items())
    (folder / "crawl.toml").write_text(
        f"""
        [seeds]
        urls = ["{server.origin("cats-en.test")}/"]
        [scope]
        exclude = ["/calendar/"]
        [fetch]
        delay_s = {delay_s}
        allow_private_addresses = true
        hosts = {{ {hosts} }}
        [crawl]
        workers = 1
        commit_pages = 8
        commit_s = 0.1
        """
    )
    command, environment, pipe = opilio_command("crawl", folder, "--quiet"), opilio_environment(), subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _wait_for_pages(folder: Path, pages: int) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            if ask(CrawlFolder(folder), "status")["pages"] >= pages:
                return
        except CrawlDirError:
            time.sleep(0.01)
    pytest.fail(f"{folder} has no {pages} pages after 30 s")


def _finish(process: subprocess.Popen[str]) -> str:
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    return said


def _texts(folder: Path) -> set[str]:
    return {record.text_digest for record in opilio.read(folder)}


def test_a_killed_crawl_resumes_and_ends_like_one_that_was_not(server: LoopbackServer, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    with _live(server, whole) as process:
        _finish(process)
    for pages in (20, 120):
        with _live(server, killed, delay_s=0.005) as process:
            _wait_for_pages(killed, pages)
            process.kill()
    assert _states(killed).get(0, 0) + _states(killed).get(2, 0) > 0
    with _live(server, killed) as process:
        assert "frontier empty" in _finish(process)
    assert _texts(killed) == _texts(whole)
    assert set(_states(killed)) == {3}
    _check_corpus(killed)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_cleanly_and_the_same_command_goes_on(
    server: LoopbackServer, tmp_path: Path, number: signal.Signals
) -> None:
    folder = tmp_path / "crawl"
    with _live(server, folder, delay_s=0.02) as process:
        _wait_for_pages(folder, 10)
        process.send_signal(number)
        assert "stopped by the operator" in _finish(process)
    stopped = _tally(folder)
    assert stopped["stop_reason"] == "stopped by the operator"
    assert set(_states(folder)) == {0, 3}
    _check_corpus(folder)
    with _live(server, folder, delay_s=0.02) as process:
        _wait_for_pages(folder, stopped["pages"] + 10)
        ask(CrawlFolder(folder), "stop")
        assert "stopped by control" in _finish(process)
    _check_corpus(folder)


def test_a_running_crawl_can_be_paused_changed_and_resumed(server: LoopbackServer, tmp_path: Path) -> None:
    folder = CrawlFolder(tmp_path / "crawl")
    with _live(server, folder.path, delay_s=0.02) as process:
        _wait_for_pages(folder.path, 5)
        assert ask(folder, "pause")["paused"]
        until = time.monotonic() + 30
        while ask(folder, "status")["leased"] and time.monotonic() < until:
            time.sleep(0.01)
        pages = ask(folder, "status")["pages"]
        time.sleep(0.2)
        assert ask(folder, "status")["pages"] == pages
        with pytest.raises(OpilioError, match=r'"stop\.page".*"stop\.pages"'):
            ask(folder, "set", settings=["stop.page=1"])
        with pytest.raises(OpilioError, match="pause, resume, stop, status, set"):
            ask(folder, "dance")
        ask(folder, "set", settings=[f"stop.pages={pages + 20}", "fetch.delay_s=0"])
        assert not ask(folder, "resume")["paused"]
        assert "pages reached" in _finish(process)
    assert _tally(folder.path)["pages"] == pages + 20


def test_a_second_crawl_of_the_same_folder_is_refused(server: LoopbackServer, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    with _live(server, folder, delay_s=0.05) as process:
        _wait_for_pages(folder, 1)
        second = run_opilio("crawl", folder, code=2)
        assert f"process {process.pid}" in second.stderr
        ask(CrawlFolder(folder), "stop")
        _finish(process)
