"""Every format gives back every document, whole and in order, and a broken export never looks finished."""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest
import zstandard

from opilio.core.errors import ConfigError, StorageError
from opilio.core.items import Gleaned, Opinion, Record, Signal
from opilio.core.predicate import predicate
from opilio.folder.database import Database
from opilio.keep import FORMATS, SCHEMA, Corpus, CorpusReader, CorpusShards, export_corpus, pack, unpack
from opilio.keep.export import Selection
from tests.builders import page

COUNT = 25


def _record(number: int) -> Record:
    return Record(
        id=f"{number:032x}",
        url=f"http://example.org/{number}",
        title='A title,\twith "signs" and \u2028 \x00 in it',
        text=f"Paragraph {number}.\nGrüße, 漢字 and 🐈.",
        language="en",
        language_confidence=0.75,
        tokens=7,
        score=0.5,
        opinions=(Opinion("everything", 1.0, "every page belongs"), Opinion("other", 0.0, "")),
        depth=number,
        parent_url="",
        fetched="2026-01-01T00:00:00Z",
        status=200,
        content_type="text/html",
        charset="utf-8",
        size_bytes=2**33,
        seconds=0.25,
        address="192.0.2.1",
        last_modified="",
        etag="",
        canonical="",
        signals=(Signal("meta", "robots", "nofollow"),) if number % 2 else (),
        text_digest="sha256:00",
        body_digest="sha256:11",
        warc_record="urn:uuid:0",
    )


RECORDS = [_record(number) for number in range(COUNT)]


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[CorpusReader]:
    """A corpus whose shards hold a few documents each."""
    database = Database(tmp_path / "crawl.db", [SCHEMA])
    corpus = Corpus(database.connection, CorpusShards.of(database.connection, tmp_path, 2000))
    corpus.recover()
    for number, record in enumerate(RECORDS, 1):
        digest = number.to_bytes(32, "big")[::-1]
        assert corpus.find_text(digest) == 0
        gleaned = Gleaned(None, page=page(language="en"), text_digest=digest, tokens=7, record=pack(record), warc=b"x")
        corpus.add(number, gleaned)
        assert corpus.find_text(digest) == number
    corpus.sync()
    database.commit()
    corpus.close()
    yield CorpusReader(database.connection, tmp_path)
    database.close()


def test_the_reader_gives_every_document_in_the_order_of_keeping(corpus: CorpusReader, tmp_path: Path) -> None:
    assert list(corpus) == RECORDS
    assert len(corpus) == COUNT
    assert (corpus.get(3), corpus.get(COUNT + 1)) == (RECORDS[2], None)
    assert len(list((tmp_path / "pages").iterdir())) > 2


def test_the_reader_tells_of_documents_without_opening_them(corpus: CorpusReader) -> None:
    told = [(page.link, page.tokens, page.language, page.drop) for page in corpus.rows.all()]
    assert told == [(number, 7, "en", None) for number in range(1, COUNT + 1)]
    assert corpus.languages() == {"en": COUNT}


def test_warc_files_come_end_to_end_without_what_was_not_committed(corpus: CorpusReader, tmp_path: Path) -> None:
    last = max((tmp_path / "warc").iterdir())
    with last.open("ab") as file:
        file.write(b"torn")
    assert b"".join(corpus.warc_records()) == b"x" * COUNT


def test_json_lines_are_one_document_each(corpus: CorpusReader, tmp_path: Path) -> None:
    assert export_corpus(corpus, "jsonl", tmp_path / "corpus.jsonl") == COUNT
    lines = (tmp_path / "corpus.jsonl").read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert [list(json.loads(line)) for line in lines] == [list(Record.__struct_fields__)] * COUNT
    assert [msgspec.json.decode(line, type=Record) for line in lines] == RECORDS


def test_compressed_json_lines_are_the_same_lines(corpus: CorpusReader, tmp_path: Path) -> None:
    export_corpus(corpus, "jsonl", tmp_path / "plain")
    assert export_corpus(corpus, "jsonl.zst", tmp_path / "packed") == COUNT
    with zstandard.open(tmp_path / "packed", "rb") as file:
        assert file.read() == (tmp_path / "plain").read_bytes()


