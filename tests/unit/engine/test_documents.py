"""The corpus and the tally's count of it change together, whatever happens to a document."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from opilio.core.items import Gleaned, Record
from opilio.engine.documents import Documents
from opilio.folder import Tally
from opilio.folder.database import Database
from opilio.keep import SCHEMA, Corpus, CorpusReader, CorpusShards, pack
from tests.builders import page

TEXT = "Grüße"  # 7 bytes in UTF-8


def _record(number: int) -> Record:
    return Record(
        id=f"{number:032x}", url=f"http://a.test/{number}", title="", text=TEXT, language="de", language_confidence=0.9,
        tokens=3, score=0.5, opinions=(), depth=0, parent_url="", fetched="2026-01-01T00:00:00Z", status=200,
        content_type="text/html", charset="utf-8", size_bytes=100, seconds=0.1, address="", last_modified="", etag="",
        canonical="", signals=(), text_digest="", body_digest="", warc_record="",
    )  # fmt: skip


class _Desk:
    """Documents of a new folder, and what they write to."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.corpus = Corpus(database.connection, CorpusShards.of(database.connection, folder, 10**6))
        self.corpus.recover()
        self.reader = CorpusReader(database.connection, folder)
        self.tally = Tally()
        self.documents = Documents(self.corpus, self.reader, self.tally)

    def keep(self, number: int) -> None:
        digest = number.to_bytes(32, "big")
        gleaned = Gleaned(None, text_digest=digest, tokens=3, record=pack(_record(number)), warc=b"x")
        self.documents.keep(number, gleaned, page(TEXT, number, language="de"))

    def counts(self) -> tuple[int, int, int]:
        """Returns what the tally says, after checking that the corpus holds as many documents."""
        self.corpus.sync()
        assert self.tally.kept == len(self.reader)
        return self.tally.kept, self.tally.tokens, self.tally.kept_bytes


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[_Desk]:
    database = Database(tmp_path / "crawl.db", [SCHEMA])
    desk = _Desk(tmp_path, database)
    yield desk
    desk.corpus.close()
    database.close()


def test_a_kept_document_is_counted_and_can_be_read_at_once(desk: _Desk) -> None:
    desk.keep(1)
    assert desk.documents.read(1) == _record(1)
    assert desk.counts() == (1, 3, 7)


def test_a_document_that_is_set_aside_is_not_counted_until_it_is_taken_back(desk: _Desk) -> None:
    desk.keep(1)
    desk.keep(2)
    assert desk.documents.set_aside(1) == _record(1)
    assert desk.counts() == (1, 3, 7)
    assert desk.documents.take_back(1) == _record(1)
    assert desk.counts() == (2, 6, 14)


def test_what_was_never_set_aside_cannot_be_taken_back(desk: _Desk) -> None:
    desk.keep(1)
    assert desk.documents.take_back(1) is None
    assert desk.documents.take_back(9) is None
    assert desk.counts() == (1, 3, 7)
