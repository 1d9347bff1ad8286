"""How much of a text is new: its words that stand in no run of words of a text that was kept before.

A word counts as known when some run of `_RUN` words around it is known. So in a copy in which a word or a sentence was changed,
only the change is new, while words that texts share by chance, a few at a time, stay new. What a text repeats of itself was
not known before.

Memory is fixed: 4 MB. Each slot of a table holds one run, and a later run replaces an earlier one. A word stands in six runs, so
nine tenths of a text are still known after two million more words were kept, and half of it after four and a half million.
"""

from typing import Final

import msgspec
import numpy as np

from opilio.model.term_slots import term_slots

from .kernels.word_runs import add, count_unknown

_RUN: Final = 6  # words
_BITS: Final = 21
_MASK: Final = 0x7FFFFFFF
_CHARS: Final = 30_000  # of a text; its first 5,000 words or so stand for the others


class KnownTextState(msgspec.Struct, frozen=True, array_like=True):
    used: bytes  # a bit for each slot: 262 KB, which compress
    marks: bytes  # of the used slots: two bytes for each run


class KnownText:
    def __init__(self) -> None:
        self._table = np.zeros(1 << _BITS, np.uint16)

    def new_share(self, text: str, *, keep: bool) -> float:
        """Returns the share of its words that are new. A text that is kept is known from then on."""
        words = term_slots([text[:_CHARS]], _MASK)[0]
        if not len(words):
            return 1.0
        length = min(_RUN, len(words))
        unknown: int = count_unknown(words, length, self._table)
        if keep:
            add(words, length, self._table)
        return unknown / len(words)

    def state(self) -> KnownTextState:
        used = self._table != 0
        return KnownTextState(np.packbits(used).tobytes(), self._table[used].tobytes())

    def restore(self, state: KnownTextState) -> None:
        used = np.unpackbits(np.frombuffer(state.used, np.uint8)).astype(bool)
        self._table[:] = 0
        self._table[used] = np.frombuffer(state.marks, np.uint16)
