"""What the HTTP library may raise, and the outcome of each. The faults that a server can cause are tested with a server."""

import asyncio
import socket
import ssl

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.http_exceptions import BadStatusLine, LineTooLong, TransferEncodingError
from yarl import URL

from opilio.core.outcome import Outcome
from opilio.fetch.failure import DroppedError, failure, failure_name
from opilio.fetch.pin import PinnedResolver, pinned

KEY = ConnectionKey("a.example", 443, True, True, None, None, None)
REQUEST = aiohttp.RequestInfo(URL("http://a.example/"), "GET", None, URL("http://a.example/"))  # type: ignore[arg-type]


def _caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "before", "after"),
    [
        (TimeoutError(), Outcome.TIMEOUT_FIRST_BYTE, Outcome.TIMEOUT_TOTAL),
        (aiohttp.SocketTimeoutError(), Outcome.TIMEOUT_FIRST_BYTE, Outcome.TIMEOUT_TOTAL),
        (aiohttp.ConnectionTimeoutError(), Outcome.CONNECT_TIMEOUT, Outcome.CONNECT_TIMEOUT),
        (DroppedError(), Outcome.RESET, Outcome.RESET),
        (ConnectionResetError(), Outcome.RESET, Outcome.RESET),
        (aiohttp.ServerDisconnectedError(), Outcome.RESET, Outcome.RESET),
        (aiohttp.ClientConnectionError(), Outcome.RESET, Outcome.RESET),
        (aiohttp.ClientConnectorError(KEY, ConnectionRefusedError(111, "x")), Outcome.CONNECT_REFUSED, None),
        (aiohttp.ClientConnectorError(KEY, OSError(113, "no route")), Outcome.CONNECT_REFUSED, None),
        (aiohttp.ClientConnectorDNSError(KEY, OSError("x")), Outcome.DNS_ERROR, None),
        (aiohttp.ClientConnectorSSLError(KEY, ssl.SSLError(1, "x")), Outcome.TLS_ERROR, None),
        (aiohttp.ClientConnectorCertificateError(KEY, ssl.CertificateError("x")), Outcome.TLS_ERROR, None),
        (ssl.SSLError(1, "x"), Outcome.TLS_ERROR, Outcome.TLS_ERROR),
        (aiohttp.ClientProxyConnectionError(KEY, OSError(111, "x")), Outcome.PROXY_ERROR, None),
        (aiohttp.ClientHttpProxyError(REQUEST, (), status=502), Outcome.PROXY_ERROR, None),
        (aiohttp.ClientResponseError(REQUEST, (), message="x"), Outcome.PROTOCOL_ERROR, None),
        (aiohttp.InvalidURL("x"), Outcome.PROTOCOL_ERROR, None),
        (ValueError("x"), Outcome.PROTOCOL_ERROR, Outcome.PROTOCOL_ERROR),
        (aiohttp.ClientError(), Outcome.PROTOCOL_ERROR, Outcome.PROTOCOL_ERROR),
        (BadStatusLine("x"), Outcome.PROTOCOL_ERROR, Outcome.PROTOCOL_ERROR),
        (LineTooLong(b"x"), Outcome.HEADERS_TOO_LARGE, Outcome.HEADERS_TOO_LARGE),
        (aiohttp.ClientPayloadError("x"), Outcome.PROTOCOL_ERROR, Outcome.PROTOCOL_ERROR),
        (
            _caused(aiohttp.ClientPayloadError("Response payload is not completed"), TransferEncodingError("x")),
            Outcome.INCOMPLETE,
            Outcome.INCOMPLETE,
        ),
        (aiohttp.ClientPayloadError("ConnectionResetError(104)"), Outcome.RESET, Outcome.RESET),
    ],
)
def test_every_exception_has_its_outcome(error: Exception, before: Outcome, after: Outcome | None) -> None:
    assert failure(error, headers_seen=False) is before
    assert after is None or failure(error, headers_seen=True) is after


def test_the_name_is_that_of_the_innermost_cause() -> None:
    assert failure_name(_caused(ValueError("10.0.0.1"), _caused(OSError(), KeyError()))) == "KeyError"
    assert failure_name(_caused(TimeoutError(), KeyError())) == "TimeoutError"


def test_without_a_pin_there_is_no_address() -> None:
    async def ask() -> None:
        resolver = PinnedResolver("proxy.example")
        with pytest.raises(OSError, match="no address was checked"):
            await resolver.resolve("a.example", 80)
        pinned.set("2606:4700::1")
        [found] = await resolver.resolve("anything.example", 81)
        assert (found["host"], found["port"], found["family"]) == ("2606:4700::1", 81, socket.AF_INET6)
        await resolver.close()

    asyncio.run(ask())
