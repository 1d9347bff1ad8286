"""The read-only view of a crawl's folder, and what it joins from the tables of several owners."""

from pathlib import Path

import pytest

from opilio.core.config import load_config
from opilio.core.errors import CrawlDirError
from opilio.core.items import Gleaned
from opilio.core.outcome import Drop, Outcome
from opilio.core.url import fingerprint
from opilio.engine.build import SCHEMAS
from opilio.enqueue import Ending, SqliteStore, State, StoredLink
from opilio.enqueue.store import StoredHost
from opilio.folder import CrawlFolder, Database, Marks, View
from opilio.folder.marks import Mark
from opilio.folder.view import Site
from opilio.keep import Corpus, CorpusShards
from tests.builders import page


@pytest.fixture
def folder(tmp_path: Path) -> CrawlFolder:
    """Two pages of one host, one of them kept; a second host has given nothing."""
    folder = CrawlFolder(tmp_path)
    database = Database(folder.database, SCHEMAS)
    store = SqliteStore(database.connection)
    store.save_hosts([StoredHost(number, f"{number}.test", "", 0.0, 0.0, 0, 0, None) for number in (1, 2)])
    for number, host in ((1, 1), (2, 1), (3, 2)):
        url = f"http://{host}.test/{number}"
        store.insert([StoredLink(number, fingerprint(url), url, host, State.QUEUED, 0, 0.0, 0, 0, 0, 0, "", 1.0)])
    store.finish(1, Ending(None, Outcome.OK, 200))
    store.finish(2, Ending(Drop.DUPLICATE, Outcome.OK, 200))
    corpus = Corpus(database.connection, CorpusShards.of(database.connection, tmp_path, 10**6))
    corpus.recover()
    corpus.add(1, Gleaned(None, page=page(title="One"), text_digest=bytes(32), tokens=70, record=b"x", warc=b"x"))
    corpus.add(2, Gleaned(None, page=page(title="Two"), text_digest=bytes(32), record=b"x"), Drop.DUPLICATE)
    corpus.sync()
    corpus.close()
    Marks(database.connection).put(2, belongs=True, now_s=5.0)
    database.meta.changed = ["stop.pages=3"]
    database.commit()
    database.close()
    return folder


def test_a_view_needs_a_crawl(tmp_path: Path) -> None:
    with pytest.raises(CrawlDirError, match="holds no crawl"):
        View(CrawlFolder(tmp_path))


def test_a_view_shows_every_part_of_a_folder(folder: CrawlFolder) -> None:
    with View(folder) as view:
        assert view.meta.changed == ["stop.pages=3"]
        assert view.links.states() == {State.QUEUED: 1, State.DONE: 2}
        assert len(view.documents) == 1
        assert (view.marks.find(1), view.marks.find(2)) == (None, Mark(belongs=True, marked_s=5.0))


def test_the_config_is_that_of_the_last_run_or_the_default(folder: CrawlFolder) -> None:
    with View(folder) as view:
        assert view.config == load_config()
        database = Database(folder.database, SCHEMAS)
        database.meta.config = load_config(recipe="learned")
        database.commit()
        database.close()
        assert view.config.crawl.recipe == "learned"  # a view that is open sees what is committed beside it


def test_documents_are_joined_with_their_links_and_counted_by_host(folder: CrawlFolder) -> None:
    with View(folder) as view:
        assert [(link.url, entry.tokens, entry.language) for link, entry in view.kept()] == [
            ("http://1.test/1", 70, "en")
        ]
        assert [(link.id, page.title, page.drop) for link, page in view.stored()] == [
            (1, "One", None),
            (2, "Two", Drop.DUPLICATE),
        ]
        assert view.sites() == [Site("1.test", 2, 1, 70, {Drop.DUPLICATE: 1})]
