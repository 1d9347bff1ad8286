"""The verb `revisit`: visits pages of the corpus again that are likely to have changed, and stores what is new of them."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from opilio.core.errors import ConfigError
from opilio.core.items import Seed
from opilio.engine.build import Blueprint
from opilio.engine.loop import Crawl
from opilio.folder import CrawlFolder, View
from opilio.keep import Found

from .crawl import numbers
from .known import known
from .names import Names, paths
from .running import Running
from .settings import Said, settle
from .watching import Watch


class Revisited(NamedTuple):
    """How many pages were visited again, by what was found."""

    reason: str  # why the visits ended
    same: int
    changed: int
    gone: int
    moved: int  # their new addresses are queued
    forbidden: int  # by robots.txt
    failed: int

    @property
    def visits(self) -> int:
        return self.same + self.changed + self.gone + self.moved + self.forbidden + self.failed


def revisit(
    folder: str | Path,
    *,
    pages: int = 1_000,
    web: Names = (),
    workers: int | None = None,
    settings: Iterable[str] = (),
    watch: Watch | None = None,
) -> Revisited:
    """Visits at most this many pages of the corpus again: those that gain most by it, as far as earlier visits tell how often
    pages change. The corpus has the newest version of each; former ones stay in the folder's history. After a kill, the same
    call visits the pages that were left."""
    if pages < 1:
        raise ConfigError(f"{pages} pages cannot be visited. Name at least 1.")
    place = CrawlFolder(Path(folder))
    before = _counts(place)  # raises where there is no crawl
    said = Said(None, (*settings, *numbers(("crawl.workers", workers))))
    settled = settle(known(place.path), said)
    plan = Blueprint(settled.config, place.path, web=paths(web), again=True)
    reason = Running(plan, partial(_due, pages), settled.warnings).to_end(watch)
    after = _counts(place)
    counts = {found.value: after.get(found, 0) - before.get(found, 0) for found in Found}
    return Revisited(reason, **counts)


def _counts(folder: CrawlFolder) -> dict[str, int]:
    with View(folder) as view:
        return view.meta.tally.visits


def _due(pages: int, crawl: Crawl) -> Sequence[Seed]:
    """Queues what is due. Nothing else is begun, so there are no seeds."""
    crawl.parts.revisits.begin(pages, crawl.parts.clock.now())
    return ()
