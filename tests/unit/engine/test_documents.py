"""The corpus and the tally's count of it change together, whatever happens to a document."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from opilio.core.items import Gleaned, Record
from opilio.core.outcome import Drop
from opilio.engine.documents import Documents
from opilio.folder import Tally
from opilio.folder.database import Database
from opilio.keep import SCHEMA, Corpus, CorpusReader, CorpusShards, StoredPage, pack
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
        self.documents = Documents(self.corpus, self.tally)

    def store(self, number: int, drop: Drop | None = None, refused: str = "bytes") -> None:
        digest = number.to_bytes(32, "little")
        found = page(TEXT, number, language="de")
        gleaned = Gleaned(
            None, page=found, text_digest=digest, tokens=3, text_bytes=7, record=pack(_record(number)), warc=b"x"
        )
        self.documents.store(number, gleaned, drop, refused)

    def found(self, number: int) -> StoredPage:
        page = self.documents.find(number)
        assert page is not None
        return page

    def replace(self, number: int, drop: Drop | None) -> None:
        record = msgspec.structs.replace(_record(number), score=float(drop is None))
        self.documents.replace(self.found(number), drop, pack(record), record.score, len(TEXT.encode()))

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
    desk.store(1)
    assert desk.corpus.read(desk.found(1)) == _record(1)
    assert desk.counts() == (1, 3, 7)


def test_a_page_that_leaves_the_corpus_is_not_counted_until_it_comes_back(desk: _Desk) -> None:
    desk.store(1)
    desk.store(2)
    desk.replace(1, Drop.MARKED_NO)
    assert desk.counts() == (1, 3, 7)
    assert (desk.found(1).drop, desk.found(1).score) == (Drop.MARKED_NO, 0.0)
    desk.replace(1, None)
    assert desk.counts() == (2, 6, 14)
    assert desk.corpus.read(desk.found(1)).score == 1.0


@pytest.mark.parametrize(("refused", "warc_bytes"), [("bytes", 1), ("text", 0)])
def test_a_refused_page_is_stored_as_the_settings_say(desk: _Desk, refused: str, warc_bytes: int) -> None:
    desk.store(1, Drop.NOT_RELEVANT, refused)
    assert desk.corpus.read(desk.found(1)) == _record(1)
    assert desk.found(1).warc.length == warc_bytes
    assert desk.counts() == (0, 0, 0)


def test_nothing_is_stored_of_a_refused_page_if_the_settings_say_so(desk: _Desk) -> None:
    desk.store(1, Drop.NOT_RELEVANT, "nothing")
    desk.store(2, None, "nothing")
    assert desk.documents.find(1) is None
    assert desk.counts() == (1, 3, 7)


def test_a_page_of_the_corpus_with_the_same_text_is_found(desk: _Desk) -> None:
    desk.store(1)
    desk.store(2)
    assert desk.documents.kept_twin(desk.found(1)) == 0
    assert desk.documents.kept_twin(desk.found(2)._replace(text_key=desk.found(1).text_key)) == 1
    desk.replace(1, Drop.MARKED_NO)
    assert desk.documents.kept_twin(desk.found(2)._replace(text_key=desk.found(1).text_key)) == 0
