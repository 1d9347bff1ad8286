"""A recorded web on a loopback port, asked by other programs, and by ourselves."""

import asyncio
import gzip
import http.client
import json
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import pytest

import opilio
from opilio.core.errors import ConfigError
from opilio.lab.served import Served
from tests.builders import opilio_command, opilio_environment, response
from tests.fault.certificate import write_certificate

BIG = bytes(range(256)) * 20_000  # 5 MB
PACKED: Any = {"Content-Encoding": "gzip"}
TEXT = "Sheep graze on the green meadow by the river, and the shepherd looks after them all day long. " * 9


def _write_web(folder: Path) -> Path:
    pages = {
        "http://one.test/": '<a href="/two">two</a> <a href="http://other.test/">other</a> <a href="/gone">gone</a>',
        "http://one.test/two": '<a href="/moved">moved</a>',
        "http://other.test/": '<a href="/hidden">hidden</a> <a href="/page?a=1&amp;b=2">query</a>',
        "http://other.test/page?a=1&b=2": "",
        "http://other.test/hidden": "",
        "https://safe.test/": "",
    }
    records = [response(url, f"<html><body><p>{url} {TEXT}</p>{links}</body></html>") for url, links in pages.items()]
    records += [
        response("http://other.test/robots.txt", "User-agent: *\nDisallow: /hidden\n", kind="text/plain"),
        response("http://one.test/moved", "", 301, Location="http://other.test/page?a=1&b=2"),
        response("http://one.test/packed", gzip.compress(b"packed " * 99), kind="text/plain", **PACKED),
        response("http://one.test/big", BIG, kind="application/octet-stream"),
        response("http://one.test/broken", "out of order", 500),
    ]
    path = folder / "web.warc.gz"
    path.write_bytes(b"".join(records))
    return path


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _write_web(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module")
def served(web: Path) -> Iterator[Served]:
    with opilio.lab.serve(web) as running:
        yield running


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


def _ask(served: Served, path: str, host: str = "one.test", method: str = "GET") -> Answer:
    with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)) as connection:
        connection.request(method, path, headers={"Host": host})
        answer = connection.getresponse()
        return Answer(answer.status, dict(answer.headers), answer.read())


def test_every_host_answers_by_its_name_in_a_header(served: Served) -> None:
    assert (served.addresses, served.hosts) == (11, 3)
    assert "http://one.test/two" in _ask(served, "/two").body.decode()
    assert "page?a=1" in _ask(served, "/page?a=1&b=2", "other.test").body.decode()
    assert _ask(served, "/two", f"one.test:{served.port}").status == 200  # the port is ours, and not the web's
    assert _ask(served, "/", "safe.test").status == 200  # recorded by https


def test_answers_are_as_they_were_recorded(served: Served) -> None:
    moved = _ask(served, "/moved")
    assert (moved.status, moved.headers["Location"]) == (301, "http://other.test/page?a=1&b=2")
    packed = _ask(served, "/packed")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body).startswith(b"packed")
    broken = _ask(served, "/broken")
    assert (broken.status, broken.body) == (500, b"out of order")
    assert _ask(served, "/robots.txt", "other.test").body.startswith(b"User-agent: *")


@pytest.mark.parametrize(
    ("method", "path", "host", "status"),
    [
        ("GET", "/gone", "one.test", 404), ("GET", "/robots.txt", "one.test", 404), ("GET", "/", "nowhere.test", 404),
        ("POST", "/", "one.test", 405), ("HEAD", "/", "one.test", 200), ("HEAD", "/gone", "one.test", 404),
        ("GET", "/../../etc/passwd", "one.test", 404),
    ],
)  # fmt: skip
def test_what_the_web_does_not_hold_is_refused(served: Served, method: str, path: str, host: str, status: int) -> None:
    answer = _ask(served, path, host, method)
    assert answer.status == status
    if method == "HEAD":
        assert answer.body == b""


