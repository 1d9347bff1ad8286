"""One request, one `Fetched`: bytes from a hostile network over HTTP/1.1, bounded on every side.

Rules:
* `locate` checks port and address; `fetch` connects to that address only. Both are called for each hop.
* No request is repeated, no redirect followed, no cookie kept, no Referer or environment proxy used, and no credential
  but one that the caller gives: the engine, which enforces politeness, decides about every single request.
* Bodies stay encoded; `decode` decodes them elsewhere, with its own bound.
* A failure is an outcome. The only exception that leaves `fetch` is cancellation.

Invariant: at most `connections` sockets and one per host; a body never takes more memory than its limit plus one read
buffer, and all together little more than `received_bytes`.
"""

from collections.abc import Container
from typing import Final

import aiohttp
from yarl import URL

from opilio.core.clock import Clock
from opilio.core.items import Fetched
from opilio.core.limits import Limits
from opilio.core.outcome import Outcome
from opilio.core.url import Url

from .address import is_literal, is_public
from .attempt import Attempt
from .connector import Connector
from .pin import pinned
from .port import is_web_port
from .reception import Reception
from .resolve import Resolver
from .terms import TERMS, Terms

_ACCEPT: Final = "text/html, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.1"
_CODINGS: Final = "gzip, deflate, br, zstd"
_READ_BYTES: Final = 2**16


class HttpFetcher:
    """Implements `Fetcher`. Opens its session at the first fetch, in the event loop that runs then. A proxy resolves names
    itself, so with one only literal addresses can be checked here. `received_bytes` bounds the bodies that are being received
    together. `ports` replaces the built-in list of allowed ports;
    without the guard every port is allowed."""

    def __init__(
        self,
        resolver: Resolver,
        limits: Limits,
        clock: Clock,
        user_agent: str,
        *,
        accept_language: str = "*",
        proxy: str | None = None,
        connections: int = 256,
        ports: Container[int] | None = None,
        received_bytes: int = 2**24,
    ) -> None:
        self._resolver = resolver
        self._limits = limits
        self._clock = clock
        self._proxy = proxy
        self._connections = connections
        self._ports = ports
        self._reception = Reception(received_bytes)
        self._headers = {
            "User-Agent": user_agent,
            "Accept": _ACCEPT,
            "Accept-Language": accept_language,
            "Accept-Encoding": _CODINGS,
        }
        self._session: aiohttp.ClientSession | None = None

    async def locate(self, url: Url) -> str | Outcome:
        if not self._port_allowed(url.port):
            return Outcome.PORT_REFUSED
        if self._proxy and not is_literal(url.host):
            return ""
        answer = await self._resolver.resolve(url.host)
        return answer if isinstance(answer, Outcome) else answer[0]

    async def fetch(self, url: Url, address: str, terms: Terms = TERMS) -> Fetched:
        started_s = self._clock.now()
        if (refusal := self._refusal(url, address)) is not None:
            return Fetched(url.href, refusal, started_s=started_s)
        pinned.set(address)
        limit = self._limits.body_bytes if terms.max_bytes is None else terms.max_bytes
        attempt = Attempt(url, self._limits, limit, started_s, self._reception, cut=terms.cut)
        outcome = await attempt.run(self._session or self._open(), terms.method, terms.headers)
        return Fetched(
            url.href,
            outcome,
            attempt.status,
            attempt.headers,
            attempt.body,
            attempt.location,
            attempt.retry_after_s,
            address,
            started_s,
            self._clock.now() - started_s,
            attempt.detail,
        )

    async def close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()
        self._resolver.close()

    def _port_allowed(self, port: int) -> bool:
        if not self._resolver.guard:
            return True
        return is_web_port(port) if self._ports is None else port in self._ports

    def _refusal(self, url: Url, address: str) -> Outcome | None:
        """Checks again, in case the address did not come from `locate`. For a literal host the library does not ask the
        resolver, so `address` has to equal the literal."""
        if not self._port_allowed(url.port):
            return Outcome.PORT_REFUSED
        literal = is_literal(url.host)
        if not address:
            return Outcome.ADDRESS_REFUSED if literal or not self._proxy else None
        if literal and url.host.strip("[]") != address:
            return Outcome.ADDRESS_REFUSED
        return Outcome.ADDRESS_REFUSED if self._resolver.guard and not is_public(address) else None

    def _open(self) -> aiohttp.ClientSession:
        limits = self._limits
        self._session = aiohttp.ClientSession(
            connector=Connector(self._connections, URL(self._proxy).host if self._proxy else None),
            headers=self._headers,
            proxy=self._proxy,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(
                total=None, connect=None, sock_connect=limits.connect_s, sock_read=limits.first_byte_s
            ),
            auto_decompress=False,
            trust_env=False,
            read_bufsize=_READ_BYTES,
            max_line_size=limits.header_line_bytes,
            max_field_size=limits.header_line_bytes,
            max_headers=limits.header_fields,
        )
        return self._session
