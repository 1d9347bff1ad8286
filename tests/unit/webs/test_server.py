"""The loopback server says over real sockets what its web says, and writes down what it was asked."""

import http.client
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.static import write_static
from bench.witness import Witness
from opilio.core.errors import ConfigError, OpilioError
from opilio.webs.address import assign, host_addresses
from opilio.webs.demo import demo_web
from opilio.webs.listener import _bind
from opilio.webs.made import CRAWL_DELAY_S, MadeWeb
from opilio.webs.server import LoopbackServer
from opilio.webs.web import open_web


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackServer]:
    with LoopbackServer("demo", log=tmp_path_factory.mktemp("log") / "server.log") as running:
        yield running


def get(server: LoopbackServer, host: str, target: str, method: str = "GET") -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection(server.hosts[host], server.port, timeout=10)
    connection.request(method, target, headers={"Host": f"{host}:{server.port}"})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def talk(server: LoopbackServer, host: str, request: bytes) -> bytes:
    with socket.create_connection((server.hosts[host], server.port), timeout=10) as raw:
        raw.sendall(request)
        return b"".join(iter(lambda: raw.recv(65_536), b""))


def test_serves_the_bytes_of_its_web(server: LoopbackServer) -> None:
    web = demo_web(lambda host: f"{host}:{server.port}")
    for host in server.hosts:
        for path in ("/", "/about.html", "/robots.txt", "/sitemap.xml", "/old/1.html", "/nothing"):
            response, body = get(server, host, path)
            expected = web[host].answer(path)
            assert (response.status, body) == (expected.status, expected.body)
            assert response.getheader("Location", "") == expected.header("location")


def test_every_host_has_its_own_address_and_all_share_the_port(server: LoopbackServer) -> None:
    if server.note:
        pytest.skip(server.note)
    assert server.hosts == host_addresses("demo")
    assert len(set(server.hosts.values())) == 4


def test_connection_is_kept_and_requests_may_come_in_a_row(server: LoopbackServer) -> None:
    one = b"GET /robots.txt HTTP/1.1\r\nHost: cats-en.test\r\n\r\n"
    last = one.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    assert talk(server, "cats-en.test", one + one + last).count(b"HTTP/1.1 200 OK") == 3


def test_request_may_arrive_byte_by_byte(server: LoopbackServer) -> None:
    with socket.create_connection((server.hosts["cats-en.test"], server.port), timeout=10) as raw:
        for byte in b"GET /robots.txt HTTP/1.0\r\nHost: cats-en.test\r\n\r\n":
            raw.sendall(bytes([byte]))
        assert raw.recv(65_536).startswith(b"HTTP/1.1 200 OK\r\n")


def test_head_has_the_length_but_not_the_body(server: LoopbackServer) -> None:
    response, body = get(server, "tech-de.test", "/", "HEAD")
    assert body == b""
    assert int(response.getheader("Content-Length", "0")) == len(get(server, "tech-de.test", "/")[1])


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: elsewhere.test\r\nConnection: close\r\n\r\n", b"421"),
        (b"POST / HTTP/1.1\r\nHost: cats-en.test\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\n\r\n", b"400"),
        (b"GET /a\tb HTTP/1.1\r\nHost: cats-en.test\r\n\r\n", b"400"),
        (b"rubbish\r\n\r\n", b"400"),
    ],
)
def test_what_it_cannot_answer_it_refuses(server: LoopbackServer, request_bytes: bytes, status: bytes) -> None:
    assert talk(server, "cats-en.test", request_bytes).split()[1] == status


def test_request_that_never_ends_is_cut_off(server: LoopbackServer) -> None:
    try:
        said = talk(server, "cats-en.test", b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 40_000)
    except ConnectionError:  # how the system tells of it depends on what was in flight
        said = b""
    assert said == b""


