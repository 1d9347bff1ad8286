"""Starts that fail: each says what was wrong and what to do, has its exit code, and leaves on disk what it should.

docs/failing-starts.md has the same table for people. Every message there is compared with the one that comes out here.
"""

import asyncio
import re
import ssl
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import opilio
from opilio.cli import app
from opilio.core.config import load_config
from opilio.core.errors import NothingFetchedError
from opilio.core.items import Seed
from opilio.engine.build import Blueprint, build_crawl
from tests.builders import PROSE, ROOT
from tests.fault.certificate import write_certificate
from tests.fault.hostile import redirect, sized

PAGE: Final = sized(f"<title>A page</title><p>{PROSE}</p>".encode())
CLOSED: Final = sized(b"User-agent: *\nDisallow: /\n", "Content-Type: text/plain")
ANSWERS: Final = {
    "/": PAGE,
    "/loop": redirect("/round"),
    "/round": redirect("/loop"),
    "/away": redirect("http://www.site.test:{port}/"),
    "/empty": sized(b""),
    "/gone": sized(b"gone", status="404 Not Found"),
}
LONG_NAME: Final = f"http://{'no-such-name-' * 5}.test/"  # no name server is asked: a label has at most 63 letters
ONLINE: Final = [
    "operator.contact=you@example.org", "fetch.allow_private_addresses=true", "fetch.delay_s=0", "fetch.backoff_s=0",
    'fetch.hosts={"site.test" = "127.0.0.1", "www.site.test" = "127.0.0.1", "closed.test" = "127.0.0.1"}',
]  # fmt: skip


class Server(NamedTuple):
    port: int
    tls_port: int


