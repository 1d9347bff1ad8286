"""Undoes Content-Encoding, with the output bounded inside the codec call.

Rules:
* A bound on compressed bytes is not enough: 1 MB of gzip can hold 1 GiB. Each codec here is told how much it may output
  and stops there, so a bomb costs the bound in memory and the time to fill it.
* At most one coding is undone. Two stacked ones turn 1.8 KB into 1 GiB, and no honest page needs them.
* Cut-off or damaged data is an error, not a shorter page. Bytes after the end of gzip or deflate are ignored, as
  browsers do.
* A body may be a few gzip members or zstd frames in a row, not thousands: each costs a copy of what follows it.

Invariant: the result never has more than `limit` bytes, and no buffer on the way exceeds that by more than a codec's
window and one block.
"""

import zlib
from collections.abc import Callable
from typing import Final

import brotli
import zstandard

from opilio.core.outcome import Drop

_ZSTD_WINDOW: Final = 8 * 2**20  # what RFC 9659 allows on the web
_GZIP_WBITS: Final = 16 + zlib.MAX_WBITS
_GZIP_MAGIC: Final = b"\x1f\x8b\x08"
_MOST_MEMBERS: Final = 64
_PART_BYTES: Final = 2**20


class _DamagedError(Exception):
    """The data does not fit its coding. It is never raised outside of this file."""


def decode(body: bytes, coding: str, limit: int) -> bytes | Drop:
    """Returns the decoded body, or the drop that says why there is none."""
    data = _decode(body, coding, limit + 1)
    return Drop.DECODE_LIMIT if isinstance(data, bytes) and len(data) > limit else data


def decode_start(body: bytes, coding: str, limit: int) -> bytes | Drop:
    """Returns the decoded body up to the limit, for files whose beginning is enough, or the drop that says why there is none."""
    data = _decode(body, coding, limit)
    return data if isinstance(data, Drop) else data[:limit]


def _decode(body: bytes, coding: str, most: int) -> bytes | Drop:
    name = coding.strip().lower()
    if name in ("", "identity") or not body:
        return body[:most]
    codec = _CODECS.get(name)
    if codec is None:
        return Drop.DECODE_ERROR
    try:
        return codec(body, most)
    except (_DamagedError, zlib.error, brotli.error, zstandard.ZstdError):
        return Drop.DECODE_ERROR


def _gzip(body: bytes, most: int) -> bytes:
    """Reads member after member, up to the bound or to something that is not a member."""
    data, rest = _inflate(body, _GZIP_WBITS, most)
    members = 1
    while rest.startswith(_GZIP_MAGIC) and len(data) < most:
        members += 1
        if members > _MOST_MEMBERS:
            raise _DamagedError
        part, rest = _inflate(rest, _GZIP_WBITS, most - len(data))
        data += part
    return data


def _deflate(body: bytes, most: int) -> bytes:
    """The standard asks for zlib's wrapper, but some servers send the bare stream. Reading the wrapper fails for
    those."""
    try:
        return _inflate(body, zlib.MAX_WBITS, most)[0]
    except zlib.error:
        return _inflate(body, -zlib.MAX_WBITS, most)[0]


def _inflate(body: bytes, wbits: int, most: int) -> tuple[bytes, bytes]:
    inflater = zlib.decompressobj(wbits)
    data = inflater.decompress(body, most)
    if not inflater.eof and len(data) < most:
        raise _DamagedError
    return data, inflater.unused_data


def _brotli(body: bytes, most: int) -> bytes:
    """Makes many calls with a small bound: a call may stop early, may exceed its bound by a block, and takes twice the memory of
    what it returns."""
    decoder = brotli.Decompressor()
    parts = [decoder.process(body, output_buffer_limit=min(most, _PART_BYTES))]
    left = most - len(parts[0])
    while left > 0 and not decoder.is_finished():
        part = decoder.process(b"", output_buffer_limit=min(left, _PART_BYTES))
        if not part:
            raise _DamagedError
        parts.append(part[:left])
        left -= len(part)
    del decoder  # and its window of 16 MB
    return b"".join(parts)[:most]


def _zstd(body: bytes, most: int) -> bytes:
    decoder = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    with decoder.stream_reader(body, read_across_frames=True) as reader:
        data: bytes = reader.read(most)
    if len(data) < most:
        _check_zstd_end(decoder, body)
    return data


def _check_zstd_end(decoder: zstandard.ZstdDecompressor, body: bytes) -> None:
    """Raises if the last frame was cut off, which the reader does not notice. The result is known to be small by now,
    so decoding it again without a bound is safe; that takes 0.02 of the 0.08 ms that a page of 28 KB costs in this
    coding."""
    rest = body
    for _ in range(_MOST_MEMBERS):
        frame = decoder.decompressobj()
        frame.decompress(rest)
        if not frame.eof:
            break
        rest = frame.unused_data
        if not rest:
            return
    raise _DamagedError


_CODECS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
