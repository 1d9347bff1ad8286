"""Pages from the archive of Common Crawl instead of from their sites: each is one range of one file.

An archive is a `Fetcher`, so that whatever crawls can read from it. It knows where pages lie by a function (`places`),
as the index names it: FILE:OFFSET+LENGTH. Sites are never asked, not even for their robots.txt, because nothing is
fetched from them.

Invariant: one request at a time goes to the archive, `delay_s` after the one before, however many pages are wanted at
once. A record that is longer than `limits.decoded_bytes` when it is unpacked is not read.
"""

import asyncio
import re
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from opilio.core.clock import Clock
from opilio.core.items import Fetched
from opilio.core.limits import Limits
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import Url, parse

from .decode import decode
from .fetcher import Fetcher
from .recorded import read_response
from .terms import TERMS, Terms

BASE: Final = "https://data.commoncrawl.org/"
_PLACE: Final = re.compile(r"([\w./-]+):(\d{1,15})\+(\d{1,9})")
_PARTIAL: Final = 206
_ROBOTS: Final = "/robots.txt"


class Archive:
    """Implements `Fetcher`, and closes the one that it reads through."""

    def __init__(
        self,
        fetcher: Fetcher,
        places: Callable[[str], str],
        clock: Clock,
        limits: Limits,
        *,
        delay_s: float = 1.0,
        base: str = BASE,
    ) -> None:
        self._fetcher = fetcher
        self._places = places
        self._clock = clock
        self._limits = limits
        self._delay_s = delay_s
        self._base = base
        self._turn = asyncio.Lock()
        self._free_s = 0.0

    async def locate(self, url: Url) -> str | Outcome:  # noqa: ARG002  the site is not asked
        return ""

    async def fetch(self, url: Url, address: str, terms: Terms = TERMS) -> Fetched:
        if url.path == _ROBOTS:
            return Fetched(url.href, Outcome.HTTP_ERROR, 404, address=address, started_s=self._clock.now())
        place = _PLACE.fullmatch(self._places(url.href))
        if place is None:
            return Fetched(url.href, Outcome.NOT_IN_WEB, started_s=self._clock.now())
        name, start, length = place[1], int(place[2]), int(place[3])
        packed = await self._read(name, start, length, terms.max_bytes)
        if packed.outcome is not Outcome.OK or packed.status != _PARTIAL:
            outcome = Outcome.PROTOCOL_ERROR if packed.outcome is Outcome.OK else packed.outcome
            return replace(packed, url=url.href, outcome=outcome, body=b"", detail=f"the archive's {name}")
        return self._unpacked(packed, url)

    async def close(self) -> None:
        await self._fetcher.close()

    async def _read(self, name: str, start: int, length: int, max_bytes: int | None) -> Fetched:
        target = parse(name, self._base)
        if isinstance(target, Drop):
            return Fetched(name, Outcome.PROTOCOL_ERROR)
        async with self._turn:
            await self._clock.sleep_until(self._free_s)
            address = await self._fetcher.locate(target)
            if isinstance(address, Outcome):
                return Fetched(target.href, address, started_s=self._clock.now())
            wanted = (("Range", f"bytes={start}-{start + length - 1}"), ("Accept-Encoding", "identity"))
            fetched = await self._fetcher.fetch(target, address, Terms(max_bytes, headers=wanted))
            self._free_s = self._clock.now() + self._delay_s
        return fetched

    def _unpacked(self, packed: Fetched, url: Url) -> Fetched:
        record = decode(packed.body, "gzip", self._limits.decoded_bytes)
        if record is Drop.DECODE_LIMIT:
            return Fetched(url.href, Outcome.TOO_LARGE, started_s=packed.started_s)
        try:
            found = read_response(b"" if isinstance(record, Drop) else record, url)
        except (OSError, ValueError):
            return Fetched(
                url.href, Outcome.PROTOCOL_ERROR, started_s=packed.started_s, detail="the record cannot be read"
            )
        return replace(found, started_s=found.started_s or packed.started_s, seconds=packed.seconds)