def test_log_has_every_request_while_the_server_runs(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    with LoopbackServer("demo", log=log) as server:
        before_s = time.time()
        _, body = get(server, "cats-de.test", "/about.html")
        while not (seen := Witness.of(log).requests):  # the line follows the answer, and may be behind its reader
            time.sleep(0.01)
        (request,) = seen
        assert (request.host, request.target, request.status) == ("cats-de.test", "/about.html", 200)
        assert (request.address, request.size_bytes) == (server.hosts["cats-de.test"], len(body))
        assert before_s - 1 < request.start_s <= request.end_s < time.time() + 1
    assert [line.split("\t")[0] for line in log.read_text().splitlines()] == ["open", "answer", "close"]


def test_answer_ends_in_the_log_when_a_slow_reader_has_it(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    with LoopbackServer("made:1,40,0", log=log) as server, socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        raw.connect((server.hosts["h0001.test"], server.port))
        wish = b"GET /s%d/p%d.html HTTP/1.1\r\nHost: h0001.test\r\n\r\n"
        raw.sendall(b"".join(wish % (n % 10, n) for n in list(range(1, 40)) * 10))
        time.sleep(0.3)
        assert len(Witness.of(log).requests) < 390
    assert len(Witness.of(log).requests) == 390


def test_stop_ends_the_process_and_frees_the_port() -> None:
    with LoopbackServer("demo") as server:
        address, port = server.hosts["cats-en.test"], server.port
        idle = socket.create_connection((address, port), timeout=10)
    assert server.pid == 0
    with idle:
        assert idle.recv(1) == b""
    with pytest.raises(ConnectionRefusedError), socket.create_connection((address, port), timeout=10):
        pass


@pytest.mark.parametrize("web", ["nonsense", "made:1,2", "made:0,5,1", "warc:missing.warc.gz"])
def test_web_that_cannot_be_opened_is_named_in_the_error(web: str) -> None:
    with pytest.raises(OpilioError, match=re.escape(repr(web))):
        LoopbackServer(web).start()


def test_hosts_may_share_an_address(tmp_path: Path) -> None:
    with LoopbackServer("made:6,3,1", share=3, log=tmp_path / "log") as server:
        assert server.note or server.hosts == assign([f"h000{n}.test" for n in range(1, 7)], share=3)
        assert server.hosts["h0002.test"] == server.hosts["h0003.test"]
        assert get(server, "h0002.test", "/")[1] != get(server, "h0003.test", "/")[1]


def test_literal_links_are_served_under_the_address() -> None:
    with LoopbackServer("made:3,5,1", literal=True) as server:
        address = server.hosts["h0002.test"]
        connection = http.client.HTTPConnection(address, server.port, timeout=10)
        connection.request("GET", "/s1/p1.html")
        body = connection.getresponse().read().decode()
        connection.close()
        assert server.origin("h0002.test") == f"http://{address}:{server.port}"
        assert f'href="http://{address}:{server.port}/s1/p1.html"' in body
        assert ".test" not in body
    with pytest.raises(OpilioError, match="address per host"):
        LoopbackServer("made:6,3,1", share=3, literal=True).start()


def test_made_web_is_the_same_from_the_same_seed_and_another_from_another() -> None:
    first, again, other = (MadeWeb(5, 20, seed).answer("h0004.test", "/s7/p7.html").body for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_made_pages_have_their_size_and_links() -> None:
    web = MadeWeb(40, 300, 7, lambda host: f"{host}:81")
    for host in web.hosts[:4]:
        for number in range(1, 60):
            markup = web.answer(host, f"/s{number % 10}/p{number}.html").body
            assert 20_000 <= len(markup) <= 60_000
            hrefs = re.findall(rb'<a [^>]*href="([^"]*)"', markup)
            far = [href for href in hrefs if href.startswith(b"http://")]
            assert len(far) == 5
            assert not any(host.encode() in href for href in far)
            assert 50 <= len(hrefs) - len(far) <= 65
            assert sum(href.startswith(b"/private/") for href in hrefs) == 2


def test_every_page_of_a_made_host_can_be_reached_from_its_front() -> None:
    web = MadeWeb(2, 150, 3)
    seen, waiting = {"/"}, ["/"]
    while waiting:
        answer = web.answer("h0001.test", waiting.pop())
        assert answer.status == 200
        fresh = {match.decode() for match in re.findall(rb'<a [^>]*href="(/[^"]*)"', answer.body)} - seen
        seen |= fresh
        waiting.extend(fresh)
    assert set(web.targets(web.hosts[0])) - {"/robots.txt"} >= seen
    assert sum(not target.startswith("/private/") for target in seen) == 150


def test_made_robots_forbid_a_subtree_and_some_ask_for_a_delay() -> None:
    web = MadeWeb(32, 2, 0)
    texts = [web.answer(host, "/robots.txt").body.decode() for host in web.hosts]
    assert all("Disallow: /private/\n" in text for text in texts)
    assert sum(f"Crawl-delay: {CRAWL_DELAY_S}\n" in text for text in texts) == 2


@pytest.mark.parametrize("target", ["/s1/p2.html", "/s5/p5.html", "/s0/p0.html", "/private/p5.html", "/x", "/s1/p1"])
def test_made_web_has_one_path_per_page(target: str) -> None:
    assert MadeWeb(1, 5, 0).answer("h0001.test", target).status == 404


def test_static_files_are_the_literal_web(tmp_path: Path) -> None:
    addresses = write_static("made:2,4,9", tmp_path, 8_080)
    web = open_web("made:2,4,9", lambda host: f"{addresses[host]}:8080")
    files = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(files) == 2 * (1 + 4 + 4)
    address = addresses["h0002.test"]
    assert (tmp_path / address / "index.html").read_bytes() == web.answer("h0002.test", "/").body
    assert (tmp_path / address / "s3/p3.html").read_bytes() == web.answer("h0002.test", "/s3/p3.html").body
    with pytest.raises(ConfigError, match="made or spread web"):
        write_static("demo", tmp_path, 80)


def test_addresses_stay_on_the_loopback() -> None:
    assert list(assign("abc", "127.2.0.255").values()) == ["127.2.0.255", "127.2.1.0", "127.2.1.1"]
    assert list(assign("abcde", share=2).values()) == ["127.1.0.1", "127.1.0.1", "127.1.0.2", "127.1.0.2", "127.1.0.3"]
    with pytest.raises(ConfigError, match=r"127\.0\.0\.0/8"):
        assign("abc", "127.255.255.254")
    with pytest.raises(ConfigError, match=r"127\.0\.0\.0/8"):
        assign("abc", "126.255.255.255")


def test_system_with_a_single_loopback_address_gets_all_hosts_there() -> None:
    (bound,), note = _bind(["192.0.2.1", "192.0.2.2"], 0)  # reserved for documentation, so no system has them
    with bound:
        assert bound.getsockname()[0] == "127.0.0.1"
    assert "127.0.0.1" in note


def test_port_in_use_is_told() -> None:
    with LoopbackServer("demo") as server, pytest.raises(OpilioError, match="in use"):
        LoopbackServer("made:1,1,1", port=server.port).start()
