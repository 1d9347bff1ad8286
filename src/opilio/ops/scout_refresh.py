"""The verb `scout refresh`: probes the pages of a directory again, and marks what is gone or has changed."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from opilio.discover.entries import DirectoryReader

from .names import Names, paths
from .scout_place import ScoutPlace, saved_config
from .scout_run import work
from .scouting import ScoutWatch


class Refreshed(NamedTuple):
    probed: int
    same: int
    changed: int  # text or language
    gone: int
    stopped: bool  # by the operator; the same command goes on


def scout_refresh(
    directory: str | Path, *, web: Names = (), settings: Iterable[str] = (), watch: ScoutWatch | None = None
) -> Refreshed:
    """Probes every page again that was probed before. An interrupted refresh is finished before a new one begins."""
    place = ScoutPlace(directory)
    with place.open(must_exist=True) as opened:
        config = saved_config(opened, [*settings])
        if not opened.drawn():
            opened.draw_again()
            opened.commit()
        standing = work(opened, place, config, paths(web), watch, draws=False)
    with DirectoryReader(place.path) as reader:
        known = [entry for entry in reader.entries() if entry.probed]
    gone = sum(entry.state == "gone" for entry in known)
    changed = sum(bool(entry.changed) for entry in known if entry.state == "probed")
    return Refreshed(standing.drawn, len(known) - gone - changed, changed, gone, standing.stopped)
