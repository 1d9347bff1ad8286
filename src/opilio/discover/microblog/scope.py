"""A part of a source's memory: what was read of one server with one filter.

Users are numbered by each server anew, and who was pruned in one language may be just right in another. So each has rows of its
own, and a directory can be scouted in one language after the other.
"""

import hashlib
from collections.abc import Iterator, MutableMapping

from opilio.discover.source import Memory


class Scope(MutableMapping[str, bytes]):
    def __init__(self, memory: Memory, *terms: str) -> None:
        self._memory = memory
        self._prefix = hashlib.blake2b("\n".join(terms).encode(), digest_size=6).hexdigest() + "/"

    def __getitem__(self, key: str) -> bytes:
        return self._memory[self._prefix + key]

    def __setitem__(self, key: str, value: bytes) -> None:
        self._memory[self._prefix + key] = value

    def __delitem__(self, key: str) -> None:
        del self._memory[self._prefix + key]

    def __iter__(self) -> Iterator[str]:
        return (key.removeprefix(self._prefix) for key in self._memory if key.startswith(self._prefix))

    def __len__(self) -> int:
        return sum(1 for _ in self)
