"""The verb `mark`: the operator decides whether a page belongs, in a running crawl or a stopped one."""

from pathlib import Path

import msgspec

from opilio.core.clock import SystemClock
from opilio.core.config import Config, load_config
from opilio.core.errors import CrawlDirError
from opilio.core.items import Page
from opilio.core.plugin import Context
from opilio.engine import Marked
from opilio.engine.build import SCHEMAS, build_marking
from opilio.folder import CrawlFolder, FolderLock, View, ask
from opilio.folder.database import Database
from opilio.judge import build_judge


def mark(folder: str | Path, url: str, belongs: bool) -> Marked:
    """Marks a page as belonging or not, whatever the judge says. A running crawl obeys at once."""
    place = CrawlFolder(Path(folder))
    with View(place):  # raises where there is no crawl
        pass
    try:
        return msgspec.convert(ask(place, "mark", url=url, belongs=belongs), Marked)
    except CrawlDirError:
        with FolderLock(place):
            return _mark_standing(place, url, belongs)


def _mark_standing(folder: CrawlFolder, url: str, belongs: bool) -> Marked:
    """Marks a page of a crawl that does not run."""
    with Database(folder.database, SCHEMAS) as database:
        config = database.meta.config or load_config()
        tally, now_s = database.meta.tally, SystemClock().now()

        def teach(page: Page, belongs: bool) -> bool:
            database.meta.untold = [*database.meta.untold, page.url]
            return _teach(database, config, folder, page, belongs)

        marking = build_marking(database, folder, config, tally, teach, now_s)
        marked = marking.mark(url, belongs, now_s)
        marking.documents.corpus.sync()
        marking.documents.corpus.close()
        database.meta.tally = tally
        database.commit()
        return (
            marked if database.meta.judge else msgspec.structs.replace(marked, not_learned=_reason_not_learned(config))
        )


def _reason_not_learned(config: Config) -> str:
    return (
        f'the judge "{config.judge["name"]}" has saved no state in this crawl, so it cannot learn from the mark. The mark '
        "holds nevertheless. Judges that learn save a state with the first pages of a crawl."
    )


def _teach(database: Database, config: Config, folder: CrawlFolder, page: Page, belongs: bool) -> bool:
    """Teaches the judge, and returns whether it has learned. A judge without a saved state could not save what it learns."""
    state = database.meta.judge
    if state is None:
        return False
    judge = build_judge(Context(config, folder.path, state=state))
    if not judge.teach(page, belongs) or (learned := judge.state()) is None:
        return False
    database.meta.judge = learned
    return True
