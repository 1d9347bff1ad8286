"""Turns messages into finds: every link of every message, with what the language filter says of it.

Groups, which statistics are made by: "filtered" and "random" are messages of a timeline with and without a filter, "channel"
and "user" where else a message was, and "rejected" the messages that failed. A share of all messages, drawn before the
filter, is yielded once more as "random", set aside: the benchmark that the filter is measured against.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from opilio.discover.find import Find

from .listing import Kind, Listing, Message
from .message_filter import Judged, MessageFilter, without_names
from .names import Names

RANDOM: Final = "random"
FILTERED: Final = "filtered"
REJECTED: Final = "rejected"
_MESSAGE_CHARS: Final = 2_000
_MOST_LINKS: Final = 100  # of one message


class Reading(NamedTuple):
    finds: tuple[Find, ...]
    passed: tuple[Message, ...]


class Reader:
    def __init__(self, origin: str, message_filter: MessageFilter, names: Names, sample: float) -> None:
        self._origin, self._filter, self._names, self._sample = origin, message_filter, names, sample

    def read(self, listing: Listing, messages: Sequence[Message]) -> Reading:
        judged = [(message, self._filter.judge(message)) for message in messages]
        finds = [find for message, verdict in judged for find in self._finds(listing, message, verdict)]
        return Reading(tuple(finds), tuple(message for message, verdict in judged if verdict.passes))

    def _finds(self, listing: Listing, message: Message, judged: Judged) -> Iterator[Find]:
        shown = without_names(message.text)[:_MESSAGE_CHARS]
        origin = f"{self._origin} {listing.label}"
        drawn = self._filter.is_active and self._names.draw(message.id) < self._sample
        for link in message.links[:_MOST_LINKS]:
            group = self._group(listing) if judged.passes else REJECTED
            yield Find(link, origin, judged.language, "", group, shown, set_aside=not judged.passes)
            if drawn:
                yield Find(link, origin, judged.language, "", RANDOM, shown, set_aside=True)

    def _group(self, listing: Listing) -> str:
        if listing.kind is not Kind.TIMELINE:
            return listing.kind.value
        return FILTERED if self._filter.is_active else RANDOM
