"""How far a listing has been read, so that a later run reads only what is new.

Rule: a listing is newest first. A mark names the newest message that was read, by its time; messages of that very time are
told apart by digests. While a listing is read page by page, the old mark still holds; the new one takes its place at the end.
"""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from .listing import Message

_MOST_DIGESTS: Final = 200  # a service without times must not fill the mark


class Mark(msgspec.Struct, frozen=True, array_like=True):
    time_s: float = 0.0
    digests: tuple[str, ...] = ()  # of the messages of that time

    def is_before(self, message: Message, digest: Callable[[str], str]) -> bool:
        if message.time_s != self.time_s:
            return message.time_s > self.time_s
        return digest(message.id) not in self.digests

    def moved(self, messages: Iterable[Message], digest: Callable[[str], str]) -> "Mark":
        """Returns the mark after these messages."""
        newest = self
        for message in messages:
            if newest.is_before(message, digest):
                earlier = newest.digests if message.time_s == newest.time_s else ()
                newest = Mark(message.time_s, (*earlier, digest(message.id))[-_MOST_DIGESTS:])
        return newest


class Progress(msgspec.Struct, frozen=True, array_like=True):
    """A listing that is being read, or has been."""

    until: Mark = Mark()  # what earlier runs have read
    newest: Mark = Mark()  # what this run has met
    cursor: str = ""  # of the next page; empty: the next run starts at the top
    pages: int = 0  # that this run has read
