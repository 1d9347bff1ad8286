"""The corpus on disk: what a later visit replaces is no longer in it."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

from opilio.core.items import Gleaned
from opilio.keep import SCHEMA, Corpus, CorpusShards, Found, Visited


def gleaned(text: str) -> Gleaned:
    return Gleaned(None, text_digest=hashlib.sha256(text.encode()).digest(), record=text.encode())


def test_a_text_that_was_replaced_may_be_kept_of_another_page(tmp_path: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        corpus = Corpus(connection, CorpusShards.of(connection, tmp_path, 10**6))
        old, new = gleaned("what was news yesterday"), gleaned("what is news today")
        corpus.add(1, old)
        assert corpus.find_text(old.text_digest) == 1
        corpus.renew(Visited(1, 20.0, 10.0, Found.CHANGED), new, None)
        assert corpus.find_text(old.text_digest) == 0
        assert corpus.find_text(new.text_digest) == 1
        corpus.add(2, old)
        assert corpus.find_text(old.text_digest) == 2
        corpus.close()
