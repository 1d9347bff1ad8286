"""The verb `control`: talks to a crawl that runs in another process."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from opilio.core.errors import ConfigError
from opilio.folder import CrawlFolder, ask


def control(folder: str | Path, command: str, settings: Iterable[str] = ()) -> dict[str, Any]:
    """Sends pause, resume, stop, status or set (with `table.key=value` settings) and returns how the crawl stands."""
    wanted = list(settings)
    if command == "set" and not wanted:
        raise ConfigError("nothing to set. Write: opilio control DIR set table.key=value")
    return ask(CrawlFolder(Path(folder)), command, settings=wanted)
