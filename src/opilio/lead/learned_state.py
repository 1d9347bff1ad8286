"""What the learned lead has learned, as bytes: in the crawl's own database, or taken from another crawl's."""

from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
import zstandard

from opilio.core.database import open_readonly
from opilio.core.errors import ConfigError, CrawlDirError

_DATABASE: Final = "crawl.db"
_INHERITED: Final = 20  # pages that the base rate of another crawl counts for


def pack(state: dict[str, Any]) -> bytes:
    return zstandard.ZstdCompressor(level=1).compress(msgspec.msgpack.encode(state))


def unpack(state: bytes) -> dict[str, Any]:
    try:
        return msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(state), type=dict[str, Any])
    except (zstandard.ZstdError, msgspec.DecodeError) as error:
        raise CrawlDirError(
            f"what the learned lead has saved with this crawl cannot be read: {error}. Begin in a new folder."
        ) from error


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
    held = unpack(saved[0])
    if len(held["learner"]["weights"]) != weights_bytes:
        raise ConfigError(
            f"lead.warm names {folder}, whose lead has other signals than this version of Opilio knows. Leave lead.warm out."
        )
    return held


def base_rate(held: dict[str, Any]) -> tuple[float, int]:
    """Sum of the verdicts, and pages: their ratio is kept, and soon gives way to that of the new crawl."""
    good, seen, *_ = held["counts"]
    pages = min(seen, _INHERITED)
    return good * pages / max(1, seen), pages
