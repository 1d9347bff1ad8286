"""nginx over a folder per loopback address: the server that costs a benchmark the least.

One process in the foreground, no log, no compression, everything it writes in its own folder. It listens on the given
loopback addresses only, and ends with the `with` block.
"""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from opilio.core.errors import OpilioError

_PATIENCE_S: Final = 10.0
_SETTINGS: Final = """\
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log error;
worker_rlimit_nofile 16384;
events {{ worker_connections 8192; }}
http {{
  access_log off;
  gzip off;
  types {{ text/plain txt; }}
  default_type text/html;
  charset utf-8;
  keepalive_requests 1000000;
  {temporary}
  server {{
    {listen}
    root {root}/$server_addr;
    index index.html;
  }}
}}
"""


def find_nginx() -> str:
    """Returns the path of the program, or "" where there is none."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin") or ""


class Nginx:
    def __init__(self, program: str, folder: Path, root: Path, addresses: Iterable[str], port: int) -> None:
        self._program = program
        self._folder = folder
        self._root = root
        self._addresses = list(addresses)
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        settings = self._folder / "nginx.conf"
        settings.write_text(self._settings(), "utf-8")
        self._process = subprocess.Popen(
            [self._program, "-p", str(self._folder), "-c", str(settings)],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,  # complains about the system's log files; its errors are in error.log
        )
        try:
            self._await(self._process)
        except OpilioError:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _settings(self) -> str:
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        return _SETTINGS.format(
            folder=self._folder,
            root=self._root,
            temporary=" ".join(f"{kind}_temp_path {self._folder}/{kind};" for kind in kinds),
            listen=" ".join(f"listen {address}:{self._port};" for address in self._addresses),
        )

    def _await(self, process: subprocess.Popen[bytes]) -> None:
        """Returns when the last address accepts connections."""
        until_s = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until_s and process.poll() is None:
            try:
                socket.create_connection((self._addresses[-1], self._port), timeout=1.0).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        log = self._folder / "error.log"
        cause = log.read_text("utf-8", "replace").strip()[-500:] if log.exists() else "it said nothing"
        raise OpilioError(f"nginx does not serve on port {self._port}: {cause}")
