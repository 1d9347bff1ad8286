"""The bytes of a file that may be packed with gzip or zstd, which is recognised by its first bytes."""

import gzip
import io
import zlib
from typing import TYPE_CHECKING, Final

import zstandard

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

UNPACKING_ERRORS: Final = (OSError, EOFError, zlib.error, zstandard.ZstdError)
GZIP_MAGIC: Final = b"\x1f\x8b"
_ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_PACKED_BYTES: Final = 1 << 11  # zstd decompresses this many to at most 64 MB


def unpacked(file: io.BufferedReader) -> io.BufferedReader:
    """Returns a reader of the unpacked bytes. Reading may raise any of `UNPACKING_ERRORS`."""
    head = file.peek(4)
    if head.startswith(GZIP_MAGIC):
        return io.BufferedReader(gzip.GzipFile(fileobj=file))
    if head.startswith(_ZSTD_MAGIC):
        return io.BufferedReader(_ZstdFrames(file))
    return file


class _ZstdFrames(io.RawIOBase):
    """Reads one frame after the other. The library's own reader does not notice that a file was cut off."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._file = file
        self._frame: zstandard.ZstdDecompressionObj | None = None  # None between frames
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        while not self._ready and self._unpack():
            pass
        room = memoryview(buffer)
        size = min(len(room), len(self._ready))
        room[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _unpack(self) -> bool:
        packed = self._packed or self._file.read(_PACKED_BYTES)
        if not packed and self._frame:
            raise EOFError("it was cut off; copy or pack it again")
        if packed:
            frame = self._frame or zstandard.ZstdDecompressor().decompressobj()
            self._ready = memoryview(frame.decompress(packed))
            self._packed = frame.unused_data
            self._frame = None if frame.eof else frame
        return bool(packed)
