"""A dict with room for a fixed number of entries."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedMap(OrderedDict[Key, Value]):
    """Holds at most `most` entries: a new one beyond that makes it forget the oldest.

    Setting a key that is there does not make it younger; `move_to_end` does. Forgetting takes constant time, unlike in
    a dict, where looking for the first key steps over all that were deleted before it.
    """

    def __init__(self, most: int, entries: Mapping[Key, Value] | Iterable[tuple[Key, Value]] = ()) -> None:
        self.most = most
        super().__init__(entries)

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        if len(self) > self.most:
            self.popitem(last=False)
