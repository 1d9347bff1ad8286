"""The memory of this process that is free, and that the C library keeps for later. After a page that took a hundred megabytes, it
would keep them for ever, in each worker."""

import ctypes
from functools import lru_cache
from typing import Any


def give_back() -> None:
    """Gives free memory back to the system, which takes a millisecond or two. Does nothing where the C library cannot."""
    if (trim := _trim()) is not None:
        trim(0)


@lru_cache(maxsize=1)
def _trim() -> Any:
    return getattr(ctypes.CDLL(None), "malloc_trim", None)
