"""Cuts terms into pieces that have vectors, and adds these up."""

import numpy as np

from opilio.model.compiling import njit

from .prefetching import prefetch
from .terms import hashed

_SEED = np.uint64(0x2545F4914F6CDD1D)
_LONGEST_PIECE = 16
_AHEAD = 4  # terms: how far ahead their rows are prefetched, which halves the time
_LINE = 64  # bytes of the cache


@njit(cache=True)
def add(places, weights, ends, pieces, table, scales, total):
    """Adds to `total`, for each term, the mean of the rows of `table` that are its pieces, times its weight. A row is
    numbers times a scale. The pieces of the term in place `n` are those from `ends[n]` to `ends[n + 1]`."""
    flat = table.reshape(-1)
    for number in range(len(places)):
        if number + 3 * _AHEAD < len(places):
            prefetch(ends, places[number + 3 * _AHEAD])
            prefetch(pieces, ends[places[number + 2 * _AHEAD]])
        if number + _AHEAD < len(places):
            soon = places[number + _AHEAD]
            for piece in range(ends[soon], ends[soon + 1]):
                for byte in range(0, len(total), _LINE):
                    prefetch(flat, pieces[piece] * len(total) + byte)
        first, last = ends[places[number]], ends[places[number] + 1]
        if first == last:
            continue
        weight = weights[number] / (last - first)
        for piece in range(first, last):
            row = table[pieces[piece]]
            scale = np.float32(weight * scales[pieces[piece]])
            for axis in range(len(total)):
                total[axis] += scale * np.float32(row[axis])


@njit(cache=True)
def hash_rows(points, ends, rows):
    """Returns a hash table of pieces: for each slot the hash of a piece, or 0, and its row."""
    room = 64
    while room < 4 * len(ends):
        room *= 2
    table = np.zeros(2 * room, np.uint64)
    start = 0
    for number in range(len(ends)):
        key = hashed(points, start, ends[number], _SEED)
        slot = _slot(table, key)
        table[slot], table[slot + np.uint64(1)] = key, np.uint64(rows[number])
        start = ends[number]
    return table


@njit(cache=True)
def _slot(table, key):
    mask = np.uint64(len(table) - 2)  # slots have two numbers, so their places are even
    slot = (key >> np.uint64(7)) & mask
    while table[slot] != 0 and table[slot] != key:
        slot = (slot + np.uint64(2)) & mask
    return slot


@njit(cache=True)
def cut(points, ends, table):
    """Cuts each term into its longest known pieces from its beginning on; what no piece has is passed over. Returns the rows of
    all pieces, and where those of each term end."""
    pieces, piece_ends = np.empty(len(points), np.int32), np.empty(len(ends), np.int64)
    size = place = 0
    for number in range(len(ends)):
        while place < ends[number]:
            end = min(ends[number], place + _LONGEST_PIECE)
            while end > place:
                key = hashed(points, place, end, _SEED)
                slot = _slot(table, key)
                if table[slot] == key:
                    pieces[size] = table[slot + np.uint64(1)]
                    size += 1
                    break
                end -= 1
            place = max(end, place + 1)
        piece_ends[number] = size
    return pieces[:size], piece_ends
