"""Packs what a judge has learned into bytes, for copies in other processes and for the crawl's own database.

Rule: a state has a version, which rises with every change of its layout. A state of another version or layout is
refused.
"""

from typing import TypeVar

import msgspec
import zstandard

from opilio.core.errors import CrawlDirError

State = TypeVar("State", bound=msgspec.Struct)


def pack(state: msgspec.Struct) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(msgspec.msgpack.encode(state))


def unpack(saved: bytes, layout: type[State], judge: str) -> State:
    try:
        return msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(saved), type=layout)
    except (zstandard.ZstdError, msgspec.MsgspecError) as error:
        raise CrawlDirError(
            f"what the {judge} judge has saved with this crawl cannot be read: {error}. If another version of Opilio began the "
            "crawl, continue with that one; otherwise begin in a new folder."
        ) from error
