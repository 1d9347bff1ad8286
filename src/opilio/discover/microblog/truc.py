"""TRUC: traversal and user-based crawls over any microblog service (Barbaresi 2013).

It reads the start listings and meets the authors whose messages pass the language filter. Users are visited in the order in
which they were met, so the traversal is breadth first; who fails the filter is pruned, and nobody is met through them.

What saves requests: friends are asked for only when nobody waits, which changes no order; a user is one page of messages;
and who was visited is visited again only when a page of new messages is expected, by how often the user writes.

Rule: a request is one batch, and everything that it changes is in memory before the batch is yielded. So a kill costs at most
the answer that was under way, and the same request is made again.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

import msgspec

from opilio.core.items import Item
from opilio.discover.find import Find
from opilio.discover.source import Ask, Memory, SourceError

from .listing import Kind, Listing, Message
from .mark import Mark, Progress
from .mentions import Reader
from .message_filter import MessageFilter
from .names import Names
from .service import Service, UnansweredError, show
from .users import Growth, Profile, Users

_LISTING: Final = "listing/"
_NOT_READ: Final = msgspec.msgpack.encode(Progress())
_DAY_S: Final = 86_400.0
_WORTH_A_VISIT_MESSAGES: Final = 20
_LEAST_DAYS: Final = 1.0
_MOST_DAYS: Final = 90.0
_LEAST_PER_DAY: Final = _WORTH_A_VISIT_MESSAGES / _MOST_DAYS
_MOST_FAILURES: Final = 5  # one after the other, until the service is taken to be down


class Terms(Item, frozen=True, forbid_unknown_fields=True):
    """How a traversal is done; the options of every microblog source."""

    levels: int = (
        1  # 0: start listings only; 1: also the users met there; 2: also friends of friends, as far as it goes
    )
    pages: int = 10  # of a start listing, in one run
    friend_pages: int = 1  # of the list of friends of one user
    keep_share: float = 0.5  # share of messages that pass, for a user to be kept
    sample: float = 0.08  # share of all messages that are set aside as a benchmark


class Truc:
    """One run of a traversal."""

    def __init__(
        self,
        service: Service,
        ask: Ask,
        memory: Memory,
        message_filter: MessageFilter,
        terms: Terms,
        now: Callable[[], float],
    ) -> None:
        self._service, self._ask, self._memory, self._terms, self._now = service, ask, memory, terms, now
        self._names = Names(memory)
        self._users = Users(memory, self._names)
        self._reader = Reader(service.name, message_filter, self._names, terms.sample)
        self._failed: set[str] = set()  # users whom the service did not answer about
        self._failures = 0  # one after the other

    async def finds(self, starts: Sequence[Listing]) -> AsyncIterator[Sequence[Find]]:
        for listing in starts:
            async for batch in self._read_through(listing):
                yield batch
        if self._terms.levels:
            self._users.wake(self._now())
            while (batch_or_end := await self._step()) is not None:
                yield batch_or_end

    async def _read_through(self, listing: Listing) -> AsyncIterator[Sequence[Find]]:
        """Reads a start listing from where it was left, until it ends, is known, or has given its pages."""
        row = f"{_LISTING}{listing.kind}/{listing.of}"
        progress = msgspec.msgpack.decode(self._memory.get(row, _NOT_READ), type=Progress)
        left_at = progress.cursor
        while True:
            try:
                shown = await show(self._service, self._ask, listing, progress.cursor)
            except SourceError:
                if not left_at or progress.cursor != left_at:
                    raise
                progress, left_at = Progress(progress.until, progress.until), ""  # services forget cursors
                continue
            fresh = self._fresh(shown.messages, progress.until)
            newest, pages = progress.newest.moved(fresh, self._names.digest), progress.pages + 1
            old = shown.messages and shown.messages[-1] not in fresh  # above it, feeds may show what is pinned
            over = not shown.cursor or pages >= self._terms.pages or old
            progress = Progress(newest, newest) if over else Progress(progress.until, newest, shown.cursor, pages)
            reading = self._reader.read(listing, fresh)
            self._memory[row] = msgspec.msgpack.encode(progress)
            if self._terms.levels:
                self._meet(reading.passed)
            yield reading.finds
            if over:
                return

    async def _step(self) -> Sequence[Find] | None:
        """Makes one request: a visit if somebody waits, else for friends. Returns None at the end."""
        try:
            if (name := self._users.waiting()) is not None:
                return await self._visit(name)
            if self._terms.levels > 1 and (growth := self._users.growing()) is not None:
                return await self._grow(growth)
        except UnansweredError:
            self._failures += 1
            if self._failures >= _MOST_FAILURES:
                raise
            self._put_off()
            return ()
        return None

    async def _visit(self, name: str) -> Sequence[Find]:
        listing = Listing(Kind.USER, name)
        shown = await show(self._service, self._ask, listing)
        self._failures = 0
        known = self._users.profile(name)
        fresh = self._fresh(shown.messages, known.mark if known else Mark())
        reading = self._reader.read(listing, fresh)
        share = len(reading.passed) / len(fresh) if fresh else float(known is not None and bool(known.sealed))
        keeps = share > 0 and share >= self._terms.keep_share
        profile = self._profile(name, shown.messages, known) if keeps else Profile()
        self._users.visited(name, profile, grow=keeps and known is None)
        return reading.finds

    async def _grow(self, growth: Growth) -> Sequence[Find]:
        shown = await show(self._service, self._ask, Listing(Kind.FRIENDS, growth.name), growth.cursor)
        self._failures = 0
        last = not shown.cursor or growth.pages + 1 >= self._terms.friend_pages
        self._users.grown(shown.users, "" if last else shown.cursor)
        return ()

    def _put_off(self) -> None:
        """Tries a user once more after the others. Friends of a user are given up at once."""
        name = self._users.waiting()
        if name is None:
            self._users.grown((), "")
        elif name in self._failed:
            self._users.visited(name, Profile(), grow=False)
        else:
            self._failed.add(name)
            self._users.postpone()

    def _meet(self, passed: Sequence[Message]) -> None:
        for message in passed:
            if message.author:
                self._users.meet(message.author)

    def _fresh(self, messages: Sequence[Message], mark: Mark) -> list[Message]:
        return [message for message in messages if mark.is_before(message, self._names.digest)]

    def _profile(self, name: str, messages: Sequence[Message], known: Profile | None) -> Profile:
        """Expects the user to go on writing as often as the page shows, up to now."""
        oldest_s = min((message.time_s for message in messages), default=0.0)
        per_day = len(messages) / max((self._now() - oldest_s) / _DAY_S, _LEAST_DAYS)
        days = max(_WORTH_A_VISIT_MESSAGES / max(per_day, _LEAST_PER_DAY), _LEAST_DAYS)
        mark = (known.mark if known else Mark()).moved(messages, self._names.digest)
        return Profile(self._names.seal(name), per_day, self._now() + days * _DAY_S, mark)
