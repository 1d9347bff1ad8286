"""The verb `corpus extract`: takes the texts of the corpus out of the stored bytes once more, without a download."""

import importlib.util
from pathlib import Path

from opilio.core.config import Config
from opilio.core.errors import ConfigError
from opilio.engine.build import SCHEMAS, build_extraction
from opilio.engine.extraction import Extracts, Progress
from opilio.engine.run import event_loop
from opilio.folder import CrawlFolder, Database, FolderLock, View

from .crawl import numbers
from .known import known
from .settings import Said, settle


def corpus_extract(
    folder: str | Path,
    *,
    workers: int | None = None,
    progress: Progress = lambda _done, _all: None,
) -> Extracts:
    """Extracts the text of every page of the corpus again, from the WARC records, by our own extractor and trafilatura together,
    and finds the comments of readers. Pages that this version has extracted before are left alone, so after a kill, or when the
    crawl has gone on, the same call does the rest."""
    if importlib.util.find_spec("trafilatura") is None:
        raise ConfigError('extracting texts again needs trafilatura: pip install "opilio[extract]".')
    place = CrawlFolder(Path(folder))
    with View(place):  # raises where there is no crawl
        pass
    config = settle(known(place.path), Said(None, tuple(numbers(("crawl.workers", workers))), ())).config
    with event_loop() as runner, FolderLock(place):
        return runner.run(_extract(place, config, progress))


async def _extract(folder: CrawlFolder, config: Config, progress: Progress) -> Extracts:
    with Database(folder.database, SCHEMAS) as database:
        extraction = build_extraction(database, folder, config)
        try:
            return await extraction.run(progress)
        finally:
            await extraction.close()
