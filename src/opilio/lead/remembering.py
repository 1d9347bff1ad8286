"""A lead whose whole memory is one struct, which is saved whenever it has changed."""

from typing import Generic, TypeVar

import msgspec

from .seam import Lead

Memory = TypeVar("Memory", bound=msgspec.Struct)


class Remembering(Lead, Generic[Memory]):
    def __init__(self, state: Memory) -> None:
        self._state = state
        self._changed = False  # since it was last saved

    def save(self) -> bytes | None:
        changed, self._changed = self._changed, False
        return msgspec.msgpack.encode(self._state) if changed else None

    def load(self, state: bytes) -> None:
        self._state = msgspec.msgpack.decode(state, type=type(self._state))
