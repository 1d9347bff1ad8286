"""What a folder knows of its settings before the operator says anything."""

import shlex
from pathlib import Path

from opilio.core.config import Layer, read_toml
from opilio.folder import CrawlFolder, View
from opilio.folder.database import is_left_unbegun, refuse_cycles

from .settings import Known


def known(folder: Path, own: Layer | None = None) -> Known:
    """Returns the settings that a folder has by itself; `own` takes the place of its crawl.toml."""
    place = CrawlFolder(folder)
    refuse_cycles(place)
    if own is None and place.config.exists():
        own = Layer(str(place.config), read_toml(place.config))
    if not place.database.exists() or is_left_unbegun(place.database):
        return Known(own)
    with View(place) as view:
        return Known(own, view.meta.config, tuple(view.meta.changed), shlex.quote(str(folder)))
