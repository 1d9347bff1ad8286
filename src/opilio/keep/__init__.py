"""The corpus: what was kept and what was refused, where it is stored, and how it is exported.

A worker packs a judged page into two byte strings, a WARC member and a compressed JSON line. The main process has the
`Corpus`, which appends both to shards, those of the corpus or those of refused pages, fsyncs them, and names them in the
transaction that ends the page's lease. Each has a row, a `StoredPage`. Another verdict moves a page in or out. `CorpusReader`
reads what is committed, and `export_corpus` writes it in other formats.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

if TYPE_CHECKING:
    from .corpus import SCHEMA, Corpus, CorpusShards
    from .export import FORMATS, export_corpus
    from .reader import CorpusReader
    from .record import pack, unpack
    from .shards import Shards
    from .stored import FORMAT_1_UPGRADE, FORMAT_1_VIEW, FirstShards, StoredPage
    from .visits import Found, Visited, Visits
    from .warc import Original, info_record, payload_digest, response_record, revisit_record

__getattr__ = lazy_names(
    __name__,
    {
        "corpus": "SCHEMA Corpus CorpusShards",
        "export": "FORMATS export_corpus",
        "reader": "CorpusReader",
        "record": "pack unpack",
        "shards": "Shards",
        "stored": "FORMAT_1_UPGRADE FORMAT_1_VIEW FirstShards StoredPage",
        "visits": "Found Visited Visits",
        "warc": "Original info_record payload_digest response_record revisit_record",
    },
)

__all__ = [
    "Corpus",
    "CorpusReader",
    "CorpusShards",
    "FORMAT_1_UPGRADE",
    "FORMAT_1_VIEW",
    "FORMATS",
    "FirstShards",
    "Found",
    "Original",
    "SCHEMA",
    "Shards",
    "StoredPage",
    "Visited",
    "Visits",
    "export_corpus",
    "info_record",
    "pack",
    "payload_digest",
    "response_record",
    "revisit_record",
    "unpack",
]