def test_bodies_are_streamed_to_several_clients_at_once(served: Served) -> None:
    """Two clients take turns to read; a body that shared its place in the file with another would be mixed up."""
    with ExitStack() as open_ones:
        answers = []
        for _ in range(2):
            connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
            open_ones.enter_context(closing(connection))
            connection.request("GET", "/big", headers={"Host": "one.test"})
            answers.append(connection.getresponse())
        pieces = [[answer.read(100_000) for answer in answers] for _ in range(len(BIG) // 100_000 + 1)]
    assert [b"".join(read) for read in zip(*pieces, strict=True)] == [BIG, BIG]


def test_a_connection_answers_one_request_after_the_other(served: Served) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)) as connection:
        for path, status in (("/", 200), ("/gone", 404), ("/big", 200), ("/two", 200)):
            connection.request("GET", path, headers={"Host": "one.test"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == status
    with socket.create_connection(("127.0.0.1", served.port), 20) as old:
        old.sendall(b"GET http://one.test/big HTTP/1.0\r\n\r\n")
        received = b"".join(iter(lambda: old.recv(2**16), b""))
    assert received.endswith(BIG)


@pytest.mark.parametrize(
    "head", [b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"GET /" + b"x" * 200_000]
)
def test_what_is_not_a_request_harms_nobody(served: Served, head: bytes) -> None:
    with socket.create_connection(("127.0.0.1", served.port), 20) as other:
        other.sendall(head)
        with suppress(ConnectionResetError):
            assert other.recv(12) in (b"HTTP/1.1 400", b"")
    assert _ask(served, "/").status == 200


def test_it_is_a_proxy_for_curl_and_aiohttp(served: Served) -> None:
    if curl := shutil.which("curl"):
        asked = [curl, "-sSL", "--noproxy", "", "-x", served.url, "-w", " %{url_effective}", "http://one.test/moved"]
        done = subprocess.run(asked, capture_output=True, text=True, timeout=30, check=True)
        assert done.stdout.endswith("http://other.test/page?a=1&b=2")
    else:
        pytest.skip("curl is not installed")

    async def ask() -> list[int]:
        async with aiohttp.ClientSession(proxy=served.url) as session:
            statuses = []
            for url in (
                "http://one.test/",
                "http://other.test/robots.txt",
                "http://one.test/gone",
                "http://safe.test/",
            ):
                async with session.get(url) as answer:
                    await answer.read()
                    statuses.append(answer.status)
            return statuses

    assert asyncio.run(ask()) == [200, 200, 404, 200]


def test_https_needs_a_certificate_and_has_every_host_with_one(web: Path, tmp_path: Path) -> None:
    if not (curl := shutil.which("curl")):
        pytest.skip("curl is not installed")
    certificate = write_certificate(tmp_path, ("any.test",), 2)
    asked = [curl, "-sSk", "--noproxy", "", "-w", " %{http_code} %{http_connect}"]
    with opilio.lab.serve(web, certificate=certificate) as secure:
        for url in ("https://safe.test/", "https://one.test/two"):
            done = subprocess.run(
                [*asked, "-x", secure.url, url], capture_output=True, text=True, timeout=30, check=True
            )
            assert done.stdout.endswith(" 200 200")
    with opilio.lab.serve(web) as plain:
        done = subprocess.run(
            [*asked, "-x", plain.url, "https://safe.test/"], capture_output=True, text=True, timeout=30, check=False
        )
        assert done.stdout.endswith(" 000 501")
    with pytest.raises(ConfigError, match="PEM"):
        opilio.lab.serve(web, certificate=web)


def test_opilio_crawls_it_as_it_crawls_the_record(served: Served, web: Path, tmp_path: Path) -> None:
    tables = {
        "crawl": {"workers": 1},
        "fetch": {"delay_s": 0.0, "proxy": served.url},
        "operator": {"contact": "me@one.test"},
    }
    live = {page.url for page in opilio.crawl(tables, tmp_path / "live", seeds=["http://one.test/"])}
    recorded = {
        page.url
        for page in opilio.crawl({"crawl": {"workers": 1}}, tmp_path / "rec", web=web, seeds=["http://one.test/"])
    }
    assert live == recorded
    assert "http://other.test/page?a=1&b=2" in live
    assert "http://other.test/hidden" not in live  # robots.txt was asked for, and said so


def test_scrapy_crawls_it_through_the_proxy(served: Served, tmp_path: Path) -> None:
    pytest.importorskip("scrapy", reason="the extra `bench` is not installed")
    (tmp_path / "spider.py").write_text(
        "import sys, scrapy\n"
        "class Spider(scrapy.Spider):\n"
        "    name = 'all'\n"
        "    custom_settings = {'ROBOTSTXT_OBEY': True, 'LOG_LEVEL': 'ERROR', 'TELNETCONSOLE_ENABLED': False}\n"
        "    start_urls = ['http://one.test/']\n"
        "    def parse(self, response):\n"
        "        yield {'url': response.url}\n"
        "        yield from response.follow_all(css='a')\n"
    )
    asked = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-O", "out.jsonl"]
    subprocess.run(
        asked, cwd=tmp_path, env=opilio_environment(http_proxy=served.url, no_proxy=""), check=True, timeout=90,
        capture_output=True,
    )  # fmt: skip
    found = {json.loads(line)["url"] for line in (tmp_path / "out.jsonl").read_text().splitlines()}
    assert found == {
        "http://one.test/", "http://one.test/two", "http://other.test/", "http://other.test/page?a=1&b=2",
    }  # fmt: skip


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_the_command_says_where_it_is_and_ends_when_it_is_told_to(web: Path, sent: signal.Signals) -> None:
    with subprocess.Popen(
        opilio_command("lab", "serve", web),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=opilio_environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        url = process.stdout.readline().strip()
        assert "11 addresses of 3 hosts" in process.stderr.readline()
        with closing(http.client.HTTPConnection(url.removeprefix("http://"), timeout=20)) as connection:
            connection.request("GET", "/", headers={"Host": "one.test"})
            assert connection.getresponse().status == 200  # and the connection stays open
            process.send_signal(sent)
            assert process.wait(20) == 0
        assert process.stderr.read() == ""


def test_what_cannot_be_served_is_said(web: Path, tmp_path: Path, served: Served) -> None:
    (tmp_path / "empty.warc.gz").write_bytes(b"")
    for path, words in ((tmp_path / "empty.warc.gz", "nothing to serve"), (tmp_path / "none", "not a file")):
        with pytest.raises(ConfigError, match=words):
            opilio.lab.serve(path)
    for port in (served.port, 70_000):
        with pytest.raises(ConfigError, match="Choose another --port"):
            opilio.lab.serve(web, port=port)
