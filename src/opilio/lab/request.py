"""What a client asks of a served web: the head of an HTTP/1.1 request, and the address that it means. Pure functions.

Rules:
* A proxy is asked for a whole URL; anybody else names the host in a header, and the connection says which scheme it is.
* The port on which a web is served is not part of its addresses: `Host: example.org:8080` means example.org too.
* An address may be asked for by http although it was recorded by https, and the other way round: what was recorded under the
  scheme that is asked for comes first.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from opilio.core.outcome import Drop
from opilio.core.url import parse

_PARTS: Final = 3  # of a request line
_OTHER_SCHEME: Final = {"http": "https", "https": "http"}


class Request(NamedTuple):
    method: str
    target: str
    version: str
    headers: dict[str, str]

    @property
    def has_body(self) -> bool:
        return "transfer-encoding" in self.headers or self.headers.get("content-length", "0") != "0"

    @property
    def closes(self) -> bool:
        """Returns whether the connection ends with the answer. In HTTP/1.0 its end is that of the body, whose length is not
        known beforehand."""
        wishes = self.headers.get("connection", self.headers.get("proxy-connection", "")).lower()
        return "close" in wishes or self.version == "HTTP/1.0"


def read_request(head: bytes) -> Request | None:
    """Reads a request up to its empty line. Returns None if it is not one."""
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    if first.count(" ") != _PARTS - 1:
        return None
    method, target, version = first.split(" ")
    if version not in ("HTTP/1.0", "HTTP/1.1"):
        return None
    fields = [line.partition(":") for line in lines]
    if not all(colon and name.strip() == name and name for name, colon, _ in fields):
        return None
    return Request(method, target, version, {name.lower(): value.strip() for name, _, value in fields})


def addresses(request: Request, scheme: str, port: int) -> Iterator[str]:
    """Yields the addresses that a request may mean, in the order in which they are tried. `scheme` is that of the connection and
    `port` the one on which the web is served."""
    url = request.target
    if url.startswith("/"):
        host = request.headers.get("host", "")
        url = f"{scheme}://{host}{url}" if host else ""
    for given in (url, url.replace(f":{port}/", "/", 1)):
        own, separator, rest = given.partition("://")
        for each in (own, _OTHER_SCHEME.get(own.lower(), own)):
            found = parse(f"{each}{separator}{rest}")
            if not isinstance(found, Drop):
                yield found.href
