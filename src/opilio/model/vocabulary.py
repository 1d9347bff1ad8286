"""The words of a model, numbered: 0 is the unknown word, 1 begins and 2 ends a sentence; the others follow in the order
in which they were first seen.

A vocabulary is made of arrays (see `kernels.words`), which are the same in memory and in a model's file: about 40 bytes
per word.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from .kernels.mixing import EMPTY
from .kernels.words import find_words, index_words, learn_words

Bytes = npt.NDArray[np.uint8]
Ids = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]
Table = npt.NDArray[np.uint64]

UNKNOWN: Final = 0
BEGIN: Final = 1
END: Final = 2

_FIRST_WORDS: Final = "<unk> <s> </s>"
_LINE_FEED: Final = b"\n"


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # a page may hold half a surrogate pair, which is treated as a letter


class Vocabulary:
    def __init__(self, arrays: tuple[Bytes, Offsets, Table] | None = None) -> None:
        """Uses the arrays as they are, so that a vocabulary from a file costs nothing before it is used."""
        self.letters, self.offsets, self.table = arrays or (
            np.zeros(1 << 12, np.uint8),
            np.zeros(1 << 9, np.int64),
            np.full(1 << 11, EMPTY, np.uint64),
        )
        self._words = len(self.offsets) - 1 if arrays else 0
        if not arrays:
            self.learn(_FIRST_WORDS)

    def __len__(self) -> int:
        return self._words

    def words(self) -> list[bytes]:
        """Returns all words in the order of their numbers."""
        return self.letters[: self.offsets[self._words]].tobytes().split(_LINE_FEED)[:-1]

    def learn(self, lines: str, *, sentences: bool = True) -> Ids:
        """Returns the numbers of the lines' words and adds new words: sentences are put between BEGIN and END, other
        lines get -1 after them."""
        text = np.frombuffer(encode(lines) + _LINE_FEED, np.uint8)
        ids = np.empty(len(text) * 3 // 2 + 3, np.int32)
        state = np.array([0, 0, self._words, 0], np.int64)
        while True:
            learn_words(text, sentences, state, self.table, self.offsets, self.letters, ids)
            self._words = int(state[2])
            if state[0] == len(text):
                return ids[: state[1]].copy()
            self._make_room()

    def find(self, texts: Sequence[str]) -> tuple[Ids, Offsets]:
        """Returns the words of all texts, with END after each sentence, and for each text how many precede its end."""
        joined = "\0".join((*texts, ""))
        if joined.count("\0") != len(texts):  # a zero byte in a text is white space, like other control characters
            joined = "\0".join((*(text.replace("\0", " ") for text in texts), ""))
        text = np.frombuffer(encode(joined) or b" ", np.uint8)
        ids = np.empty(len(text) + 1, np.int32)
        ends = np.empty(len(texts), np.int64)
        count = find_words(text, self.table, self.offsets, self.letters, ids, ends)
        return ids[:count], ends

    def trimmed(self) -> "Vocabulary":
        """Returns the same words in arrays without room for more, as they are saved."""
        offsets = self.offsets[: self._words + 1].copy()
        table = np.full(2 * (self._words * 3 // 2 + 1), EMPTY, np.uint64)
        index_words(self.letters, offsets, self._words, table)
        return Vocabulary((self.letters[: offsets[-1]].copy(), offsets, table))

    def _make_room(self) -> None:
        """Enlarges the arrays that the kernel found full. Letters come last, because a very long word may need more of
        them twice."""
        if self._words * 3 > len(self.table):
            self.table = np.full(2 * len(self.table), EMPTY, np.uint64)
            index_words(self.letters, self.offsets, self._words, self.table)
        elif self._words + 2 > len(self.offsets):
            self.offsets = np.concatenate((self.offsets, np.zeros_like(self.offsets)))
        else:
            self.letters = np.concatenate((self.letters, np.zeros_like(self.letters)))
