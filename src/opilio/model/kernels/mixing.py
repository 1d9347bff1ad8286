"""The place of a 64-bit key in an open-addressing table.

Tables may have any number of slots, not only powers of two: a key's place is its hash scaled to the number of slots. An
empty slot holds EMPTY, which is never a key: there are fewer than 2**32 - 1 nodes and words.
"""

from typing import Final

import numpy as np

from opilio.model.compiling import njit

EMPTY: Final = np.uint64(0xFFFFFFFFFFFFFFFF)

_FIRST: Final = np.uint64(0x9E3779B97F4A7C15)
_SECOND: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_HALF: Final = np.uint64(32)


@njit
def mix(key):
    """Is a bijection in which every output bit depends on every input bit. It takes two multiplications, because one would
    leave the sequential node numbers in the upper half of a key in long runs."""
    key = (key ^ (key >> _HALF)) * _FIRST
    key = (key ^ (key >> np.uint64(29))) * _SECOND
    return key ^ (key >> _HALF)


@njit
def place(hashed, slots):
    return np.int64(((hashed >> _HALF) * np.uint64(slots)) >> _HALF)