@contextmanager
def serving(certificate: Path) -> Iterator[Server]:
    """Answers on two ports in a thread of its own: in the clear, and with a certificate that nobody has signed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    ports, started, loops, stop = list[int](), threading.Event(), list[asyncio.AbstractEventLoop](), asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        path, is_closed = head.split(" ", 2)[1], "Host: closed.test" in head
        if path == "/robots.txt":
            answer = CLOSED if is_closed else ANSWERS["/gone"]
        else:
            answer = ANSWERS.get(path, ANSWERS["/gone"]).replace(b"{port}", str(ports[0]).encode())
        writer.write(answer)
        await writer.drain()
        writer.close()

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        loops[0].set_exception_handler(
            lambda _loop, _context: None
        )  # clients that do not trust the certificate hang up
        servers = [await asyncio.start_server(talk, "127.0.0.1", 0, ssl=each) for each in (None, context)]
        ports.extend(each.sockets[0].getsockname()[1] for each in servers)
        started.set()
        await stop.wait()
        for each in servers:
            each.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    started.wait()
    try:
        yield Server(*ports)
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(write_certificate(tmp_path_factory.mktemp("tls"), ("site.test",), 30)) as running:
        yield running


class Start(NamedTuple):
    """A start that fails. In `options` and `message`, {port} and {tls} are those of the server."""

    options: tuple[str, ...]
    message: str
    code: int = 2
    offline: bool = False  # without the settings that let a crawl ask loopback


def seeds(*urls: str, settings: tuple[str, ...] = ()) -> tuple[str, ...]:
    return (*(part for url in urls for part in ("--url", url)), *(part for one in settings for part in ("--set", one)))


CONTACT: Final = ("operator.contact=you@example.org",)
STARTS: Final = {
    # --- the crawl began, and no seed led to a page with text
    "the server is down": Start(
        seeds("http://127.0.0.1:9/"),
        "http://127.0.0.1:9/: robots.txt could not be fetched: connection refused; its host was given up after 6 failures in a "
        "row: check that its server runs, and the port",
        3,
    ),
    "robots.txt closes the site": Start(
        seeds("http://closed.test:{port}/"),
        "http://closed.test:{port}/: robots.txt of closed.test disallows it (Disallow: /): no setting overrides robots.txt; its "
        "webmaster may allow your operator.name",
        3,
    ),
    "a private address": Start(
        seeds("http://127.0.0.1/", settings=CONTACT),
        "http://127.0.0.1/: 127.0.0.1 is not a public address: fetch.allow_private_addresses=true",
        3,
        offline=True,
    ),
    "a name with a private address": Start(
        seeds("http://localhost/", settings=CONTACT),
        "http://localhost/: the name localhost leads to an address that is not public: fetch.allow_private_addresses=true",
        3,
        offline=True,
    ),
    "there is no such name": Start(seeds(LONG_NAME), f"{LONG_NAME}: there is no DNS name ", 3),
    "redirects in a circle": Start(
        seeds("http://site.test:{port}/loop"),
        "http://site.test:{port}/loop: a redirect loop: http://site.test:{port}/loop → http://site.test:{port}/round",
        3,
    ),
    "a certificate that nobody signed": Start(
        seeds("https://site.test:{tls}/"),
        "https://site.test:{tls}/: robots.txt could not be fetched: the TLS certificate of site.test is not valid, or TLS "
        "failed; its host was given up after 6 failures in a row: no setting turns this check off; try http://",
        3,
    ),
    "the page is gone": Start(
        seeds("http://site.test:{port}/gone"),
        "http://site.test:{port}/gone: HTTP 404: check the URL in a browser",
        3,
    ),
    "an empty page": Start(
        seeds("http://site.test:{port}/empty"),
        "http://site.test:{port}/empty: it has no text (scripts are not run)",
        3,
    ),
    "a redirect out of scope": Start(
        seeds("http://site.test:{port}/away", settings=('scope.hosts=["site.test"]',)),
        "http://site.test:{port}/away: redirected to http://www.site.test:{port}/: its host www.site.test is out of scope: "
        'scope.hosts (now ["site.test"])',
        3,
    ),
    "a port of another service": Start(
        seeds("http://site.test:22/", settings=CONTACT),
        "http://site.test:22/: its port is not one of the web: fetch.ports (now []), or fetch.allow_private_addresses=true",
        3,
        offline=True,
    ),
    # --- the command could not begin
    "bad seeds": Start(
        seeds("ftp://site.test/", "http://"),
        "2 seeds cannot be used:\n"
        '  --url: "ftp://site.test/" is not an http or https URL\n'
        '  --url: "http://" is not a valid URL\n'
        "Fix or remove them; nothing was crawled.",
    ),
    "a file that does not exist": Start(
        seeds("seeds.txt"),
        '--url: "seeds.txt" is not a URL, and there is no such file. Fix or remove it; nothing was '
        "crawled.",
    ),
    "an empty file of seeds": Start(
        ("--seeds", "empty.txt"),
        "there is nothing to crawl. empty.txt has no URL in it. Name seeds in crawl.toml, with --seeds FILE, --url URL or "
        "--from-scout SCOUT.DB.",
    ),
    "no contact": Start(
        seeds("http://site.test/"),
        "the operator has no contact. Hosts must be able to reach whoever crawls them: set operator.contact in crawl.toml, or "
        "add --set operator.contact=you@example.org (a URL will do too).",
        offline=True,
    ),
    "an option that does not exist": Start(("--sedes", "seeds.txt"), "No such option: --sedes"),
    "a setting that does not exist": Start(
        seeds("http://site.test/", settings=("fetch.delay=2",)),
        'unknown setting "fetch.delay" in --set. Did you mean "fetch.delay_s"?',
    ),
    "a value of the wrong type": Start(
        seeds("http://site.test/", settings=("corpus.languages=de",)),
        "corpus.languages must be a list of texts, not \"de\"; write --set 'corpus.languages=[\"de\"]'.",
    ),
    "a sample that does not exist": Start(
        (*seeds("http://site.test/"), "--like", "article.txt"),
        "article.txt does not exist. Correct its name, or leave it out.",
    ),
    "a recorded web that does not exist": Start(
        (*seeds("http://site.test/"), "--web", "web.warc.gz"),
        "web.warc.gz is not a file. A recorded web needs WARC files with responses.",
    ),
}  # fmt: skip


def begin(monkeypatch: pytest.MonkeyPatch, start: Start, server: Server) -> int:
    online = [] if start.offline else [part for setting in ONLINE for part in ("--set", setting)]
    options = [
        option.replace("{port}", str(server.port)).replace("{tls}", str(server.tls_port)) for option in start.options
    ]
    monkeypatch.setattr(
        sys, "argv", ["opilio", "crawl", "new", *options, *online, "--set", "crawl.workers=1", "--quiet"]
    )
    with pytest.raises(SystemExit) as ended:
        app.main()
    return int(ended.value.code or 0)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "empty.txt").write_text("# nothing yet\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", STARTS)
def test_a_failing_start_says_why_and_leaves_what_it_should(
    name: str, server: Server, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start = STARTS[name]
    assert begin(monkeypatch, start, server) == start.code
    out, said = capsys.readouterr()
    expected = start.message.replace("{port}", str(server.port)).replace("{tls}", str(server.tls_port))
    assert (out, expected in said) == ("", True), said
    left = {path.name for path in place.iterdir()} - {"empty.txt"}
    assert left == ({"new"} if start.code == 3 else set())
    if start.code == 3:
        assert (place / "new" / "crawl.db").exists()


@pytest.mark.parametrize("name", [name for name, start in STARTS.items() if start.code == 2])
def test_an_existing_folder_is_left_as_it_was(
    name: str, server: Server, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "new").mkdir()
    begin(monkeypatch, STARTS[name], server)
    assert list((place / "new").iterdir()) == []


def test_the_documents_have_the_table_with_these_messages_and_codes() -> None:
    rows = re.findall(
        r"^\| (.+?) \| (.+?) \| (\d) \| (.+?) \|$", (ROOT / "docs/failing-starts.md").read_text("utf-8"), re.MULTILINE
    )
    table = {name: (message, int(code)) for name, message, code, _left in rows}
    assert set(table) == set(STARTS)
    for name, start in STARTS.items():
        message, code = table[name]
        plain = re.sub(r"<br> *", "\n", message).replace("`", "").replace("&lt;", "<")
        shown = (
            start.message.replace(":{port}", "").replace(":{tls}", "").replace(LONG_NAME, "http://no-such-name.test/")
        )
        assert code == start.code
        assert re.sub(r"\s+", " ", shown) in re.sub(r"\s+", " ", plain), (plain, shown)


# --- what a crawl that fetched nothing does next


def crawl(server: Server, folder: Path, *urls: str, settings: tuple[str, ...] = ()) -> opilio.Running:
    named = [url.replace("{port}", str(server.port)) for url in urls]
    return opilio.crawl(folder, url=named, settings=[*ONLINE, *settings], workers=1)


def test_in_python_it_is_an_exception_at_the_end(server: Server, tmp_path: Path) -> None:
    for finish in (list, opilio.Running.to_end):
        with pytest.raises(NothingFetchedError, match="HTTP 404"):
            finish(crawl(server, tmp_path / finish.__name__, "http://site.test:{port}/gone"))


def test_ten_seeds_are_named_and_the_rest_is_counted(server: Server, tmp_path: Path) -> None:
    urls = [f"http://site.test:{{port}}/gone/{number}" for number in range(47)]
    with pytest.raises(NothingFetchedError) as caught:
        crawl(server, tmp_path / "c", *urls).to_end()
    lines = str(caught.value).splitlines()
    assert (len(lines), lines[0]) == (13, "no seed led to a page with text (stopped: frontier empty):")
    assert lines[10].startswith(f"  http://site.test:{server.port}/gone/9: HTTP 404")
    assert lines[11] == "  and 37 more"


def test_one_seed_that_can_be_fetched_is_enough_and_a_finished_crawl_does_not_fail(
    server: Server, tmp_path: Path
) -> None:
    for _ in range(2):
        assert crawl(server, tmp_path / "c", "http://site.test:{port}/gone", "http://site.test:{port}/").to_end()
    assert opilio.crawl(tmp_path / "c").to_end() == "frontier empty"


def test_a_crawl_that_the_operator_stops_does_not_fail_and_one_that_runs_out_of_time_does(
    server: Server, tmp_path: Path
) -> None:
    (tmp_path / "c").mkdir()

    async def stopped() -> bool:
        crawl = build_crawl(Blueprint(load_config(settings=ONLINE), tmp_path / "c"))
        crawl.stop("stopped by the operator")
        async for _ in crawl.stream([Seed(f"http://site.test:{server.port}/")]):
            pass
        return crawl.is_fruitless

    assert not asyncio.run(stopped())
    with pytest.raises(NothingFetchedError, match=r"time reached.*\n.*it was not fetched before the crawl stopped"):
        crawl(server, tmp_path / "d", "http://site.test:{port}/", settings=("stop.seconds=1e-9",)).to_end()


def test_a_limit_is_not_a_failure_if_a_page_without_text_was_answered_and_links_are_left(
    server: Server, tmp_path: Path
) -> None:
    urls = ("http://site.test:{port}/empty", "http://site.test:{port}/")
    one_page = ("stop.pages=1", "crawl.in_flight=1")
    assert crawl(server, tmp_path / "c", *urls, settings=one_page).to_end() == "pages reached"
    with pytest.raises(NothingFetchedError, match="pages reached"):
        crawl(server, tmp_path / "d", urls[0], settings=one_page).to_end()


def test_the_same_command_tries_again_what_could_not_be_fetched(server: Server, tmp_path: Path) -> None:
    """The first time its server is down."""
    down = ('fetch.hosts={"site.test" = "127.0.0.2"}',)
    with pytest.raises(NothingFetchedError, match="connection refused"):
        crawl(server, tmp_path / "c", "http://site.test:{port}/", settings=down).to_end()
    again = opilio.crawl(tmp_path / "c", workers=1)
    with pytest.raises(NothingFetchedError, match="connection refused"):
        again.to_end()
    assert again.notes == ["no page with text was fetched so far, so 1 of 1 links are tried again."]
    up = crawl(server, tmp_path / "c")
    assert [page.title for page in up] == ["A page"]
    assert up.notes == ["fetch.hosts changed: 1 of 1 links that were refused before are back in the queue."]


def test_a_redirect_that_is_tried_again_in_vain_is_told_like_any_other_seed(server: Server, tmp_path: Path) -> None:
    narrow = ('scope.hosts=["site.test"]',)
    with pytest.raises(NothingFetchedError, match="out of scope"):
        crawl(server, tmp_path / "c", "http://site.test:{port}/away", settings=narrow).to_end()
    with pytest.raises(NothingFetchedError, match="it was not fetched before the crawl stopped"):
        crawl(server, tmp_path / "c", settings=(*narrow, "stop.seconds=1e-9")).to_end()
    told = dict(opilio.why(tmp_path / "c", f"http://site.test:{server.port}/away"))
    assert told["verdict"] == "queued: not fetched yet"
    assert "cause" not in told


def test_a_page_without_text_has_no_verdict_of_a_judge_and_no_setting(server: Server, tmp_path: Path) -> None:
    with pytest.raises(NothingFetchedError):
        crawl(server, tmp_path / "c", "http://site.test:{port}/empty").to_end()
    told = dict(opilio.why(tmp_path / "c", f"http://site.test:{server.port}/empty"))
    assert told["cause"] == "it has no text (scripts are not run)"
    assert told.keys().isdisjoint({"judged", "to change it"})


def test_why_names_the_error_and_the_setting(server: Server, tmp_path: Path) -> None:
    urls = [f"http://{host}.test:{server.port}/" for host in ("closed", "site", "www.site")]
    crawl(server, tmp_path / "c", *urls, settings=('scope.exclude=["www[.]"]',)).to_end()
    stories = [dict(opilio.why(tmp_path / "c", url)) for url in urls]
    assert stories[0]["cause"] == "robots.txt of closed.test disallows it (Disallow: /)"
    assert stories[0]["to change it"].startswith("no setting overrides robots.txt")
    assert "cause" not in stories[1]
    assert stories[2]["cause"] == 'its URL is excluded by the pattern "www[.]"'
    assert stories[2]["to change it"] == 'scope.exclude (now ["www[.]"])'
