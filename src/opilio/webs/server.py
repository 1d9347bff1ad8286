"""A web on loopback addresses, served by another process so that it takes no time of the crawler's process.

    with LoopbackServer("demo", log=path) as server:
        server.hosts   # {"cats-en.test": "127.1.0.1", …}: the crawler's name → address map
        server.port    # the same on every address

The process ends with the `with` block, and with its parent if that dies: it watches its standard input.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Self

import msgspec

from opilio.core.errors import OpilioError

from .address import BASE
from .listener import Options, Ready

_STOP_TIMEOUT_S = 10.0


class LoopbackServer:
    def __init__(
        self,
        web: str,
        *,
        port: int = 0,
        base: str = BASE,
        share: int = 0,
        crowd: int = 0,
        literal: bool = False,
        log: Path | None = None,
    ) -> None:
        self._options = Options(web, port, base, share, crowd, literal, str(log) if log else "", until_eof=True)
        self._process: subprocess.Popen[bytes] | None = None
        self.hosts: dict[str, str] = {}
        self.port = 0
        self.note = ""  # for people: why the addresses are not the requested ones

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    def origin(self, host: str) -> str:
        """Returns how links to a host begin in this web."""
        return f"http://{self.hosts[host] if self._options.literal else host}:{self.port}"

    def start(self) -> None:
        """Returns when every address accepts connections."""
        command = [sys.executable, "-m", "opilio.webs.listener", msgspec.json.encode(self._options).decode()]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(  # noqa: S603  # our own module and a JSON value, no shell
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        ready = msgspec.json.decode(line, type=Ready) if line else Ready(error="its process died at once")
        if ready.error:
            self.stop()
            raise OpilioError(f"cannot serve the web {self._options.web!r}: {ready.error}")
        self.hosts, self.port, self.note = ready.hosts, ready.port, ready.note

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        try:
            process.communicate(timeout=_STOP_TIMEOUT_S)  # closes its standard input
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
