"""Reads n-grams that another program counted, one per line: words separated by spaces, a tab, and a count.

Each line says how often its last word followed the words before it. So the list for a model of order n has

- the n-grams themselves, whose counts are taken as they are;
- no shorter n-grams, because they follow from the long ones: the count of a shorter one is the sum over all that end in
  it. The exceptions are those that begin a sentence, like `<s> the`: nothing precedes them, so they must be listed.

`<s>` may only be a first word and `</s>` only a last one; `<unk>` is a word like others. A list without them works, but
the model will know neither beginnings nor ends of sentences. A list without rare n-grams works too: missing contexts
are filled in. If the same n-gram is on several lines, its counts are added up.
"""

from typing import Final

import numpy as np

from opilio.core.errors import ModelError

from .counts import WordStream
from .training import MOST_ORDER
from .vocabulary import Vocabulary, encode

_MOST_TOTAL: Final = (1 << 63) - 1
_MOST_DIGITS: Final = 40  # int() refuses thousands of them


class ListedGrams:
    def __init__(self, vocabulary: Vocabulary, memory_bytes: int) -> None:
        self.stream = WordStream(memory_bytes)
        self._vocabulary = vocabulary
        self._lines = 0
        self._lengths: dict[int, str] = {}  # each length of n-grams that do not begin a sentence, with an example
        self._longest = 0
        self._total = 0

    def read(self, text: str) -> None:
        rows = []
        for line in text.split("\n"):
            self._lines += 1
            if line.strip():
                rows.append(self._row(line))
        ids = self._vocabulary.learn("\n".join(gram for gram, _ in rows), sentences=False)
        weights = np.zeros(len(ids), np.int64)
        ends = np.flatnonzero(ids < 0) - 1
        if len(ends) != len(rows):
            raise ModelError(
                f"n-gram counts, up to line {self._lines}: a line has only control characters instead of words"
            )
        weights[ends] = [count for _, count in rows]
        self.stream.append(ids, weights)

    def order(self, wanted: int | None) -> int:
        """Returns the order of the model, once all lines are read."""
        if self._longest and not self._total:
            raise ModelError(f"n-gram counts, lines 1 to {self._lines}: all counts are 0; give n-grams that were seen")
        order = self._longest if wanted is None else wanted
        for length, gram in self._lengths.items():
            if length != self._longest:
                raise ModelError(
                    f"the n-gram “{gram}” has {length} words, others have {self._longest}: "
                    "list the longest only, shorter ones follow from them"
                )
        if not 1 <= order <= min(self._longest, MOST_ORDER):
            raise ModelError(
                f"n-grams of {self._longest} words do not fit a model of order {order}; choose one up to {MOST_ORDER}"
            )
        return order

    def _row(self, line: str) -> tuple[str, int]:
        gram, _, count = line.rpartition("\t")
        words = encode(gram).split()
        if not words or not count.strip().isdecimal():
            raise ModelError(
                f"n-gram counts, line {self._lines}: expected words, a tab and a number, not {line[:80]!r}"
            )
        if b"<s>" in words[1:] or b"</s>" in words[:-1] or words == [b"<s>"]:
            raise ModelError(
                f"n-gram counts, line {self._lines}: {gram!r} has <s> or </s> in a place where it cannot be"
            )
        self._longest = max(self._longest, len(words))
        if words[0] != b"<s>":
            self._lengths.setdefault(len(words), gram)
        return gram, self._add(count)

    def _add(self, count: str) -> int:
        number = int(count) if len(count) < _MOST_DIGITS else _MOST_TOTAL + 1
        self._total += number
        if self._total > _MOST_TOTAL:
            raise ModelError(
                f"n-gram counts, line {self._lines}: with {count.strip()[:_MOST_DIGITS]} all counts together exceed "
                f"{_MOST_TOTAL}; divide them"
            )
        return number
