"""The users of a traversal: who waits, who was visited, and whose friends are still to be met.

Each user is a row or two of the source's memory, so that a visit changes a few short rows however many users are known:

* `queue/N`  a user who waits for a visit, in the order of meeting, which makes the traversal breadth first
* `grow/N`   a user who was kept and whose friends were not asked for; with the cursor of the next page
* `user/D`   a profile under the digest of the name; the sealed name is in it if the user will be visited again

Invariant: what is in memory here equals what is in the rows, whenever a batch is yielded.
"""

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from opilio.discover.source import Memory

from .mark import Mark
from .names import Names

_QUEUE: Final = "queue/"
_GROW: Final = "grow/"
_USER: Final = "user/"
_MOST_WAITING: Final = 1_000_000


class Profile(msgspec.Struct, frozen=True, array_like=True):
    sealed: bytes = b""  # empty: the user failed the filter, and is not visited again
    messages_per_day: float = 0.0
    due_s: float = 0.0  # when enough new messages are expected to be worth a request
    mark: Mark = Mark()


class Growth(NamedTuple):
    """A user whose friends are to be met, and how far the list of them was read."""

    name: str
    cursor: str
    pages: int


class _Friends(msgspec.Struct, frozen=True, array_like=True):
    sealed: bytes
    cursor: str = ""
    pages: int = 0


class Users:
    def __init__(self, memory: Memory, names: Names) -> None:
        self._memory, self._names = memory, names
        self._waiting: deque[tuple[str, str]] = deque()  # row, name
        self._growing: deque[tuple[str, str]] = deque()
        self._known: set[str] = set()  # digests of all who wait or were visited
        self._number = 0
        for key in [key for key in memory if key.startswith((_QUEUE, _GROW, _USER))]:
            self._load(key)

    def meet(self, name: str) -> None:
        """Lets a user wait for a visit, unless the user is known."""
        digest = self._names.digest(name)
        if digest not in self._known and len(self._waiting) < _MOST_WAITING:
            self._known.add(digest)
            self._enqueue(name)

    def wake(self, now_s: float) -> None:
        """Lets those wait again who have probably written enough since their last visit; who writes most, first."""
        waiting = {name for _, name in self._waiting}
        profiles = [self._profile(key) for key in self._memory if key.startswith(_USER)]
        due = [profile for profile in profiles if profile.sealed and profile.due_s <= now_s]
        for profile in sorted(due, key=lambda profile: -profile.messages_per_day):
            if (name := self._names.unseal(profile.sealed)) not in waiting:
                self._enqueue(name)

    def waiting(self) -> str | None:
        return self._waiting[0][1] if self._waiting else None

    def profile(self, name: str) -> Profile | None:
        key = _USER + self._names.digest(name)
        return self._profile(key) if key in self._memory else None

    def visited(self, name: str, profile: Profile, *, grow: bool) -> None:
        """Ends the visit of the user who waited longest."""
        self._leave()
        if grow:
            row = self._row(_GROW)
            self._memory[row] = msgspec.msgpack.encode(_Friends(self._names.seal(name)))
            self._growing.append((row, name))
        self._memory[_USER + self._names.digest(name)] = msgspec.msgpack.encode(profile)

    def postpone(self) -> None:
        """Puts the user who waited longest to the end."""
        name = self._waiting[0][1]
        self._leave()
        self._enqueue(name)

    def growing(self) -> Growth | None:
        if not self._growing:
            return None
        row, name = self._growing[0]
        friends = msgspec.msgpack.decode(self._memory[row], type=_Friends)
        return Growth(name, friends.cursor, friends.pages)

    def grown(self, friends: Sequence[str], cursor: str) -> None:
        """Meets a page of friends; without a cursor, it was the last."""
        row, name = self._growing[0]
        if cursor:
            pages = msgspec.msgpack.decode(self._memory[row], type=_Friends).pages + 1
            self._memory[row] = msgspec.msgpack.encode(_Friends(self._names.seal(name), cursor, pages))
        else:
            del self._memory[row]
            self._growing.popleft()
        for friend in friends:
            self.meet(friend)

    def _load(self, key: str) -> None:
        if key.startswith(_USER):
            self._known.add(key.removeprefix(_USER))
            return
        self._number = max(self._number, int(key.partition("/")[2]) + 1)
        if key.startswith(_QUEUE):
            name = self._names.unseal(self._memory[key])
            self._waiting.append((key, name))
            self._known.add(self._names.digest(name))
        else:
            friends = msgspec.msgpack.decode(self._memory[key], type=_Friends)
            self._growing.append((key, self._names.unseal(friends.sealed)))

    def _enqueue(self, name: str) -> None:
        row = self._row(_QUEUE)
        self._memory[row] = self._names.seal(name)
        self._waiting.append((row, name))

    def _leave(self) -> None:
        row, _ = self._waiting.popleft()
        del self._memory[row]

    def _row(self, prefix: str) -> str:
        self._number += 1
        return f"{prefix}{self._number:012}"

    def _profile(self, key: str) -> Profile:
        return msgspec.msgpack.decode(self._memory[key], type=Profile)
