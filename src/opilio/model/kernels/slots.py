"""A model's n-grams in one array of slots: key, log10 probability, log10 back-off, 16 bytes each.

The number of a slot serves as the node: a key consists of the context's slot and the word, so that one lookup gives
probability, back-off and the next context in one cache line. Words come first, word w in slot w; then each order has a
range of its own. A range consists of buckets of four slots, a cache line each. They are filled from the left, and a
full one continues in the next, so a search ends at a bucket whose last slot is empty.
"""

import numpy as np

from opilio.model.compiling import njit

from .mixing import EMPTY, mix, place

BUCKET = 4

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@njit(cache=True)
def fill_slots(grams, log10, backoffs, contexts, keys, floats, start, size, placed):
    """Puts n-grams into slots, except those whose log10 is NaN. contexts[node] is the slot of each context; the
    n-grams' slots are written to `placed`."""
    for i in range(len(grams)):
        if np.isnan(log10[i]):
            continue
        key = (np.uint64(contexts[grams[i] >> _HALF]) << _HALF) | (grams[i] & _LOW)
        slot = start + BUCKET * place(mix(key), size // BUCKET)
        while keys[2 * slot] != EMPTY:
            slot += 1
            if slot == start + size:
                slot = start
        keys[2 * slot] = key
        floats[4 * slot + 2] = log10[i]
        floats[4 * slot + 3] = backoffs[i]
        placed[i] = slot
