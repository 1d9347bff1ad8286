"""Undoes the compression of a file as its bytes come in: gzip, bzip2, xz, or none, told by the first bytes and not by a name.

Rules: no piece that comes out is longer than `PIECE_BYTES`, whatever goes in. Several members or streams in a row are
one file, as in the multistream dumps of Wikipedia; what follows the last one is ignored. A file that is cut off is an
error only when its end is reached, so that what came before can be used.
"""

import lzma
from bz2 import BZ2Decompressor
from collections.abc import Callable, Iterator
from typing import Any, Final, cast

from isal import isal_zlib
from isal.igzip_lib import DECOMP_GZIP, IgzipDecompressor

from .source import SourceError

PIECE_BYTES: Final = 2**20
_CODECS: Final[dict[bytes, Callable[[], Any]]] = {
    b"\x1f\x8b": lambda: IgzipDecompressor(flag=DECOMP_GZIP),
    b"BZh": BZ2Decompressor,
    b"\xfd7zXZ\x00": lzma.LZMADecompressor,
}
_FAULTS: Final[tuple[type[Exception], ...]] = (
    OSError, EOFError, ValueError, lzma.LZMAError, cast(type[Exception], isal_zlib.error),
)  # fmt: skip


class Unpacker:
    def __init__(self, name: str) -> None:
        self._name = name  # of the file, for messages
        self._magic: bytes | None = None  # None: nothing was read yet; b"": the file is not compressed
        self._codec: Any = None  # None: between two streams
        self._rest = b""  # the beginning of what may be the next stream

    def feed(self, packed: bytes) -> Iterator[bytes]:
        if self._magic is None and packed:
            self._magic = next(filter(packed.startswith, _CODECS), b"")
        if not self._magic:
            yield from (packed[at : at + PIECE_BYTES] for at in range(0, len(packed), PIECE_BYTES))
            return
        packed, self._rest = self._rest + packed, b""
        while packed or self._codec is not None:
            if self._codec is None:
                if not packed.startswith(self._magic):
                    self._rest = packed if self._magic.startswith(packed) else b""
                    return
                self._codec = _CODECS[self._magic]()
            if piece := self._unpack(packed):
                yield piece
            packed = b""
            if self._codec.eof:
                packed, self._codec = self._codec.unused_data, None
            elif self._codec.needs_input:
                return

    def close(self) -> None:
        if self._codec is not None:
            raise SourceError(f"{self._name} is cut off: get it again. What was found before that point is kept.")

    def _unpack(self, packed: bytes) -> bytes:
        try:
            piece: bytes = self._codec.decompress(packed, PIECE_BYTES)
        except _FAULTS as error:
            raise SourceError(f"{self._name} is damaged ({error}): get it again.") from error
        return piece
