"""What the lead of another crawl has learned. That crawl may be running meanwhile."""

from pathlib import Path

from opilio.core.errors import ConfigError

from .paths import CrawlFolder
from .view import View


def saved_lead(folder: Path, name: str) -> bytes:
    """Returns what the learned lead of the crawl in `name`, relative to `folder`, has saved."""
    other = CrawlFolder(folder / name)
    if not other.database.exists():
        raise ConfigError(
            f"lead.warm names {other.path}, which holds no crawl. Name the folder of one, or leave it out."
        )
    with View(other) as view:
        config, saved = view.meta.config, view.meta.lead
    lead = config.lead.get("name") if config else None
    if saved is None or lead != "learned":
        raise ConfigError(
            f'lead.warm names {other.path}, whose crawl has learned nothing that the lead "learned" can begin with (its lead: '
            f"{lead or 'none yet'}). Name the folder of a crawl by the recipe learned, or leave lead.warm out."
        )
    return saved
