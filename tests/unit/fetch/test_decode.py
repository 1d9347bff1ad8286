"""Content codings, whole, damaged and hostile."""

import gzip
import zlib
from collections.abc import Callable
from functools import lru_cache

import brotli
import pytest
import zstandard

from opilio.core.outcome import Drop
from opilio.fetch.decode import decode, decode_start

TEXT = b"".join(b"line %d of a page\n" % n for n in range(5000))
BOUND = 2**20


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def _zstd_without_size(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_content_size=False).compress(data)


PACKERS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("gzip", gzip.compress),
    ("x-gzip", gzip.compress),
    ("deflate", zlib.compress),
    ("deflate", _raw_deflate),
    ("br", brotli.compress),
    ("zstd", zstandard.ZstdCompressor().compress),
    ("zstd", _zstd_without_size),
]


@pytest.mark.parametrize(("coding", "pack"), PACKERS)
def test_each_coding_comes_back(coding: str, pack: Callable[[bytes], bytes]) -> None:
    assert decode(pack(TEXT), coding, BOUND) == TEXT
    assert decode(pack(TEXT), f" {coding.upper()} ", BOUND) == TEXT
    assert decode(pack(b""), coding, BOUND) == b""


@pytest.mark.parametrize(("coding", "pack"), PACKERS)
def test_the_limit_is_exact(coding: str, pack: Callable[[bytes], bytes]) -> None:
    assert decode(pack(TEXT), coding, len(TEXT)) == TEXT
    assert decode(pack(TEXT), coding, len(TEXT) - 1) is Drop.DECODE_LIMIT
    assert decode(pack(TEXT), coding, 0) is Drop.DECODE_LIMIT


@pytest.mark.parametrize(("coding", "pack"), PACKERS)
def test_a_start_is_cut_at_the_limit(coding: str, pack: Callable[[bytes], bytes]) -> None:
    assert decode_start(pack(TEXT), coding, 1000) == TEXT[:1000]
    assert decode_start(pack(TEXT), coding, BOUND) == TEXT


@pytest.mark.parametrize(("coding", "pack"), PACKERS)
@pytest.mark.parametrize("kept", [1, 2, 10, 500, -1])
def test_cut_off_data_is_an_error(coding: str, pack: Callable[[bytes], bytes], kept: int) -> None:
    assert decode(pack(TEXT)[:kept], coding, BOUND) is Drop.DECODE_ERROR


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_what_is_not_of_its_coding_is_an_error(coding: str) -> None:
    assert decode(b"<!doctype html><p>plain", coding, BOUND) is Drop.DECODE_ERROR
    assert decode_start(b"<!doctype html><p>plain", coding, BOUND) is Drop.DECODE_ERROR


@pytest.mark.parametrize("coding", ["", "identity", " Identity "])
def test_no_coding_leaves_the_body(coding: str) -> None:
    assert decode(TEXT, coding, BOUND) == TEXT
    assert decode(TEXT, coding, 10) is Drop.DECODE_LIMIT
    assert decode_start(TEXT, coding, 10) == TEXT[:10]


@pytest.mark.parametrize("coding", ["gzip, gzip", "gzip,br", "identity, gzip", "rot13", "compress", "gzip;q=1", "\0"])
def test_unknown_and_stacked_codings_are_errors(coding: str) -> None:
    assert decode(gzip.compress(gzip.compress(TEXT)), coding, BOUND) is Drop.DECODE_ERROR


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_an_empty_body_needs_no_codec(coding: str) -> None:
    assert decode(b"", coding, BOUND) == b""


def test_gzip_checks_its_sum() -> None:
    assert decode(gzip.compress(TEXT)[:-8] + bytes(8), "gzip", BOUND) is Drop.DECODE_ERROR


def test_a_few_members_and_frames_follow_one_another() -> None:
    assert decode(gzip.compress(b"a") + gzip.compress(b"b") + b"\0\0", "gzip", BOUND) == b"ab"
    packed = zstandard.ZstdCompressor().compress
    assert decode(packed(b"a") + packed(b"b"), "zstd", BOUND) == b"ab"


def test_members_stop_at_the_limit() -> None:
    assert decode(gzip.compress(b"a" * 10) * 2, "gzip", 15) is Drop.DECODE_LIMIT
    assert decode_start(gzip.compress(b"a" * 10) * 2, "gzip", 10) == b"a" * 10


def test_thousands_of_members_or_frames_are_refused() -> None:
    assert decode(gzip.compress(b"") * 100_000, "gzip", BOUND) is Drop.DECODE_ERROR
    assert decode(zstandard.ZstdCompressor().compress(b"") * 100_000, "zstd", BOUND) is Drop.DECODE_ERROR


def test_zstd_with_a_window_beyond_the_web_limit_is_refused() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=27, write_content_size=False)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    assert decode(packer.compress(TEXT) + packer.flush(), "zstd", BOUND) is Drop.DECODE_ERROR


@lru_cache(maxsize=1)
def _bombs() -> dict[str, bytes]:
    """One GiB of zeros each, written in pieces so that the test does not hold it."""
    pieces = [bytes(2**22)] * 256
    raw = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    block = raw.compress(pieces[0]) + raw.flush(zlib.Z_FULL_FLUSH)  # stands alone, so it may stand 256 times
    squeezed, framed = brotli.Compressor(quality=1), zstandard.ZstdCompressor(1).compressobj()
    return {
        "gzip": gzip.compress(b"")[:10] + block * 256,
        "deflate": zlib.compress(b"")[:2] + block * 256,
        "br": b"".join(map(squeezed.process, pieces)) + squeezed.finish(),
        "zstd": b"".join(map(framed.compress, pieces)) + framed.flush(),
    }


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_stops_at_the_bound(coding: str) -> None:
    assert decode(_bombs()[coding], coding, BOUND) is Drop.DECODE_LIMIT
    assert decode_start(_bombs()[coding], coding, BOUND) == bytes(BOUND)
