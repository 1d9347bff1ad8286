"""Every misbehaviour of a server ends in its outcome: no exception, no hang, one request, no more than the bound."""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import uvloop

from opilio.core.clock import SystemClock
from opilio.core.items import Fetched
from opilio.core.limits import Limits
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, parse
from opilio.fetch import HttpFetcher, Resolver
from opilio.fetch.decode import decode
from opilio.fetch.terms import Terms
from tests.fault.certificate import write_certificate
from tests.fault.hostile import (
    ACTS,
    BAD_TARGETS,
    PRIVATE_TARGETS,
    STATIC,
    HostileServer,
    bombs,
    encoded,
    hostile_server,
    redirect,
)

LIMITS = Limits(connect_s=1.0, first_byte_s=0.8, total_s=2.4, body_bytes=2**20, decoded_bytes=2**20)

# path: outcome, or outcome and body
EXPECTED: dict[str, Outcome | tuple[Outcome, bytes]] = {
    "/good": (Outcome.OK, b"<p>hello"),
    "/close_without_cl": (Outcome.OK, b"<p>to the end"),
    "/chunked": (Outcome.OK, b"hello world"),
    "/empty_200": (Outcome.OK, b""),
    "/no_content": (Outcome.OK, b""),
    "/early_hints": (Outcome.OK, b"<p>hello"),
    "/split_headers": (Outcome.OK, b"hello"),
    "/no_status_line": Outcome.PROTOCOL_ERROR,
    "/status_line_only": Outcome.RESET,
    "/nothing": Outcome.RESET,
    "/status_999": Outcome.HTTP_ERROR,
    "/status_colon": Outcome.PROTOCOL_ERROR,
    "/status_text": Outcome.PROTOCOL_ERROR,
    "/http09": Outcome.PROTOCOL_ERROR,
    "/http2_preface": Outcome.PROTOCOL_ERROR,
    "/garbage": Outcome.PROTOCOL_ERROR,
    "/tls_hello": Outcome.PROTOCOL_ERROR,
    "/switch_protocols": Outcome.PROTOCOL_ERROR,
    "/utf8_header": (Outcome.OK, b"x"),
    "/latin_header": (Outcome.OK, b"x"),
    "/nul_in_header": Outcome.PROTOCOL_ERROR,
    "/many_headers": Outcome.HEADERS_TOO_LARGE,
    "/one_huge_header": Outcome.HEADERS_TOO_LARGE,
    "/headers_too_large_in_sum": Outcome.HEADERS_TOO_LARGE,
    "/endless_headers": Outcome.HEADERS_TOO_LARGE,
    "/endless_line": Outcome.HEADERS_TOO_LARGE,
    "/endless_1xx": Outcome.PROTOCOL_ERROR,
    "/cl_short": Outcome.INCOMPLETE,
    "/cl_short_later": Outcome.INCOMPLETE,
    "/cl_long": Outcome.PROTOCOL_ERROR,  # in one segment with the body; see the next for what a late overrun does
    "/cl_long_later": (Outcome.OK, b"hello"),
    "/cl_negative": Outcome.PROTOCOL_ERROR,
    "/cl_nan": Outcome.PROTOCOL_ERROR,
    "/cl_twice_differ": Outcome.PROTOCOL_ERROR,
    "/cl_and_chunked": Outcome.PROTOCOL_ERROR,
    "/cl_huge": Outcome.TOO_LARGE,
    "/chunk_bad_size": Outcome.PROTOCOL_ERROR,
    "/chunk_bad_later": Outcome.PROTOCOL_ERROR,
    "/chunk_no_crlf": Outcome.PROTOCOL_ERROR,
    "/chunk_size_2_to_63": Outcome.INCOMPLETE,
    "/chunk_size_2_to_64": Outcome.PROTOCOL_ERROR,
    "/chunk_negative": Outcome.PROTOCOL_ERROR,
    "/chunk_cut": Outcome.INCOMPLETE,
    "/chunk_no_last": Outcome.INCOMPLETE,
    "/chunk_million_tiny": (Outcome.OK, b"x" * 50_000),
    "/chunk_ext_huge": (Outcome.OK, b"hello"),
    "/chunk_trailer_flood": Outcome.HEADERS_TOO_LARGE,
    "/gzip_truncated": Outcome.OK,
    "/gzip_bad_crc": Outcome.OK,
    "/false_gzip": Outcome.OK,
    "/unknown_encoding": Outcome.OK,
    "/gzip_good": Outcome.OK,
    "/not_found": Outcome.HTTP_ERROR,
    "/server_error": Outcome.HTTP_ERROR,
    "/too_many_requests": Outcome.THROTTLED,
    "/unavailable": Outcome.THROTTLED,
    "/unavailable_9999": Outcome.THROTTLED,
    "/redirect": Outcome.REDIRECT,
    "/redirect_loop": Outcome.REDIRECT,
    "/redirect_no_location": Outcome.HTTP_ERROR,
    "/redirect_userinfo": Outcome.REDIRECT,
    "/redirect_utf8": Outcome.REDIRECT,
    "/redirect_spaces": Outcome.REDIRECT,
    "/not_modified": Outcome.NOT_MODIFIED,
    "/set_cookie": (Outcome.OK, b"x"),
    "/blackhole": Outcome.TIMEOUT_FIRST_BYTE,
    "/slow_headers": Outcome.TIMEOUT_FIRST_BYTE,
    "/slow_body": Outcome.TIMEOUT_TOTAL,
    "/stalled_body": Outcome.TIMEOUT_TOTAL,
    "/endless_body": Outcome.TOO_LARGE,
    "/endless_chunks": Outcome.TOO_LARGE,
    "/reset_before_headers": Outcome.RESET,
    "/reset_in_headers": Outcome.RESET,
    "/reset_in_body": Outcome.RESET,
    "/reset_in_chunks": Outcome.RESET,
    "/reset_in_body_without_cl": Outcome.RESET,
}