def test_a_shard_of_pages_is_itself_compressed_json_lines(corpus: CorpusReader, tmp_path: Path) -> None:
    lines = b""
    for path in sorted((tmp_path / "pages").iterdir()):
        with (
            path.open("rb") as file,
            zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True) as shard,
        ):
            lines += shard.read()
    assert lines == b"".join(corpus.lines())


def test_parquet_has_a_column_per_field_in_the_order_of_the_record(corpus: CorpusReader, tmp_path: Path) -> None:
    assert export_corpus(corpus, "parquet", tmp_path / "corpus.parquet") == COUNT
    table = pq.read_table(tmp_path / "corpus.parquet")
    assert table.column_names == list(Record.__struct_fields__)
    assert [msgspec.convert(row, Record) for row in table.to_pylist()] == RECORDS


def test_text_is_a_paragraph_per_line_and_an_empty_line_after_each_document(
    corpus: CorpusReader, tmp_path: Path
) -> None:
    assert export_corpus(corpus, "text", tmp_path / "corpus.txt") == COUNT
    documents = (tmp_path / "corpus.txt").read_text("utf-8").split("\n\n")
    assert documents.pop() == ""
    assert documents == [record.text for record in RECORDS]


@pytest.mark.parametrize("style", FORMATS)
def test_a_selection_is_exported_like_a_corpus_of_what_is_in_it(
    corpus: CorpusReader, tmp_path: Path, style: str
) -> None:
    some = Selection(corpus, predicate(f"url == {json.dumps(RECORDS[2].url)}", Record))
    assert export_corpus(some, style, tmp_path / "out") == 1
    assert list(some) == [RECORDS[2]]
    assert [msgspec.json.decode(line, type=Record) for line in some.lines()] == [RECORDS[2]]


@pytest.mark.parametrize("style", FORMATS)
def test_the_same_corpus_gives_the_same_bytes(corpus: CorpusReader, tmp_path: Path, style: str) -> None:
    for name in ("one", "two"):
        export_corpus(corpus, style, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("style", FORMATS)
def test_an_empty_corpus_can_be_exported(tmp_path: Path, style: str) -> None:
    database = Database(tmp_path / "crawl.db", [SCHEMA])
    assert export_corpus(CorpusReader(database.connection, tmp_path), style, tmp_path / "out") == 0
    assert (tmp_path / "out").exists()
    database.close()


def test_an_unknown_format_is_answered_with_the_known_ones(corpus: CorpusReader, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r'"csv".*jsonl, jsonl\.zst, parquet, text'):
        export_corpus(corpus, "csv", tmp_path / "out")


@pytest.mark.parametrize("style", FORMATS)
def test_what_cannot_be_written_leaves_nothing_behind(corpus: CorpusReader, tmp_path: Path, style: str) -> None:
    target = tmp_path / "exports" / "corpus"
    target.mkdir(parents=True)
    with pytest.raises(StorageError, match=r"cannot write .*corpus.*untouched"):
        export_corpus(corpus, style, target)
    assert list(target.parent.iterdir()) == [target]


def test_a_packed_record_is_read_back_as_it_was() -> None:
    assert unpack(pack(RECORDS[0])) == RECORDS[0]
    assert pack(RECORDS[0]) == pack(RECORDS[0])


def test_a_flipped_bit_in_a_shard_is_named_and_nothing_of_it_is_exported(corpus: CorpusReader, tmp_path: Path) -> None:
    shard = sorted((tmp_path / "pages").iterdir())[1]
    damaged = bytearray(shard.read_bytes())
    damaged[len(damaged) // 2] ^= 4
    shard.write_bytes(damaged)
    (tmp_path / "exports").mkdir()
    with pytest.raises(StorageError, match=shard.name):
        export_corpus(corpus, "jsonl", tmp_path / "exports" / "out")
    assert list((tmp_path / "exports").iterdir()) == []


def test_the_day_of_a_page_is_its_own_date_or_else_that_of_its_last_change() -> None:
    changed = msgspec.structs.replace(_record(0), last_modified="Wed, 18 Nov 2026 00:34:00 GMT")
    dated = msgspec.structs.replace(changed, date="2026-11-16")
    assert (dated.day, changed.day, _record(0).day) == ("2026-11-16", "2026-11-18", "")
    assert predicate('day == "2026-11-18"', Record)(changed)
