"""A server that misbehaves on purpose: one path per fault, on a loopback port of its own.

Raw sockets, so that it can say what no HTTP library would. `seen` counts the requests per path.
"""

import asyncio
import gzip
import socket
import struct
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import lru_cache

import brotli
import zstandard

Act = Callable[[asyncio.StreamWriter], Awaitable[None]]

_BOMB_BYTES = 64 * 2**20


def answer(head: str, body: bytes = b"", status: str = "200 OK") -> bytes:
    fields = f"{head}\r\n" if head else ""
    return f"HTTP/1.1 {status}\r\n{fields}\r\n".encode("latin-1") + body


def sized(body: bytes, head: str = "Content-Type: text/html", status: str = "200 OK") -> bytes:
    return answer(f"{head}\r\nContent-Length: {len(body)}", body, status)


def encoded(coding: str, body: bytes) -> bytes:
    return sized(body, f"Content-Encoding: {coding}")


def redirect(target: str, status: str = "302 Found") -> bytes:
    return answer(f"Location: {target}\r\nContent-Length: 0", b"", status)


def chunked(body: bytes) -> bytes:
    return answer("Transfer-Encoding: chunked", body)


@lru_cache(maxsize=1)
def bombs() -> dict[str, bytes]:
    zeros = bytes(_BOMB_BYTES)
    packed = gzip.compress(zeros, 9)
    return {
        "gzip": packed,
        "deflate": zlib.compress(zeros, 9),
        "br": brotli.compress(zeros, quality=5),
        "zstd": zstandard.ZstdCompressor(3).compress(zeros),
        "gzip, gzip": gzip.compress(packed, 9),
    }


