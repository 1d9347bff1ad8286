"""Finds the terms of `terms` in one pass over code points: as checksums for many texts, or as the numbers of an index."""

import numpy as np

from opilio.model.compiling import njit

_NEW_LINE = 10


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
def read(points, kinds, table, length, mask, slots, ends):
    """Fills `slots` with one number for each term, and `ends` with where those of each text end; each text is a line.
    The `kinds` of code points are 0 between words, 1 in a word, 2 in a script without spaces."""
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
                checksum = _with_point(checksum, np.int64(points[at]), table)
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
def _hashed(points, start, end, seed):
    """Hashes some code points. Each step moves high bits down, because a product moves bits only up; 0 means "empty"."""
    key = seed
    for at in range(start, end):
        key = (key ^ np.uint64(points[at])) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    return key | np.uint64(1)


@njit(cache=True)
def _slot(keys, key):
    """Returns where a key is, or the empty place that it would take."""
    mask = np.uint64(len(keys) - 1)
    slot = (key >> np.uint64(8)) & mask
    while keys[slot] != 0 and keys[slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


@njit(cache=True)
def move(keys, places, new_keys, new_places):
    """Copies a hash table into a larger one."""
    for old in range(len(keys)):
        if keys[old] != 0:
            slot = _slot(new_keys, keys[old])
            new_keys[slot], new_places[slot] = keys[old], places[old]


@njit(cache=True)
def count(points, kinds, length, most, seed, known, keys, places, counts, found, amounts, news):
    """Counts the first `most` terms of a text, and gives places in the index to new ones. Fills `found` with the different
    places, `amounts` with their numbers, and `news` with the slots of new terms and where they begin and end in the text;
    returns how many there are of both. `counts` is 0 everywhere, before and after."""
    size = new = total = place = 0
    while place < len(points) and total < most:
        kind = kinds[points[place]]
        if kind == 0:
            place += 1
            continue
        start, place = place, _run_end(points, kinds, place)
        firsts, longest = (1, length) if kind == 1 else (max(1, place - start - 1), 2)
        for first in range(start, min(start + firsts, start + most - total)):
            end = min(first + longest, place)
            key = _hashed(points, first, end, seed)
            slot = _slot(keys, key)
            if keys[slot] == 0:
                keys[slot], places[slot] = key, known + new
                news[0, new], news[1, new], news[2, new] = slot, first, end
                new += 1
            term = places[slot]
            if counts[term] == 0:
                found[size] = term
                size += 1
            counts[term] += 1
            total += 1
    for at in range(size):
        amounts[at] = counts[found[at]]
        counts[found[at]] = 0
    return size, new
