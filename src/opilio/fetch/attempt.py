"""One request in progress. Its fields are filled in as far as the request gets; then a `Fetched` is made from them.

Rules: a single timer guards it, first against headers that arrive too slowly, then as a whole; bodies of redirects and
errors are not read; a body that comes too slowly is given up; a long one waits while all together take too much
(`reception`); if a body is announced as longer than the limit, or grows longer, it is refused, or cut there for those who want
only its start, and the connection is closed.
"""

import asyncio
from typing import Final

import aiohttp
from yarl import URL

from opilio.core.items import Headers
from opilio.core.limits import Limits
from opilio.core.outcome import Outcome
from opilio.core.url import Url

from .answer import read_answer, text_headers
from .failure import FAILURES, failure, failure_name
from .reception import Reception

_WINDOW_S: Final = 5.0


class Pace:
    """Tells when a body comes too slowly. Each window is looked at alone: a fast beginning excuses nothing."""

    def __init__(self, least_bytes_per_s: float) -> None:
        self._least_bytes = least_bytes_per_s * _WINDOW_S
        self._clock = asyncio.get_running_loop().time
        self._began_s, self._before = self._clock(), 0

    def is_too_slow(self, size: int) -> bool:
        if (now_s := self._clock()) - self._began_s < _WINDOW_S:
            return False
        is_slow = size - self._before < self._least_bytes
        self._began_s, self._before = now_s, size
        return is_slow


class Attempt:
    def __init__(
        self, url: Url, limits: Limits, limit_bytes: int, started_s: float, reception: Reception, *, cut: bool = False
    ) -> None:
        self.status = 0
        self.headers: Headers = ()
        self.body = b""
        self.location = ""
        self.retry_after_s: float | None = None
        self.detail = ""
        self._url = url
        self._limits = limits
        self._limit_bytes = limit_bytes
        self._cut = cut
        self._reception = reception
        self._started_s = started_s

    async def run(self, session: aiohttp.ClientSession, method: str = "GET", headers: Headers = ()) -> Outcome:
        limits = self._limits
        start_s = asyncio.get_running_loop().time()
        headers_s = min(limits.connect_s + limits.first_byte_s, limits.total_s)
        try:
            async with asyncio.timeout_at(start_s + headers_s) as timer:
                url = URL(self._url.href, encoded=True)
                response = await session.request(method, url, headers=headers, allow_redirects=False)
                timer.reschedule(start_s + limits.total_s)
                try:
                    return await self._read(response)
                finally:
                    self._reception.end(self)
                    response.release()  # the connection is reused only if the whole body has arrived
        except FAILURES as error:
            self.detail = failure_name(error)
            return failure(error, headers_seen=self.status != 0)

    async def _read(self, response: aiohttp.ClientResponse) -> Outcome:
        self.status = response.status
        raw = response.raw_headers
        if sum([len(name) + len(value) for name, value in raw]) > self._limits.header_bytes:
            return Outcome.HEADERS_TOO_LARGE
        self.headers = text_headers(raw)
        answer = read_answer(self._url, self.status, self.headers, self._started_s)
        if answer.outcome is not Outcome.OK:
            _, self.location, self.retry_after_s = answer
            return answer.outcome
        if (response.content_length or 0) > self._limit_bytes and not self._cut:
            return Outcome.TOO_LARGE
        return await self._read_body(response)

    async def _read_body(self, response: aiohttp.ClientResponse) -> Outcome:
        protocol = response.connection.protocol if response.connection else None
        content = response.content
        parts = [await content.readany()]
        size = len(parts[0])
        pace = Pace(self._limits.least_bytes_per_s)
        while size <= self._limit_bytes and not content.at_eof():
            parts.append(await content.readany())
            size += len(parts[-1])
            if size > self._limit_bytes or content.at_eof():
                break  # there is nothing to wait for
            if await self._reception.take(self, size):
                pace = Pace(self._limits.least_bytes_per_s)
            elif pace.is_too_slow(size):
                return Outcome.TOO_SLOW
        if size > self._limit_bytes:
            if not self._cut:
                return Outcome.TOO_LARGE
            self.body = b"".join(parts)[: self._limit_bytes]
            return Outcome.OK
        if protocol is not None and isinstance(protocol.exception(), OSError):
            return Outcome.RESET  # the library does not notice that a body without a length was cut off
        self.body = parts[0] if len(parts) == 1 else b"".join(parts)
        return Outcome.OK
