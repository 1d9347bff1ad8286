"""Makes n-grams from words, one order at a time.

Every position of the word stream has a node: the number of the n-gram that ends there, or -1 if the sentence does not
have that many words yet. The n-gram of the next order is then the previous position's node and this position's word, in
one exact 64-bit key instead of a tuple of words; this position's node is its suffix. Each new key gets the next number.
"""

import numpy as np

from opilio.model.compiling import njit

from .mixing import EMPTY, mix, place

_BEGIN = 1
_HALF = np.uint64(32)


@njit(cache=True)
def join_keys(ids, nodes, before, keys):
    """Fills in the keys of the next order; `before` is the node before the first position. Returns the last node."""
    for i in range(len(ids)):
        word = ids[i]
        if before < 0 or word < 0 or word == _BEGIN:
            keys[i] = EMPTY
        else:
            keys[i] = (np.uint64(before) << _HALF) | np.uint64(word)
        before = nodes[i]
    return before


@njit(cache=True)
def number_keys(keys, nodes, start, table, grams, suffixes, count, base):
    """Replaces nodes by the keys' numbers, which begin at `base`. If the table or the arrays are full, it stops and
    returns where."""
    size = len(table) // 2
    limit = min(len(grams), size * 2 // 3)
    for i in range(start, len(keys)):
        key = keys[i]
        if key == EMPTY:
            nodes[i] = -1
            continue
        slot = place(mix(key), size)
        while table[2 * slot] != key and table[2 * slot] != EMPTY:
            slot += 1
            if slot == size:
                slot = 0
        if table[2 * slot] == EMPTY:
            if count == limit:
                return i, count
            table[2 * slot] = key
            table[2 * slot + 1] = np.uint64(count)
            grams[count] = key
            suffixes[count] = nodes[i]
            count += 1
        nodes[i] = base + np.int64(table[2 * slot + 1])
    return len(keys), count


@njit(cache=True)
def share_keys(keys, shares, turn):
    """Sorts positions by their keys' shares, stably, and returns where each share begins. The lower half of the hash
    chooses the share, because the upper half places the key in the share's table."""
    bounds = np.zeros(shares + 1, np.int64)
    for key in keys:
        bounds[1 + place(mix(key) << _HALF, shares)] += 1
    for share in range(shares):
        bounds[share + 1] += bounds[share]
    next_turn = bounds[:-1].copy()
    for i in range(len(keys)):
        share = place(mix(keys[i]) << _HALF, shares)
        turn[next_turn[share]] = i
        next_turn[share] += 1
    return bounds


@njit(cache=True)
def index_keys(grams, count, table):
    """Fills an empty table with the keys numbered so far."""
    size = len(table) // 2
    for i in range(count):
        slot = place(mix(grams[i]), size)
        while table[2 * slot] != EMPTY:
            slot += 1
            if slot == size:
                slot = 0
        table[2 * slot] = grams[i]
        table[2 * slot + 1] = np.uint64(i)


@njit(cache=True)
def tally_nodes(nodes, weights, counts):
    """Counts nodes; without weights, every position counts once."""
    if len(weights) == 0:
        for i in range(len(nodes)):
            if nodes[i] >= 0:
                counts[nodes[i]] += 1
    else:
        for i in range(len(nodes)):
            if nodes[i] >= 0:
                counts[nodes[i]] += weights[i]
