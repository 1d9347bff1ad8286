"""What the lead of another crawl has learned. That crawl may be running meanwhile."""

from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from opilio.core.errors import ConfigError

from .database import open_readonly
from .place import CrawlFolder


def saved_lead(folder: Path, name: str) -> bytes:
    """Returns what the learned lead of the crawl in `name`, relative to `folder`, has saved."""
    other = CrawlFolder(folder / name)
    if not other.database.exists():
        raise ConfigError(
            f"lead.warm names {other.path}, which holds no crawl. Name the folder of one, or leave it out."
        )
    with closing(open_readonly(other.database)) as connection:
        used = connection.execute("SELECT value FROM meta WHERE key = 'config'").fetchone()
        saved = connection.execute("SELECT value FROM meta WHERE key = 'lead'").fetchone()
    lead = msgspec.json.decode(used[0], type=dict[str, Any])["lead"].get("name") if used else None
    if saved is None or lead != "learned":
        raise ConfigError(
            f'lead.warm names {other.path}, whose crawl has learned nothing that the lead "learned" can begin with (its lead: '
            f"{lead or 'none yet'}). Name the folder of a crawl by the recipe learned, or leave lead.warm out."
        )
    return bytes(saved[0])
