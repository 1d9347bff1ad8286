"""The verb `cycle log`: what each cycle added."""

from pathlib import Path

from opilio.core.errors import CrawlDirError
from opilio.folder.cycles import Cycle, CyclesFolder


def cycle_log(folder: str | Path) -> list[Cycle]:
    """Returns what each finished cycle of a folder came to, in their order."""
    place = CyclesFolder(Path(folder))
    if not place.has_begun:
        raise CrawlDirError(f"{place.path} holds no cycles. `opilio cycle run {place.path}` runs the first one.")
    return place.finished()