# Answers that are written at once, after which the server closes.
STATIC: dict[str, bytes] = {
    "/good": sized(b"<p>hello"),
    "/close_without_cl": answer("Content-Type: text/html", b"<p>to the end"),
    "/chunked": chunked(b"5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"),
    "/empty_200": sized(b""),
    "/no_content": answer("", status="204 No Content"),
    "/no_status_line": b"Content-Type: text/html\r\n\r\nhello",
    "/status_line_only": b"HTTP/1.1 200 OK\r\n",
    "/status_999": sized(b"x", status="999 Denied"),
    "/status_colon": b"HTTP/1.1: 200 OK\r\n\r\nx",
    "/status_text": b"HTTP/1.1 abc OK\r\n\r\nx",
    "/http09": b"<html>hello</html>",
    "/http2_preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "/garbage": bytes(range(256)) * 8,
    "/tls_hello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64),
    "/switch_protocols": answer("Upgrade: websocket\r\nConnection: Upgrade", status="101 Switching Protocols"),
    "/nothing": b"",
    "/utf8_header": sized(b"x", "X-Name: \u00c3\u00a9t\u00c3\u00a9"),
    "/latin_header": sized(b"x", "X-Name: \u00e9t\u00e9"),
    "/nul_in_header": sized(b"x", "X-Name: a\0b"),
    "/folded_header": sized(b"x", "X-Name: a\r\n  b"),
    "/lf_only_headers": b"HTTP/1.1 200 OK\nContent-Length: 1\n\nx",
    "/many_headers": sized(b"x", "\r\n".join(f"X-{n}: y" for n in range(500))),
    "/one_huge_header": sized(b"x", "X-Huge: " + "y" * 2_000_000),
    "/headers_too_large_in_sum": sized(b"x", "\r\n".join(f"X-{n}: {'y' * 15_000}" for n in range(6))),
    "/cl_short": answer("Content-Length: 1000", b"short"),
    "/cl_long": answer("Content-Length: 5", b"hello and more"),
    "/cl_negative": answer("Content-Length: -5", b"hello"),
    "/cl_nan": answer("Content-Length: five", b"hello"),
    "/cl_twice_differ": answer("Content-Length: 5\r\nContent-Length: 6", b"hello!"),
    "/cl_and_chunked": answer("Content-Length: 3\r\nTransfer-Encoding: chunked", b"5\r\nhello\r\n0\r\n\r\n"),
    "/cl_huge": answer("Content-Length: 999999999999", b"hello"),
    "/chunk_bad_size": chunked(b"zz\r\nhello\r\n0\r\n\r\n"),
    "/chunk_no_crlf": chunked(b"5\r\nhelloXX0\r\n\r\n"),
    "/chunk_size_2_to_63": chunked(b"8000000000000000\r\nhello\r\n0\r\n\r\n"),
    "/chunk_size_2_to_64": chunked(b"10000000000000000\r\nhello\r\n0\r\n\r\n"),
    "/chunk_negative": chunked(b"-5\r\nhello\r\n0\r\n\r\n"),
    "/chunk_cut": chunked(b"5\r\nhel"),
    "/chunk_no_last": chunked(b"5\r\nhello\r\n"),
    "/chunk_million_tiny": chunked(b"1\r\nx\r\n" * 50_000 + b"0\r\n\r\n"),
    "/chunk_ext_huge": chunked(b"5;" + b"x" * 1_000_000 + b"\r\nhello\r\n0\r\n\r\n"),
    "/chunk_trailer_flood": chunked(b"5\r\nhello\r\n0\r\n" + b"X-T: y\r\n" * 50_000 + b"\r\n"),
    "/gzip_truncated": encoded("gzip", gzip.compress(b"hello" * 999)[:-20]),
    "/gzip_bad_crc": encoded("gzip", gzip.compress(b"hello" * 999)[:-8] + bytes(8)),
    "/false_gzip": encoded("gzip", b"<p>not gzip"),
    "/unknown_encoding": encoded("rot13", b"uryyb"),
    "/gzip_good": encoded("gzip", gzip.compress(b"<p>hello")),
    "/not_found": sized(b"gone", status="404 Not Found"),
    "/server_error": sized(b"oops", status="500 Internal Server Error"),
    "/too_many_requests": sized(b"", "Retry-After: 120", "429 Too Many Requests"),
    "/unavailable": sized(b"", "X: y", "503 Service Unavailable"),
    "/unavailable_9999": sized(b"", "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT", "503 Service Unavailable"),
    "/redirect": redirect("/good"),
    "/redirect_loop": redirect("/redirect_loop"),
    "/redirect_no_location": answer("Content-Length: 0", status="302 Found"),
    "/redirect_userinfo": redirect("http://user:secret@elsewhere.example/x#y"),
    "/redirect_utf8": redirect("/caf\u00c3\u00a9"),
    "/redirect_spaces": redirect("  /a b  "),
    "/not_modified": answer("", status="304 Not Modified"),
    "/set_cookie": sized(b"x", "Set-Cookie: a=b\r\nSet-Cookie: " + "c" * 9000),
    "/early_hints": answer("Link: </x>", status="103 Early Hints") + sized(b"<p>hello"),
}

BAD_TARGETS: tuple[str, ...] = (
    "file:///etc/passwd",
    "data:text/html,hello",
    "ftp://files.example/x",
    "javascript:alert(1)",
    "gopher://old.example/1",
    "http://",
)

PRIVATE_TARGETS: tuple[str, ...] = (
    "http://127.0.0.1/",
    "http://10.1.2.3/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:7f00:1::]/",
    "http://0xA9FEA9FE/",
    "http://2852039166/",
    "http://0251.0376.0251.0376/",
    "http://127.1/",
    "http://\u2460\u2461\u2466.0.0.1/",
    "http://0.0.0.0/",
    "http://224.0.0.1/",
    "http://100.64.0.1/",
    "http://[fd00:ec2::254]/",
    "http://168.63.129.16/",
)


async def _forever(writer: asyncio.StreamWriter, piece: bytes, pause_s: float = 0.0) -> None:
    while True:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(pause_s)


