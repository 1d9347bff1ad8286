"""How much the streams of a PDF hold, told before anything is built from them: a megabyte of them can become a gigabyte.

Images do not count, because nobody looks at them, and a scanned page has a hundred megabytes. What calls itself an image and is
not, or hides in a coding that is not looked at here, is left to the limits of the kernel (`reading.guard_with`).
"""

import re
import zlib
from typing import Final

_STREAM: Final = re.compile(rb"(?<!end)stream\r?\n")
_IMAGE: Final = re.compile(rb"/Subtype\s{0,9}/Image\b")
_CODING: Final = b"FlateDecode"
_HEAD_BYTES: Final = 1_000  # of what stands before a stream that are looked at
_MOST_BYTES: Final = 32_000_000  # of a PDF; a book of 500 pages has five
_MOST_STREAMS: Final = 50_000
_PIECE_BYTES: Final = 2**16


def holds_too_much(body: bytes) -> bool:
    left = _MOST_BYTES
    for number, found in enumerate(_STREAM.finditer(body)):
        head = body[max(0, found.start() - _HEAD_BYTES) : found.start()]
        head = head[head.rfind(b" obj") + 1 :]
        if _IMAGE.search(head):
            continue
        left -= _inflated_bytes(body, found.end(), left)
        if left < 0 or number >= _MOST_STREAMS or head.count(_CODING) > 1:  # nobody needs to pack a stream twice
            return True
    return False


def _inflated_bytes(body: bytes, at: int, most: int) -> int:
    """Counts what a stream holds, to a little more than `most`. One that is not packed holds nothing worth mentioning."""
    inflate, size, source = zlib.decompressobj(), 0, body[at : at + _PIECE_BYTES]
    try:
        while source and size <= most and not inflate.eof:
            size += len(inflate.decompress(source, _PIECE_BYTES))
            if not (source := inflate.unconsumed_tail):
                at += _PIECE_BYTES
                source = body[at : at + _PIECE_BYTES]
    except zlib.error:
        pass
    return size
