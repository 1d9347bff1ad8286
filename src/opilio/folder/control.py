"""The control channel: a second process talks to a running crawl over a socket in the crawl's folder.

One JSON object per line in, one out: `{"command": "pause"}`, `resume`, `stop`, `status`, `set` with a list of
`key=value` settings, or `mark` with a URL and whether its page belongs. The socket can be reached by whoever can write
to the folder, and by nobody from outside.
"""

import asyncio
import os
import socket
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from opilio.core.errors import CrawlDirError, OpilioError

from .database import refuse_cycles
from .paths import CrawlFolder

_LONGEST_PATH: Final = 100  # a socket's path has to fit into 104 to 108 bytes
Apply = Callable[[dict[str, Any]], dict[str, Any]]


class ControlServer:
    def __init__(self, folder: CrawlFolder, apply: Apply) -> None:
        self._path = socket_path(folder)
        self._apply = apply
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self._path.unlink(missing_ok=True)  # left by a kill: whoever holds the folder's lock knows that nobody uses it
        mask = os.umask(0o177)  # nobody else, from the first moment on
        try:
            self._server = await asyncio.start_unix_server(self._talk, self._path)
        finally:
            os.umask(mask)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._path.unlink(missing_ok=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                writer.write(msgspec.json.encode(self._answer(line)) + b"\n")
                await writer.drain()
        except (ConnectionError, ValueError):
            pass  # the other side is gone, or sent a line that does not end
        finally:
            writer.close()

    def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            return {"ok": True, **self._apply(msgspec.json.decode(line, type=dict[str, Any]))}
        except (OpilioError, msgspec.MsgspecError) as error:
            return {"ok": False, "error": str(error)}


def ask(folder: CrawlFolder, command: str, **fields: Any) -> dict[str, Any]:
    """Sends one command to the crawl that runs in this folder and returns its answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(30.0)
        try:
            connection.connect(str(socket_path(folder)))
        except OSError as error:
            refuse_cycles(folder)
            raise CrawlDirError(
                f"no crawl is running in {folder.path}. `opilio crawl {folder.path}` starts it."
            ) from error
        connection.sendall(msgspec.json.encode({"command": command, **fields}) + b"\n")
        with connection.makefile("rb") as answers:
            answer: dict[str, Any] = msgspec.json.decode(answers.readline())
    if not answer.pop("ok"):
        raise OpilioError(str(answer["error"]))
    return answer


def socket_path(folder: CrawlFolder) -> Path:
    path = folder.control.resolve()
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        return path
    name = sha256(os.fsencode(path)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"opilio-{os.getuid()}-{name}.sock"
