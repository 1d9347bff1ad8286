"""The operator's word on a page, for a crawl that runs as for one that stands still."""

from random import Random

import msgspec

from opilio.core.clock import SystemClock
from opilio.core.config import Config, load_config, restore_config
from opilio.core.errors import CrawlDirError
from opilio.core.items import Page
from opilio.core.plugin import Context, build_plugin
from opilio.engine import Marked, Marking
from opilio.engine.build import SCHEMAS
from opilio.engine.documents import Documents
from opilio.engine.endings import DropCounts
from opilio.enqueue import Frontier, Politeness, SqliteStore, build_policy
from opilio.folder import CrawlFolder, FolderLock, ask, decode_tally
from opilio.folder.database import Database, open_readonly
from opilio.judge import Judge
from opilio.keep import Corpus, CorpusReader, CorpusShards


def mark_page(folder: CrawlFolder, url: str, belongs: bool) -> Marked:
    open_readonly(folder.database).close()  # says so where there is no crawl
    try:
        return msgspec.convert(ask(folder, "mark", url=url, belongs=belongs), Marked)
    except CrawlDirError:
        with FolderLock(folder):
            return _mark_standing(folder, url, belongs)


def _mark_standing(folder: CrawlFolder, url: str, belongs: bool) -> Marked:
    """Just the parts of a crawl that know its pages; nothing is fetched and no other part is built."""
    database = Database(folder.database, SCHEMAS)
    try:
        saved = database.meta("config")
        config = restore_config(saved) if saved else load_config()
        tally = decode_tally(database.meta("tally"))
        store = SqliteStore(database.connection)
        now_s = SystemClock().now()
        policy = build_policy(config.policy)
        frontier = Frontier(store, policy, Politeness.of(config), Random(0), folder.seen, [DropCounts(tally)])
        frontier.open(now_s, store.highest(), after_kill=False)
        corpus = Corpus(database.connection, CorpusShards.of(database.connection, folder.path))
        documents = Documents(corpus, CorpusReader(database.connection, folder.path), tally)

        def teach(page: Page, belongs: bool) -> bool:
            return _teach(database, config, folder, page, belongs)

        marked = Marking(database.connection, frontier, documents, teach).mark(url, belongs, now_s)
        database.set_meta("tally", tally.encode())
        database.commit()
        return marked if database.meta("judge") else msgspec.structs.replace(marked, unlearnt=_unlearnt(config))
    finally:
        database.close()


def _unlearnt(config: Config) -> str:
    return (
        f'the judge "{config.judge["name"]}" has saved no state in this crawl, so it learns nothing from the mark, which holds '
        "all the same. Judges that learn save one with the first pages of a crawl that is run by its settings."
    )


def _teach(database: Database, config: Config, folder: CrawlFolder, page: Page, belongs: bool) -> bool:
    """A judge that has saved no state could not save what it learns either."""
    state = database.meta("judge")
    if state is None:
        return False
    judge = Judge.adopt(build_plugin("judge", config.judge, Context(config, folder.path, state=state)))
    if not judge.teach(page, belongs) or (learned := judge.state()) is None:
        return False
    database.set_meta("judge", learned)
    return True
