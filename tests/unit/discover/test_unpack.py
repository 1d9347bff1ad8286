"""Compressed files as their bytes come in, wherever they are cut."""

import bz2
import gzip
import lzma
from collections.abc import Callable

import pytest

from opilio.discover.unpack import Unpacker


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_streams_in_a_row_are_one_file_wherever_it_is_cut(compress: Callable[[bytes], bytes]) -> None:
    packed = compress(b"one ") + compress(b"two ") + compress(b"three")
    for at in range(6, len(packed)):
        unpacker = Unpacker("a file")
        pieces = [*unpacker.feed(packed[:at]), *unpacker.feed(packed[at:])]
        unpacker.close()
        assert b"".join(pieces) == b"one two three", at
