"""Finds the terms of `terms` in one pass over code points: as checksums for many texts, or as the numbers of an index."""

import numpy as np

from opilio.model.compiling import njit

from .prefetching import prefetch

_NEW_LINE = 10
_ONE = np.uint64(1 << 32)  # a count of one, above the place of a term
_AHEAD = 8  # terms: how far ahead slots are prefetched


@njit(cache=True)
def more(checksum, byte, table):
    """Extends a CRC-32 by one byte."""
    return table[(checksum ^ byte) & 0xFF] ^ (checksum >> 8)


@njit(cache=True)
def _with_point(checksum, point, table):
    """Extends a CRC-32 by the bytes of a code point in UTF-8."""
    if point < 0x80:
        return more(checksum, point, table)
    if point < 0x800:
        checksum = more(checksum, 0xC0 | (point >> 6), table)
    else:
        if point < 0x10000:
            checksum = more(checksum, 0xE0 | (point >> 12), table)
        else:
            checksum = more(checksum, 0xF0 | (point >> 18), table)
            checksum = more(checksum, 0x80 | ((point >> 12) & 0x3F), table)
        checksum = more(checksum, 0x80 | ((point >> 6) & 0x3F), table)
    return more(checksum, 0x80 | (point & 0x3F), table)


@njit(cache=True)
def _run_end(points, kinds, place):
    """Returns where the run of characters of one kind ends that begins here."""
    kind = kinds[points[place]]
    while place < len(points) and kinds[points[place]] == kind:
        place += 1
    return place


@njit(cache=True)
def read(points, kinds, lower, table, length, mask, slots, ends):
    """Fills `slots` with one number for each term, and `ends` with where those of each text end; each text is a line.
    The `kinds` of code points are 0 between words, 1 in a word, 2 in a script without spaces; `lower` has their lower case."""
    size = text = place = 0
    while place < len(points):
        point = points[place]
        kind = kinds[point]
        if kind == 0:
            if point == _NEW_LINE:
                ends[text] = size
                text += 1
            place += 1
            continue
        start, place = place, _run_end(points, kinds, place)
        firsts, most = (1, length) if kind == 1 else (max(1, place - start - 1), 2)
        for first in range(start, start + firsts):
            checksum = np.int64(0xFFFFFFFF)
            for at in range(first, min(first + most, place)):
                checksum = _with_point(checksum, np.int64(lower[points[at]]), table)
            slots[size] = (checksum ^ 0xFFFFFFFF) & mask
            size += 1
    ends[text] = size
    return size


@njit(cache=True)
def runs(slots, words, counts):
    """Fills `words` with the different values of sorted slots and `counts` with their numbers; returns how many there
    are."""
    size = 0
    for at in range(len(slots)):
        if at == 0 or slots[at] != slots[at - 1]:
            words[size], counts[size] = slots[at], 0
            size += 1
        counts[size - 1] += 1
    return size


@njit(cache=True)
def _mixed(key, point):
    """Extends a hash. Each step moves high bits down, because a product moves bits only up."""
    key = (key ^ np.uint64(point)) * np.uint64(0x9E3779B97F4A7C15)
    return key ^ (key >> np.uint64(29))


@njit(cache=True)
def hashed(points, start, end, seed):
    """Hashes some code points; 0 means "empty"."""
    key = seed
    for at in range(start, end):
        key = _mixed(key, points[at])
    return key | np.uint64(1)


@njit(cache=True)
def _slot(table, key):
    """Returns where a key is, or the empty place that it would take. A slot of the table has two numbers, so that one line of the
    cache has both: the key, and the place of the term with its count above it."""
    mask = np.uint64(len(table) // 2 - 1)
    slot = (key >> np.uint64(8)) & mask
    while table[2 * slot] != 0 and table[2 * slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


@njit(cache=True)
def move(table, larger):
    """Copies a hash table into a larger one."""
    for old in range(0, len(table), 2):
        if table[old] != 0:
            slot = _slot(larger, table[old])
            larger[2 * slot], larger[2 * slot + 1] = table[old], table[old + 1]


@njit(cache=True)
def count(points, kinds, lower, length, most, seed, known, table):
    """Counts the first `most` terms of a text, and gives places in the index to new ones. Returns the different places, in the
    order of the text, and the number of each; then the slots of new terms, and where these begin and end in the text. All counts
    in the table are 0, before and after."""
    hashes, starts, ends = np.empty(most, np.uint64), np.empty(most, np.int32), np.empty(most, np.int32)
    total = _hash_all(points, kinds, lower, length, seed, hashes, starts, ends)
    mask, slots, news = np.uint64(len(table) // 2 - 1), np.empty(total, np.uint64), np.empty(total, np.int32)
    size = new = 0
    for at in range(total):
        if at + _AHEAD < total:
            prefetch(table, 2 * ((hashes[at + _AHEAD] >> np.uint64(8)) & mask))
        slot = _slot(table, hashes[at])
        if table[2 * slot] == 0:
            table[2 * slot], table[2 * slot + 1] = hashes[at], np.uint64(known + new)
            news[new] = at
            new += 1
        if table[2 * slot + 1] < _ONE:
            slots[size] = slot
            size += 1
        table[2 * slot + 1] += _ONE
    found, amounts = np.empty(size, np.int32), np.empty(size, np.int32)
    for at in range(size):
        counted = table[2 * slots[at] + 1]
        found[at], amounts[at] = counted & (_ONE - np.uint64(1)), counted >> np.uint64(32)
        table[2 * slots[at] + 1] = np.uint64(found[at])
    fresh = news[:new]
    return found, amounts, slots[:size][found >= known], starts[fresh], ends[fresh]


@njit(cache=True)
def _hash_all(points, kinds, lower, length, seed, hashes, starts, ends):
    """Fills the arrays with the hashes of the first terms, and where these begin and end. Returns how many there are."""
    total = place = 0
    while place < len(points) and total < len(hashes):
        kind = kinds[points[place]]
        if kind == 0:
            place += 1
            continue
        start, place = place, _run_end(points, kinds, place)
        firsts, longest = (1, length) if kind == 1 else (max(1, place - start - 1), 2)
        for first in range(start, min(start + firsts, start + len(hashes) - total)):
            end = min(first + longest, place)
            key = seed
            for at in range(first, end):
                key = _mixed(key, lower[points[at]])
            hashes[total], starts[total], ends[total] = key | np.uint64(1), first, end
            total += 1
    return total
