"""The verb `judge again`: judges the stored pages of a crawl anew, from disk, and moves them into the corpus or out of it."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from opilio.core.config import Config
from opilio.engine.build import SCHEMAS, build_retrial
from opilio.engine.retrial import Changes, Progress
from opilio.engine.run import event_loop
from opilio.folder import CrawlFolder, Database, FolderLock, View
from opilio.judge import Judging

from .crawl import numbers
from .known import known
from .names import Names, absolute
from .settings import Said, settle


class JudgedAgain(NamedTuple):
    changes: Changes
    not_stored: int  # pages that were fetched and have text, of which nothing is stored
    warning: str | None = None


def judge_again(
    folder: str | Path,
    *,
    like: Names = (),
    recipe: str | None = None,
    workers: int | None = None,
    settings: Iterable[str] = (),
    judge: Judging | None = None,
    progress: Progress = lambda _done, _all: None,
) -> JudgedAgain:
    """Judges every stored page again, kept or not, by the crawl's judge, or by the one that other samples, another recipe or
    other settings make, which are the crawl's from then on. `judge` may be an object of your own. After a kill, the same call
    goes on."""
    place = CrawlFolder(Path(folder))
    with View(place):  # raises where there is no crawl
        pass
    said = Said(recipe, (*settings, *numbers(("crawl.workers", workers))), absolute(like))
    config = settle(known(place.path), said).config
    with event_loop() as runner, FolderLock(place):
        changes = runner.run(_judge(place, config, judge, progress))
    with View(place) as view:
        not_stored = view.count_not_stored()
    forgotten = place.config.exists() and (like or recipe or said.settings)
    warning = f"write these settings into {place.config} too: it decides when the crawl goes on." if forgotten else None
    return JudgedAgain(changes, not_stored, warning)


async def _judge(folder: CrawlFolder, config: Config, judge: Judging | None, progress: Progress) -> Changes:
    database = Database(folder.database, SCHEMAS)
    try:
        retrial = build_retrial(database, folder, config, judge)
        try:
            return await retrial.run(config, progress)
        finally:
            await retrial.close()
    finally:
        database.close()
