"""What a microblog lists, and what one request shows of it, in words that all services share."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from opilio.core.items import Item


class Kind(StrEnum):
    TIMELINE = "timeline"  # what everybody writes, or much of it
    CHANNEL = "channel"  # messages about something or in some language: a hashtag, a group of subreddits, a search
    USER = "user"  # the messages of one user
    FRIENDS = "friends"  # whom one user follows, or what comes closest to it


class Listing(NamedTuple):
    kind: Kind
    of: str = ""  # which timeline, channel or user, by the service's own name of it

    @property
    def label(self) -> str:
        """Returns what people may read: never the name of a user."""
        return f"{self.kind} {self.of}".rstrip() if self.kind in (Kind.TIMELINE, Kind.CHANNEL) else self.kind.value


class Message(Item, frozen=True):
    id: str
    author: str  # by the service's own name or number, for memory only: what is stored of it is a digest
    text: str
    links: tuple[str, ...] = ()
    language: str = ""  # if the service says it
    time_s: float = 0.0  # 0: unknown


class Shown(NamedTuple):
    """One page of a listing, newest first."""

    messages: tuple[Message, ...] = ()
    users: tuple[str, ...] = ()  # of a list of friends
    cursor: str = ""  # asks for the next page; empty at the end


def epoch_s(iso_time: str) -> float:
    """Returns 0 for a time that cannot be read: services pass on what clients have made up, such as the year 0."""
    try:
        return max(0.0, datetime.fromisoformat(iso_time).timestamp())
    except (ValueError, OverflowError):
        return 0.0
