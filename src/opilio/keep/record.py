"""Packs a document as one JSON line in a zstd frame: frames can be read singly, and a shard is a valid .jsonl.zst."""

from threading import local
from typing import Final

import msgspec
import zstandard

from opilio.core.items import Record

_encode: Final = msgspec.json.Encoder().encode
decode_line: Final = msgspec.json.Decoder(Record).decode
_compress: Final = zstandard.ZstdCompressor(level=1, write_checksum=True).compress
_MAX_LINE_BYTES: Final = 64 * 2**20


class _Own(local):
    """What each thread has for itself. Making it anew for each frame would take as long as decompressing the frame."""

    def __init__(self) -> None:
        self.decompressor = zstandard.ZstdDecompressor()


_own: Final = _Own()


def pack(record: Record) -> bytes:
    return _compress(_encode(record) + b"\n")


def unpack(frame: bytes) -> Record:
    return decode_line(unpack_line(frame))


def unpack_line(frame: bytes) -> bytes:
    """Returns the JSON line with its newline. Raises `ZstdError` if the frame's own checksum does not match."""
    line: bytes = _own.decompressor.decompress(frame, max_output_size=_MAX_LINE_BYTES)
    return line
