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


def test_of_a_page_that_is_visited_for_ever_the_last_hundred_visits_count(tmp_path: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        corpus = Corpus(connection, CorpusShards.of(connection, tmp_path, 10**6))
        corpus.add(1, gleaned("first"))
        corpus.renew(Visited(1, 0.5, 0.0, Found.CHANGED), gleaned("second"), None)
        for day in range(1, 301):
            corpus.note(Visited(1, float(day), day - 1.0, Found.SAME), b"a WARC record")
        assert [visit.visited_s for visit in corpus.visits.of(1)] == [0.5, *map(float, range(201, 301))]
        assert len(list(corpus.visits.all())) == 100  # the version that was replaced is stored, and counts no more
        corpus.sweep(lambda: None)
        assert len(corpus.visits.in_shard("warc", corpus.visits.of(1)[-1].warc.shard)) == 100
        corpus.close()
