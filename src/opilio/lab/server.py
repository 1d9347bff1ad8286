"""A recorded web on a loopback port, for any crawler: as an HTTP proxy, and by the Host header.

Rules:
* Answers are as they were recorded: status, headers, redirects and the encoded body; only what belongs to a connection
  (lengths, transfer codings) is made anew. An address that was not recorded gives 404, and so does its robots.txt.
* https needs a certificate (PEM, with its key): a proxy is then asked to CONNECT, and answers for every host. Without one,
  addresses that were recorded by https answer by http.
* Only GET and HEAD are answered.

Invariant: whatever clients do, there are at most `_CONNECTIONS` of them, and each costs a head of `_HEAD_BYTES`, a piece of
`_PIECE_BYTES` and `_PATIENCE_S` seconds of silence.
"""

import asyncio
import contextlib
import ssl
from http import HTTPStatus
from typing import Final

from opilio.fetch.recorded import RecordedWeb, Stored

from .request import Request, addresses, read_request

_LOOPBACK: Final = "127.0.0.1"
_CONNECTIONS: Final = 256
_HEAD_BYTES: Final = 2**16
_PIECE_BYTES: Final = 2**16
_PATIENCE_S: Final = 60.0
_OF_THE_CONNECTION: Final = frozenset(
    b"connection keep-alive proxy-connection te trailer transfer-encoding upgrade content-length".split()
)
_BODILESS: Final = frozenset({204, 304})
_NO_CERTIFICATE: Final = "https needs a certificate: serve the web with one, or ask for the same address by http."


class Server:
    def __init__(self, web: RecordedWeb, certificate: ssl.SSLContext | None = None) -> None:
        self._web = web
        self._certificate = certificate
        self._clients: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def start(self, port: int) -> asyncio.Server:
        server = await asyncio.start_server(self._connected, _LOOPBACK, port, limit=_HEAD_BYTES)
        self.port = server.sockets[0].getsockname()[1]
        return server

    def drop_clients(self) -> None:
        """Cuts off whoever is connected."""
        for client in self._clients:
            client.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients.add(writer)
        try:
            if len(self._clients) > _CONNECTIONS:
                await _say(writer, HTTPStatus.SERVICE_UNAVAILABLE, "too many connections")
            else:
                await self._converse(reader, writer)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the client is gone, silent or talks without end
        finally:
            self._clients.discard(writer)
            with contextlib.suppress(OSError):
                writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one request after the other."""
        scheme = "http"
        while True:
            async with asyncio.timeout(_PATIENCE_S):
                head = await reader.readuntil(b"\r\n\r\n")
            request = read_request(head)
            if request is None or request.has_body:
                await _say(writer, HTTPStatus.BAD_REQUEST, "a request has a line, headers and no body")
                return
            if request.method == "CONNECT":
                if not await self._secure(writer):
                    return
                scheme = "https"
                continue
            await self._answer(request, scheme, writer)
            if request.closes:
                return

    async def _secure(self, writer: asyncio.StreamWriter) -> bool:
        """Makes a tunnel to any host end here. Returns False if that cannot be."""
        if self._certificate is None:
            await _say(writer, HTTPStatus.NOT_IMPLEMENTED, _NO_CERTIFICATE)
            return False
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await writer.start_tls(self._certificate, ssl_handshake_timeout=_PATIENCE_S)
        return True

    async def _answer(self, request: Request, scheme: str, writer: asyncio.StreamWriter) -> None:
        if request.method not in ("GET", "HEAD"):
            await _say(writer, HTTPStatus.METHOD_NOT_ALLOWED, "a recorded web knows GET and HEAD", request)
            return
        for href in addresses(request, scheme, self.port):
            if (stored := self._web.open(href)) is not None:
                await _send(writer, stored, request)
                return
        await _say(writer, HTTPStatus.NOT_FOUND, "this address was not recorded", request)


async def _send(writer: asyncio.StreamWriter, stored: Stored, request: Request) -> None:
    """Sends a record piece by piece, each when the client has taken the one before."""
    chunked = request.version == "HTTP/1.1"
    has_body = request.method == "GET" and stored.status not in _BODILESS
    fields = [field for field in stored.headers if field[0].lower() not in _OF_THE_CONNECTION]
    if has_body:
        fields.append((b"Transfer-Encoding", b"chunked") if chunked else (b"Connection", b"close"))
    writer.write(_head(stored.status, fields))
    while has_body and (piece := stored.read(_PIECE_BYTES)):
        writer.write(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
        await _drain(writer)
    if has_body and chunked:
        writer.write(b"0\r\n\r\n")
    await _drain(writer)


async def _say(writer: asyncio.StreamWriter, status: HTTPStatus, words: str, request: Request | None = None) -> None:
    body = f"{words}\n".encode()
    fields = [(b"Content-Type", b"text/plain; charset=utf-8"), (b"Content-Length", str(len(body)).encode())]
    writer.write(_head(status, fields) + (b"" if request and request.method == "HEAD" else body))
    await _drain(writer)


async def _drain(writer: asyncio.StreamWriter) -> None:
    async with asyncio.timeout(_PATIENCE_S):
        await writer.drain()


def _head(status: int, fields: list[tuple[bytes, bytes]]) -> bytes:
    phrase = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else ""
    lines = (b"%b: %b" % (name, value.replace(b"\r", b" ").replace(b"\n", b" ")) for name, value in fields)
    return b"\r\n".join([f"HTTP/1.1 {status} {phrase}".encode(), *lines, b"", b""])
