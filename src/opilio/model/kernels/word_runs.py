"""Runs of words that a table knows by a fingerprint each: its place says where to look, 15 bits of its own whether it is it.

A slot holds one run, 0 for none. A later run takes the place of an earlier one: what was known fades, and nothing grows.
"""

import numpy as np

from opilio.model.compiling import njit

from .mixing import mix

_STEP = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True)
def _fingerprint(words, first, length, size):
    """Slot, in a table of that size, a power of two; and mark."""
    key = np.uint64(length)
    for at in range(first, first + length):
        key = key * _STEP + np.uint64(words[at])
    mixed = mix(key)
    return np.int64(mixed & np.uint64(size - 1)), np.uint16((mixed >> np.uint64(48)) | np.uint64(1))


@njit(cache=True)
def count_unknown(words, length, table):
    """Words that stand in no run of that length which the table knows."""
    unknown = told = 0  # words, and where those end whose fate is known
    for first in range(len(words) - length + 1):
        slot, mark = _fingerprint(words, first, length, len(table))
        if table[slot] == mark:
            unknown += max(0, first - told)
            told = first + length
    return unknown + len(words) - told


@njit(cache=True)
def add(words, length, table):
    for first in range(len(words) - length + 1):
        slot, mark = _fingerprint(words, first, length, len(table))
        table[slot] = mark
