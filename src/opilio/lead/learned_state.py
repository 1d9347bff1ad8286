"""What the learned lead has learned, as bytes: in the crawl's own database, or taken from another crawl's.

Rule: the version rises with every change of what the bytes mean. A state of another version, or of other signals, is refused.
"""

from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
import zstandard

from opilio.core.errors import ConfigError, CrawlDirError
from opilio.folder.database import open_readonly

_DATABASE: Final = "crawl.db"
_VERSION: Final = 2
_INHERITED: Final = 20  # pages that the base rate of another crawl counts for


def pack(state: dict[str, Any]) -> bytes:
    return zstandard.ZstdCompressor(level=1, write_checksum=True).compress(
        msgspec.msgpack.encode({"version": _VERSION, **state})
    )


def unpack(state: bytes, weights_bytes: int) -> dict[str, Any]:
    """For a lead whose weights take so many bytes."""
    try:
        held = msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(state), type=dict[str, Any])
    except (zstandard.ZstdError, msgspec.DecodeError) as error:
        raise CrawlDirError(
            f"what the learned lead has saved with this crawl cannot be read: {error}. Begin in a new folder."
        ) from error
    if held.get("version") != _VERSION:
        raise CrawlDirError(
            f"what the learned lead has saved with this crawl has version {held.get('version', 'none')}, and this Opilio "
            f"reads version {_VERSION}. Go on with the Opilio that began the crawl, or begin in a new folder."
        )
    if len(held["learner"]["weights"]) != weights_bytes:
        raise CrawlDirError(
            "what the learned lead has saved with this crawl has other signals than this Opilio knows. Go on with the Opilio "
            "that began the crawl, or begin in a new folder."
        )
    return held


def read_other(folder: Path, weights_bytes: int) -> dict[str, Any]:
    """Of another crawl, which may be running; with as many weights as the lead that asks has."""
    if not (folder / _DATABASE).exists():
        raise ConfigError(f"lead.warm names {folder}, which holds no crawl. Name the folder of one, or leave it out.")
    with closing(open_readonly(folder / _DATABASE)) as connection:
        used = connection.execute("SELECT value FROM meta WHERE key = 'config'").fetchone()
        saved = connection.execute("SELECT value FROM meta WHERE key = 'lead'").fetchone()
    name = msgspec.json.decode(used[0], type=dict[str, Any])["lead"].get("name") if used else None
    if saved is None or name != "learned":
        raise ConfigError(
            f'lead.warm names {folder}, whose crawl has learned nothing that the lead "learned" can begin with (its lead: '
            f"{name or 'none yet'}). Name the folder of a crawl by the recipe learned, or leave lead.warm out."
        )
    try:
        return unpack(saved[0], weights_bytes)
    except CrawlDirError as error:
        raise ConfigError(f"lead.warm names {folder}: {error} Or leave lead.warm out.") from error


def base_rate(held: dict[str, Any]) -> tuple[float, int]:
    """Sum of the verdicts, and pages: their ratio is kept, and soon gives way to that of the new crawl."""
    good, seen = held["counts"]
    pages = min(seen, _INHERITED)
    return good * pages / max(1, seen), pages
