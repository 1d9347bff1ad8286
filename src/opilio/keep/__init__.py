"""The corpus: what was kept, where it lies, and how it leaves.

A judged page is packed by any process into two byte strings, a WARC member and a compressed JSON line; the owner's
`Corpus` appends both to shards, fsyncs them, and names them in the transaction that ends the page's lease. `CorpusReader`
reads what is committed, and `export` writes it in other formats.
"""

from .corpus import SCHEMA, Corpus, CorpusReader, CorpusShards
from .export import FORMATS, export
from .record import pack, unpack
from .rights import opt_out
from .shards import Place, Shards
from .warc import info_record, payload_digest, record_id, response_record

__all__ = [
    "FORMATS",
    "SCHEMA",
    "Corpus",
    "CorpusReader",
    "CorpusShards",
    "Place",
    "Shards",
    "export",
    "info_record",
    "opt_out",
    "pack",
    "payload_digest",
    "record_id",
    "response_record",
    "unpack",
]
