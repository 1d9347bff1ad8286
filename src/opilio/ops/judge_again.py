"""The verb `judge again`: judges the stored pages of a crawl anew, from disk, and moves them into the corpus or out of it."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from opilio.core.config import Config
from opilio.core.languages import language_codes
from opilio.engine.build import SCHEMAS, build_retrial
from opilio.engine.retrial import Changes, Progress
from opilio.engine.run import event_loop
from opilio.folder import CrawlFolder, Database, FolderLock, View
from opilio.judge import Judging

from .crawl import numbers
from .known import known
from .names import Names, absolute, each, paths
from .sample_pages import sample_pages
from .settings import Said, settle


class JudgedAgain(NamedTuple):
    changes: Changes
    not_stored: int  # pages that were fetched and have text, of which nothing is stored
    warning: str | None = None


def judge_again(
    folder: str | Path,
    *,
    like: Names = (),
    language: str | Iterable[str] = (),
    recipe: str | None = None,
    web: Names = (),
    workers: int | None = None,
    settings: Iterable[str] = (),
    judge: Judging | None = None,
    progress: Progress = lambda _done, _all: None,
) -> JudgedAgain:
    """Judges every stored page again, kept or not, by the crawl's judge, or by the one that other samples, languages, settings
    or another recipe make, which are the crawl's from then on. Samples that are URLs are taken from the recorded pages in `web`,
    if there are any. `judge` may be an object of your own. After a kill, the same call goes on."""
    place = CrawlFolder(Path(folder))
    with View(place):  # raises where there is no crawl
        pass
    languages = language_codes(each(language))
    said = Said(recipe, (*settings, *numbers(("crawl.workers", workers))), absolute(like), languages=languages)
    config = settle(known(place.path), said).config
    with event_loop() as runner, FolderLock(place):
        sample_pages(config, place.path, paths(web), lasting=True)
        changes = runner.run(_judge(place, config, judge, progress))
    with View(place) as view:
        not_stored = view.count_not_stored()
    forgotten = place.config.exists() and (like or languages or recipe or said.settings)
    warning = f"write these settings into {place.config} too: it decides when the crawl goes on." if forgotten else None
    return JudgedAgain(changes, not_stored, warning)


async def _judge(folder: CrawlFolder, config: Config, judge: Judging | None, progress: Progress) -> Changes:
    with Database(folder.database, SCHEMAS) as database:
        retrial = build_retrial(database, folder, config, judge)
        try:
            return await retrial.run(config, progress)
        finally:
            await retrial.close()
