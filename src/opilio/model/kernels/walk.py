"""Scores words: finds for each word the longest n-gram that the model knows, and adds the back-offs of longer contexts.

All words go together from one order to the next, so that the lookups of a step do not wait for each other, and memory
that is needed soon can be prefetched. That is nearly twice as fast as word by word.

Every n-gram's suffix is in the model too (training ensures it, and reading ARPA fills the gaps). So if a context has
not seen the word, no longer context has, and only their back-offs remain to be added.
"""

import numpy as np

from opilio.model.compiling import njit

from .mixing import EMPTY, mix, place
from .prefetching import prefetch
from .slots import BUCKET

_BEGIN = 1
_END = 2
_HALF = np.uint64(32)
_PREFETCH_WORDS = 8  # words; half and twice as many are slower


@njit
def _bucket(context, word, start, size):
    """Returns the key of the context followed by the word, and the first slot of its bucket."""
    key = (np.uint64(context) << _HALF) | np.uint64(word)
    return key, start + BUCKET * place(mix(key), size // BUCKET)


@njit
def _child(context, word, keys, start, size):
    """Returns the slot of the context followed by the word, or -1. A bucket's slots are compared without branches,
    which the processor would mispredict half of the time."""
    key, slot = _bucket(context, word, start, size)
    while True:
        second, third, fourth = keys[2 * slot + 2] == key, keys[2 * slot + 4] == key, keys[2 * slot + 6] == key
        if (keys[2 * slot] == key) | second | third | fourth:
            return slot + second + 2 * third + 3 * fourth
        if keys[2 * slot + 6] == EMPTY:
            return np.int64(-1)
        slot += BUCKET
        if slot == start + size:
            slot = start


@njit
def _step(ids, nodes, first, keys, floats, start, size, log10):
    """Replaces each position's slot in one order by that in the next, or -1. `first` is the slot of what precedes a
    sentence in the lower order."""
    context = first
    for i in range(len(ids)):
        soon = i + _PREFETCH_WORDS
        if soon < len(ids) and nodes[soon - 1] >= 0 and nodes[soon] >= 0:
            prefetch(keys, 2 * _bucket(nodes[soon - 1], ids[soon], start, size)[1])
        node = nodes[i]
        word = ids[i]
        slot = -1
        if context >= 0 and node >= 0:
            slot = _child(context, word, keys, start, size)
        if slot >= 0:
            log10[i] = floats[4 * slot + 2]
        elif context >= 0:
            log10[i] += floats[4 * context + 3]
        nodes[i] = slot
        context = first if word == _END else node


@njit(cache=True)
def walk(ids, keys, floats, starts, sizes, log10):
    """Computes each word's log10 probability. A sentence begins at the first id and after each end."""
    nodes = np.empty(len(ids), np.int64)
    for i in range(len(ids)):
        nodes[i] = ids[i]
        log10[i] = floats[4 * nodes[i] + 2]
    for k in range(1, len(starts)):
        _step(ids, nodes, _BEGIN if k == 1 else -1, keys, floats, starts[k], sizes[k], log10)


@njit(cache=True)
def add_up(ids, log10, ends, sums, numbers):
    """Adds up per text: all log10 and the unknown words' log10; the numbers of words, unknown words and sentences."""
    i = 0
    for t in range(len(ends)):
        begin = i
        while i < ends[t]:
            sums[t, 0] += log10[i]
            if ids[i] == 0:
                sums[t, 1] += log10[i]
                numbers[t, 1] += 1
            elif ids[i] == _END:
                numbers[t, 2] += 1
            i += 1
        numbers[t, 0] = i - begin
