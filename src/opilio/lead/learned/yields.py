"""How often things led to good pages: a total of scores and a count for each, in a table of fixed size.

A thing is known by a hash, and things that fall into the same slot share it: in a table of 2²⁰ slots that is a tenth full, one
thing in ten has a neighbour. That is the price for memory that does not grow.
"""

from zlib import crc32

import msgspec
import numpy as np


class YieldsState(msgspec.Struct, frozen=True, array_like=True):
    used: bytes  # slots
    rows: bytes


class Yields:
    def __init__(self, bits: int, columns: int = 2) -> None:
        """The columns are total and count. If the caller asks for others, it gives them their meaning; the second still says
        whether a slot is used."""
        self.table = np.zeros((1 << bits, columns), np.float32)

    def slot(self, text: str) -> int:
        return text_slot(text, len(self.table))

    def add(self, slot: int, score: float) -> None:
        self.table[slot, 0] += score
        self.table[slot, 1] += 1.0

    def state(self) -> YieldsState:
        used = np.flatnonzero(self.table[:, 1] != 0.0).astype(np.int32)
        return YieldsState(used.tobytes(), self.table[used].tobytes())

    def restore(self, state: YieldsState) -> None:
        used = np.frombuffer(state.used, np.int32)
        self.table[:] = 0.0
        self.table[used] = np.frombuffer(state.rows, np.float32).reshape(-1, self.table.shape[1])


def text_slot(text: str, size: int) -> int:
    """Returns the slot of a text in a table of this size, a power of two."""
    # Most addresses are ASCII, and asking costs a tenth of what the error handler does.
    data = text.encode() if text.isascii() else text.encode("utf-8", "surrogatepass")
    return crc32(data) & (size - 1)