# Tolerated or refused: the parser is stricter in Python's development mode.
AMBIGUOUS_PATHS = {"/folded_header", "/lf_only_headers"}

Use = Callable[[HostileServer, HttpFetcher], Awaitable[None]]


def url_of(server: HostileServer, path: str, host: str = "127.0.0.1", scheme: str = "http") -> Url:
    url = parse(f"{scheme}://{host}:{server.port}{path}")
    assert isinstance(url, Url)
    return url


def fetcher_for(*, guard: bool = False, hosts: dict[str, str] | None = None, limits: Limits = LIMITS) -> HttpFetcher:
    clock = SystemClock()
    return HttpFetcher(Resolver(hosts or {}, guard, clock), limits, clock, "Opilio/0.1 (+http://o.example)")


async def located(fetcher: HttpFetcher, url: Url) -> Fetched:
    address = await fetcher.locate(url)
    return Fetched(url.href, address) if isinstance(address, Outcome) else await fetcher.fetch(url, address)


def run(use: Use, fetcher: HttpFetcher | None = None) -> None:
    async def inside() -> None:
        mine = fetcher or fetcher_for()
        async with hostile_server() as server:
            try:
                await use(server, mine)
            finally:
                await mine.close()

    asyncio.run(inside())


def test_every_fault_of_the_server_is_expected() -> None:
    assert set(EXPECTED) | AMBIGUOUS_PATHS == set(STATIC) | set(ACTS)


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_every_fault_ends_in_its_outcome(loop: str) -> None:
    """All at once, each on a host of its own, so that the slow ones cost their time only once."""

    async def inside() -> dict[str, Fetched]:
        paths = [*EXPECTED, *AMBIGUOUS_PATHS]
        hosts = {f"h{number}.test": "127.0.0.1" for number in range(len(paths))}
        fetcher = fetcher_for(hosts=hosts)
        async with hostile_server() as server:
            urls = [url_of(server, path, host) for path, host in zip(paths, hosts, strict=True)]
            results = await asyncio.gather(*(located(fetcher, url) for url in urls))
            await fetcher.close()
        assert {path: count for path, count in server.seen.items() if count != 1} == {}
        return dict(zip(paths, results, strict=True))

    results = uvloop.run(inside()) if loop == "uvloop" else asyncio.run(inside())
    assert {results[path].outcome for path in AMBIGUOUS_PATHS} <= {Outcome.OK, Outcome.PROTOCOL_ERROR}
    wrong = {}
    for path, expected in EXPECTED.items():
        outcome, body = expected if isinstance(expected, tuple) else (expected, None)
        fetched = results[path]
        if fetched.outcome is not outcome or (body is not None and fetched.body != body):
            wrong[path] = fetched
        assert fetched.outcome is Outcome.OK or fetched.body == b""
        assert "127.0.0.1" not in fetched.detail
    assert wrong == {}


def test_a_refused_connection_is_an_outcome() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]

    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        server.port = port
        fetched = await located(fetcher, url_of(server, "/"))
        assert (fetched.outcome, fetched.detail) == (Outcome.CONNECT_REFUSED, "ConnectionRefusedError")

    run(use)


def test_a_connection_that_is_never_accepted_times_out() -> None:
    """A full backlog swallows the SYN, as a black-holed address does."""

    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        with socket.socket() as full:
            full.bind(("127.0.0.1", 0))
            full.listen(0)
            server.port = full.getsockname()[1]
            waiting = [socket.socket() for _ in range(4)]
            for one in waiting:
                one.setblocking(False)
                one.connect_ex(full.getsockname())
            assert (await located(fetcher, url_of(server, "/"))).outcome is Outcome.CONNECT_TIMEOUT
            for one in waiting:
                one.close()

    run(use)


