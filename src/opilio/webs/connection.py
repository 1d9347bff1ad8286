"""One HTTP/1.1 connection of the loopback server: keep-alive, GET and HEAD, requests in a row, nothing else.

Rules: the Host field decides which host answers; an unknown one gets 421. A request that cannot be read gets 400, and
the connection is closed. Only printable characters of a request get into the log. A request that does not end within 64
KiB ends the connection.
"""

import asyncio
import re
from collections.abc import Mapping
from http import HTTPStatus
from itertools import count
from typing import Final, NamedTuple

from .demo import Answer
from .demo.answer import text_answer
from .journal import Journal, Served
from .web import Web

_REQUEST_LINE: Final = re.compile(rb"(GET|HEAD) ([!-~]+) HTTP/1\.([01])\r\n")
_HOST_FIELD: Final = re.compile(rb"\r\nhost:[ \t]*([!-~]*)", re.IGNORECASE)
_CONNECTION_FIELD: Final = re.compile(rb"\r\nconnection:[ \t]*(close|keep-alive)", re.IGNORECASE)
_PHRASES: Final = {status.value: status.phrase for status in HTTPStatus}
_HEAD_BYTES: Final = 64 * 2**10
_BAD_REQUEST: Final = text_answer("The request cannot be read.\n", status=400)
_UNKNOWN_HOST: Final = text_answer("There is no such host here.\n", status=421)
_numbers = count(1)


class Context(NamedTuple):
    """What all connections to one address share."""

    web: Web
    names: Mapping[str, str]  # content of the Host field without the port → the host that answers
    journal: Journal
    address: str
    peers: set[asyncio.Transport]  # all open connections of the server


class Connection(asyncio.Protocol):
    def __init__(self, context: Context) -> None:
        self._web, self._names, self._journal, self._address, self._peers = context
        self._id = next(_numbers)
        self._buffer = b""
        self._unsent: list[Served] = []
        self._paused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._peers.add(self._transport)
        # Writing is paused exactly while bytes wait, so the log knows when they were sent.
        self._transport.set_write_buffer_limits(high=0)
        self._journal.opened(self._id, self._address)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0 and not self._transport.is_closing():
            head, self._buffer = self._buffer[: end + 2], self._buffer[end + 4 :]
            self._serve(head)
        if len(self._buffer) > _HEAD_BYTES:
            self._transport.abort()

    def pause_writing(self) -> None:
        self._paused = True

    def resume_writing(self) -> None:
        self._paused = False
        self._note(self._journal.now())

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._note(self._journal.now())
        self._peers.discard(self._transport)
        self._journal.closed(self._id)

    def _serve(self, head: bytes) -> None:
        start_s = self._journal.now()
        line, host = _REQUEST_LINE.match(head), _HOST_FIELD.search(head)
        if not line or not host:
            self._send(
                _BAD_REQUEST,
                Served(start_s, self._id, self._address, "-", "-", 400, len(_BAD_REQUEST.body)),
                keep=False,
            )
            return
        written, target = host[1].decode("ascii").lower(), line[2].decode("ascii")
        name = self._names.get(written.partition(":")[0])
        answer = self._web.answer(name, target) if name else _UNKNOWN_HOST
        wish = _CONNECTION_FIELD.search(head)
        keep = wish[1].lower() == b"keep-alive" if wish else line[3] == b"1"
        size = len(answer.body) if line[1] == b"GET" else 0
        self._send(answer, Served(start_s, self._id, self._address, written, target, answer.status, size), keep)

    def _send(self, answer: Answer, served: Served, keep: bool) -> None:
        fields = "".join([f"{name}: {value}\r\n" for name, value in answer.headers])
        fields += f"Content-Length: {len(answer.body)}\r\n" + ("" if keep else "Connection: close\r\n")
        status = f"{answer.status} {_PHRASES.get(answer.status, 'Other')}"
        head = f"HTTP/1.1 {status}\r\n{fields}\r\n".encode("latin-1", "replace")
        self._unsent.append(served)
        end_s = self._journal.now()
        self._transport.write(head + answer.body[: served.size_bytes])
        if not self._paused:
            self._note(end_s)
        if not keep:
            self._transport.close()

    def _note(self, end_s: float) -> None:
        for served in self._unsent:
            self._journal.answered(served, end_s)
        self._unsent.clear()
