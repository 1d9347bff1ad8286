"""Runs of words in a table of fingerprints: some bits of a fingerprint say in which slot to look, and 15 others are compared.

A slot holds one run, or 0. A later run takes the place of an earlier one, so what was known fades, and the table never grows.
"""

import numpy as np

from opilio.model.compiling import njit
from opilio.model.kernels.mixing import mix

_STEP = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True)
def _fingerprint(words, first, length, size):
    """Returns the slot, in a table of this size (a power of two), and the mark."""
    key = np.uint64(length)
    for at in range(first, first + length):
        key = key * _STEP + np.uint64(words[at])
    mixed = mix(key)
    return np.int64(mixed & np.uint64(size - 1)), np.uint16((mixed >> np.uint64(48)) | np.uint64(1))


@njit(cache=True)
def count_unknown(words, length, table):
    """Counts the words that stand in no run of this length that the table knows."""
    unknown = told = 0  # words, and where those end that have been decided on
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