def test_tls_with_a_plain_server_is_a_tls_error() -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        server.extra["/"] = STATIC["/good"]
        assert (await located(fetcher, url_of(server, "/", scheme="https"))).outcome in {
            Outcome.TLS_ERROR,
            Outcome.CONNECT_TIMEOUT,  # it waits for the end of a request, and we for its half of the handshake
        }

    run(use)


def test_garbage_in_a_tls_handshake_is_a_tls_error() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(STATIC["/good"])
        writer.close()

    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        plain = await asyncio.start_server(talk, "127.0.0.1", 0)
        server.port = plain.sockets[0].getsockname()[1]
        assert (await located(fetcher, url_of(server, "/", scheme="https"))).outcome is Outcome.TLS_ERROR
        plain.close()

    run(use)


@pytest.mark.parametrize(("names", "days"), [(("localhost",), 30), (("other.example",), 30), (("localhost",), -1)])
def test_a_certificate_that_nobody_vouches_for_is_a_tls_error(
    names: tuple[str, ...], days: int, tmp_path: Path
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(write_certificate(tmp_path, names, days))

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        secure = await asyncio.start_server(talk, "127.0.0.1", 0, ssl=context)
        server.port = secure.sockets[0].getsockname()[1]
        fetched = await located(fetcher, url_of(server, "/", "localhost", "https"))
        assert (fetched.outcome, fetched.detail) == (Outcome.TLS_ERROR, "SSLCertVerificationError")
        secure.close()

    run(use, fetcher_for(hosts={"localhost": "127.0.0.1"}))


def test_what_a_host_asks_for_is_told() -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        fresh = [f"h{number}.test" for number in range(8)]
        paths = ["/too_many_requests", "/unavailable", "/unavailable_9999"]
        told = [await located(fetcher, url_of(server, path, host)) for path, host in zip(paths, fresh, strict=False)]
        assert [(fetched.status, fetched.retry_after_s) for fetched in told] == [
            (429, 120.0),
            (503, None),
            (503, 86_400.0),
        ]
        user = await located(fetcher, url_of(server, "/redirect_userinfo", fresh[3]))
        assert user.location == "http://elsewhere.example/x"
        accent = await located(fetcher, url_of(server, "/redirect_utf8", fresh[4]))
        assert accent.location.endswith("/caf%C3%A9")

    run(use, fetcher_for(hosts={f"h{number}.test": "127.0.0.1" for number in range(8)}))


def test_the_request_says_who_we_are_and_nothing_more() -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        for path in ("/set_cookie", "/good"):
            await asyncio.sleep(0.05)
            assert (await located(fetcher, url_of(server, path))).outcome is Outcome.OK
        for head in server.heads:
            fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:] if line)
            assert fields == {
                "Host": f"127.0.0.1:{server.port}",
                "User-Agent": "Opilio/0.1 (+http://o.example)",
                "Accept": fields["Accept"],
                "Accept-Language": "*",
                "Accept-Encoding": "gzip, deflate, br, zstd",
            }
            assert fields["Accept"].startswith("text/html")

    run(use)


@pytest.mark.parametrize("target", BAD_TARGETS)
def test_a_redirect_to_another_scheme_is_kept_as_text(target: str) -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        server.extra["/away"] = redirect(target)
        fetched = await located(fetcher, url_of(server, "/away"))
        assert (fetched.outcome, fetched.location) == (Outcome.REDIRECT, target)
        assert isinstance(parse(fetched.location), Drop)

    run(use)


@pytest.mark.parametrize("target", PRIVATE_TARGETS)
def test_no_redirect_leads_to_a_private_address(target: str) -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        server.extra["/away"] = redirect(target.encode().decode("latin-1"))
        fetched = await located(fetcher, url_of(server, "/away"))
        url = parse(fetched.location)
        assert isinstance(url, Url)
        guarded = fetcher_for(guard=True)
        assert await guarded.locate(url) is Outcome.ADDRESS_REFUSED
        refused = await guarded.fetch(url, url.host.strip("[]"))
        assert (refused.outcome, refused.address, refused.detail) == (Outcome.ADDRESS_REFUSED, "", "")
        await guarded.close()

    run(use)


