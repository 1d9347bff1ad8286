"""The bodies that are being received at the same time, and what they take together.

Rule: once they take more than they may, a body waits that has its share of that. The one that began first goes on in any
case, so that there is always one that comes to its end; short bodies never wait. Waiting counts in the time that a request
may take.
"""

import asyncio
from typing import Final

_LOOK_S: Final = 0.1


class Reception:
    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._sizes: dict[object, int] = {}  # of the bodies, the first one first
        self._bytes = 0

    async def take(self, body: object, size: int) -> bool:
        """Notes that a body has this many bytes now, and waits until it may have more. Returns whether it had to wait."""
        self._bytes += size - self._sizes.get(body, 0)
        self._sizes[body] = size
        has_waited = False
        while self._has_to_wait(body, size):
            has_waited = True
            await asyncio.sleep(_LOOK_S)
        return has_waited

    def end(self, body: object) -> None:
        self._bytes -= self._sizes.pop(body, 0)

    def _has_to_wait(self, body: object, size: int) -> bool:
        is_long = self._bytes > self._most_bytes and size * len(self._sizes) >= self._most_bytes
        return is_long and next(iter(self._sizes)) is not body
