"""What a judge or a lead has learned, as bytes: for copies in other processes, and in the crawl's own database.

A state is a `msgspec.Struct` with a field `version: Literal[n] = n`; an older layout may name several versions. Its
bytes are msgpack, compressed with a checksum.

Rule: the version rises with every change of what the bytes mean. A state of another version or layout is refused, unless its
owner names that layout as an older one that it still reads.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeVar, get_args

import msgspec
import zstandard

from .errors import CrawlDirError

State = TypeVar("State", bound=msgspec.Struct)
_LEVEL: Final = 3  # of compression


class _Versioned(msgspec.Struct):
    version: Any = "none"


def pack(state: msgspec.Struct, level: int = _LEVEL) -> bytes:
    return zstandard.ZstdCompressor(level=level, write_checksum=True).compress(msgspec.msgpack.encode(state))


def unpack(saved: bytes, layout: type[State], owner: str, older: Sequence[type[State]] = ()) -> State:
    """Returns the state, or raises a `CrawlDirError` that names its owner ("the topic judge")."""
    try:
        data = zstandard.ZstdDecompressor().decompress(saved)
        version = msgspec.msgpack.decode(data, type=_Versioned).version
        for each in (layout, *older):
            if version in _versions(each):
                return msgspec.msgpack.decode(data, type=each)
        raise _refusal(owner, f"it has version {version}, and this Opilio reads version {_versions(layout)[-1]}")
    except (zstandard.ZstdError, msgspec.MsgspecError) as error:
        raise _refusal(owner, str(error)) from error


def _versions(layout: type[msgspec.Struct]) -> tuple[int, ...]:
    [versions] = [get_args(field.type) for field in msgspec.structs.fields(layout) if field.name == "version"]
    return versions


def _refusal(owner: str, cause: str) -> CrawlDirError:
    return CrawlDirError(
        f"what {owner} has saved with this crawl cannot be read: {cause}. If another version of Opilio began the crawl, "
        "continue with that one; otherwise begin in a new folder."
    )