def test_a_name_that_moves_after_the_check_is_not_followed() -> None:
    """The address is looked up once; what the name says by the time of the connection does not matter."""
    asked: list[str] = []

    async def lookup(host: str) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.2"]

    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        url = url_of(server, "/good", "rebind.test")
        address = await fetcher.locate(url)
        assert isinstance(address, str)
        fetched = await fetcher.fetch(url, address)
        assert (fetched.outcome, fetched.address, asked) == (Outcome.OK, "127.0.0.1", ["rebind.test"])

    clock = SystemClock()
    run(use, HttpFetcher(Resolver({}, False, clock, ttl_s=0, lookup=lookup), LIMITS, clock, "Opilio/0.1"))


def test_an_address_that_was_never_located_is_refused_again_at_the_fetch() -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        guarded = fetcher_for(guard=True)
        for host, address in [("a.test", "127.0.0.1"), ("127.0.0.1", "8.8.8.8"), ("127.0.0.1", ""), ("a.test", "")]:
            fetched = await guarded.fetch(url_of(server, "/good", host), address)
            assert fetched.outcome is Outcome.ADDRESS_REFUSED
        await guarded.close()
        assert server.seen == {}

    run(use)


@pytest.mark.parametrize("port", [22, 25, 6379, 11211])
def test_ports_of_other_services_are_refused(port: int) -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        server.port = port
        url = url_of(server, "/", "8.8.8.8")
        assert await fetcher.locate(url) is Outcome.PORT_REFUSED
        assert (await fetcher.fetch(url, "8.8.8.8")).outcome is Outcome.PORT_REFUSED

    run(use, fetcher_for(guard=True))


def test_the_operator_may_name_the_ports() -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        server.port = 22
        assert await fetcher.locate(url_of(server, "/", "8.8.8.8")) == "8.8.8.8"
        server.port = 8080
        assert await fetcher.locate(url_of(server, "/", "8.8.8.8")) is Outcome.PORT_REFUSED

    clock = SystemClock()
    run(use, HttpFetcher(Resolver({}, True, clock), LIMITS, clock, "Opilio/0.1", ports={22}))


def test_bytes_before_the_next_answer_do_not_become_it() -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        assert (await located(fetcher, url_of(server, "/cl_long_later"))).body == b"hello"
        await asyncio.sleep(0.1)
        assert (await located(fetcher, url_of(server, "/good"))).body == b"<p>hello"

    run(use)


def test_a_smaller_bound_can_be_asked_for() -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        for host, limit, outcome in [("a.test", 7, Outcome.TOO_LARGE), ("b.test", 8, Outcome.OK)]:
            assert (await fetcher.fetch(url_of(server, "/good", host), "127.0.0.1", Terms(limit))).outcome is outcome
            unsized = url_of(server, "/close_without_cl", f"c{host}")
            assert (await fetcher.fetch(unsized, "127.0.0.1", Terms(limit + 5))).outcome is outcome

    run(use)


@pytest.mark.parametrize("coding", sorted(bombs()))
def test_a_bomb_passes_the_wire_and_stops_in_the_decoder(coding: str) -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        server.extra["/bomb"] = encoded(coding, bombs()[coding])
        fetched = await located(fetcher, url_of(server, "/bomb"))
        assert fetched.outcome is Outcome.OK
        expected = Drop.DECODE_ERROR if "," in coding else Drop.DECODE_LIMIT
        assert decode(fetched.body, fetched.header("content-encoding"), LIMITS.decoded_bytes) is expected

    run(use)


def test_cancelling_a_fetch_cancels_it() -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        task = asyncio.create_task(located(fetcher, url_of(server, "/blackhole")))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(use)


def test_a_dead_proxy_is_a_proxy_error_and_names_are_left_to_it() -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        url = url_of(server, "/good", "somewhere.test")
        assert await fetcher.locate(url) == ""
        assert (await fetcher.fetch(url, "")).outcome is Outcome.PROXY_ERROR
        assert (await fetcher.fetch(url_of(server, "/good", "127.0.0.1"), "")).outcome is Outcome.ADDRESS_REFUSED

    clock = SystemClock()
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        proxy = f"http://localhost:{unused.getsockname()[1]}"
    run(use, HttpFetcher(Resolver({}, False, clock), LIMITS, clock, "Opilio/0.1", proxy=proxy))


def test_a_proxy_is_asked_for_the_whole_url() -> None:
    async def use(server: HostileServer, fetcher: HttpFetcher) -> None:
        clock = SystemClock()
        through = HttpFetcher(
            Resolver({}, False, clock), LIMITS, clock, "Opilio/0.1", proxy=f"http://127.0.0.1:{server.port}"
        )
        server.extra["http://somewhere.test/page"] = STATIC["/good"]
        url = parse("http://somewhere.test/page")
        assert isinstance(url, Url)
        assert (await through.fetch(url, "")).body == b"<p>hello"
        await through.close()

    run(use)