async def _blackhole(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(3600)


async def _slow_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    await _forever(writer, b"y", 0.05)


async def _slow_body(writer: asyncio.StreamWriter) -> None:
    writer.write(answer("Content-Length: 1000000"))
    await _forever(writer, b"y", 0.05)


async def _stalled_body(writer: asyncio.StreamWriter) -> None:
    writer.write(answer("Content-Length: 1000000", b"y"))
    await asyncio.sleep(3600)


async def _endless_body(writer: asyncio.StreamWriter) -> None:
    writer.write(answer("Content-Type: text/html"))
    await _forever(writer, b"y" * 65_536)


async def _endless_chunks(writer: asyncio.StreamWriter) -> None:
    writer.write(answer("Transfer-Encoding: chunked"))
    await _forever(writer, b"1000\r\n" + b"y" * 4096 + b"\r\n")


async def _endless_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    await _forever(writer, b"X-Again: y\r\n" * 1000)


async def _endless_line(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    await _forever(writer, b"y" * 65_536)


async def _endless_1xx(writer: asyncio.StreamWriter) -> None:
    await _forever(writer, b"HTTP/1.1 100 Continue\r\n\r\n" * 100)


def _reset(writer: asyncio.StreamWriter) -> None:
    peer: socket.socket = writer.get_extra_info("socket")
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def _reset_after(data: bytes) -> Act:
    async def act(writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()
        await asyncio.sleep(0.05)
        _reset(writer)

    return act


def _in_two(first: bytes, second: bytes) -> Act:
    async def act(writer: asyncio.StreamWriter) -> None:
        writer.write(first)
        await writer.drain()
        await asyncio.sleep(0.05)
        writer.write(second)
        await writer.drain()

    return act


ACTS: dict[str, Act] = {
    "/blackhole": _blackhole,
    "/slow_headers": _slow_headers,
    "/slow_body": _slow_body,
    "/stalled_body": _stalled_body,
    "/endless_body": _endless_body,
    "/endless_chunks": _endless_chunks,
    "/endless_headers": _endless_headers,
    "/endless_line": _endless_line,
    "/endless_1xx": _endless_1xx,
    "/chunk_bad_later": _in_two(chunked(b"5\r\nhello\r\n"), b"zz\r\nhello\r\n0\r\n\r\n"),
    "/cl_long_later": _in_two(answer("Content-Length: 5", b"hello"), b" and more"),
    "/cl_short_later": _in_two(answer("Content-Length: 50", b"hello"), b" and more"),
    "/split_headers": _in_two(b"HTTP/1.1 200 OK\r\nContent-Le", b"ngth: 5\r\n\r\nhello"),
    "/reset_before_headers": _reset_after(b""),
    "/reset_in_headers": _reset_after(b"HTTP/1.1 200 OK\r\nContent-"),
    "/reset_in_body": _reset_after(answer("Content-Length: 1000", b"hello")),
    "/reset_in_chunks": _reset_after(chunked(b"5\r\nhel")),
    "/reset_in_body_without_cl": _reset_after(answer("Content-Type: text/html", b"hello")),
}


class HostileServer:
    def __init__(self) -> None:
        self.port = 0
        self.seen: Counter[str] = Counter()
        self.heads: list[bytes] = []
        self.extra: dict[str, bytes] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await self._answer(reader, writer)
        self._tasks.discard(task)
        writer.transport.abort() if writer.transport.is_closing() else writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ", 2)[1].decode()
        self.seen[path] += 1
        self.heads.append(head)
        if path in ACTS:
            await ACTS[path](writer)
        else:
            writer.write(self.extra.get(path) or STATIC.get(path, b""))
            await writer.drain()

    def cancel(self) -> None:
        for task in self._tasks:
            task.cancel()


@asynccontextmanager
async def hostile_server() -> AsyncIterator[HostileServer]:
    hostile = HostileServer()
    server = await asyncio.start_server(hostile.serve, "127.0.0.1", 0, limit=2**20)
    hostile.port = server.sockets[0].getsockname()[1]
    try:
        yield hostile
    finally:
        server.close()
        hostile.cancel()
        await asyncio.sleep(0)
