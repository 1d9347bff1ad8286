"""The verb `scout audit`: what stands behind the messages that the language filter has rejected, and behind all of them.

A random sample of the rejected messages' links, and one of all links, are probed (Barbaresi 2013). The more pages in the wanted
languages stand behind rejected messages, the more the filter costs. Audited URLs stay what they are: they do not become seeds.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from opilio.discover.entries import DirectoryReader

from .names import Names, paths
from .scout_place import ScoutPlace, saved_config
from .scout_run import work
from .scouting import ScoutWatch


class Audited(NamedTuple):
    """Languages of the pages behind links, the most frequent first."""

    rejected: dict[str, int]
    all: dict[str, int]
    stopped: bool


def scout_audit(
    directory: str | Path,
    *,
    sample: int = 100,
    web: Names = (),
    settings: Iterable[str] = (),
    watch: ScoutWatch | None = None,
) -> Audited:
    """Probes up to `sample` links of rejected messages and as many of all, and returns the languages that stand behind all that
    were ever probed of each kind."""
    place = ScoutPlace(directory)
    with place.open(must_exist=True) as opened:
        config = saved_config(opened, [*settings])
        if not opened.drawn():
            opened.draw_for_audit(sample, config.crawl.seed, set_aside=True)
            opened.draw_for_audit(sample, config.crawl.seed, set_aside=False)
            opened.commit()
        standing = work(opened, place, config, paths(web), watch, draws=False)
    with DirectoryReader(place.path) as reader:
        known = [entry for entry in reader.entries() if entry.probed]
    rejected = Counter(entry.language for entry in known if entry.set_aside)
    return Audited(
        dict(rejected.most_common()), dict(Counter(entry.language for entry in known).most_common()), standing.stopped
    )
