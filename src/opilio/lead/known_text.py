"""How much of a text is new: its words that stand in no run of words of a text that was kept before.

A word counts as known when some run of `_RUN` words around it is. So a copy in which a word or a sentence was changed has only
that as new, and words that texts share by chance, few at a time, stay new. What a text repeats of itself is not known before.

Memory is fixed: 4 MB. Runs lie in a table that has one for each slot, and the later one stays. A word stands in six runs, so nine
tenths of a text are still known when two million words more were kept, and half of it after four and a half.
"""

from typing import Final

import numpy as np

from opilio.model.term_slots import term_slots

_RUN: Final = 6  # words
_BITS: Final = 21
_MASK: Final = 0x7FFFFFFF
_CHARS: Final = 30_000  # of a text: some 5,000 words tell for the others


class KnownText:
    def __init__(self) -> None:
        self._table = np.zeros(1 << _BITS, np.uint16)

    def new_share(self, text: str, *, keep: bool) -> float:
        """Of its words. What is kept is known from then on."""
        from opilio.model.kernels.word_runs import add, count_unknown  # noqa: PLC0415  (numba: half a second)

        words = term_slots([text[:_CHARS]], _MASK)[0]
        if not len(words):
            return 1.0
        length = min(_RUN, len(words))
        unknown: int = count_unknown(words, length, self._table)
        if keep:
            add(words, length, self._table)
        return unknown / len(words)

    def state(self) -> list[bytes]:
        """A bit for each slot, and what the used ones hold: two bytes for each run, and 262 KB that compress."""
        used = self._table != 0
        return [np.packbits(used).tobytes(), self._table[used].tobytes()]

    def restore(self, state: list[bytes]) -> None:
        used = np.unpackbits(np.frombuffer(state[0], np.uint8)).astype(bool)
        self._table[:] = 0
        self._table[used] = np.frombuffer(state[1], np.uint16)
