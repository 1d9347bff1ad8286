"""What must hold for a crawl's folder after any kill, judged from its files and from the server's log.

I1 every acknowledged record is readable and its digest matches; I2 every URL is in exactly one state; I3 no committed
URL is ever lost; I4 no record twice; I5 resuming needs no manual step (which the benchmark itself observes).
"""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType

from opilio.core.errors import StorageError
from opilio.core.outcome import Drop
from opilio.keep import CorpusReader, CorpusShards, Shards


class Inspector:
    """Looks at one folder again and again; remembers the committed URLs it has seen."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: list[int] = []  # fingerprint of link 1, 2, 3 …
        self._checked: set[tuple[int, ...]] = set()  # places of records that were read

    def look(self, *, everything: bool = False) -> list[str]:
        """Returns violations, in words. Reads the records that are new since the last look, or all of them."""
        if everything:
            self._checked.clear()
        if not (path := self._folder / "crawl.db").exists():
            return []  # it was killed before anything was there to be lost
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                return []
            found = [*self._states(connection), *self._lost(connection), *self._records(connection)]
            return found + (list(self._warc(connection)) if everything else [])
        finally:
            connection.close()

    def _states(self, connection: sqlite3.Connection) -> Iterator[str]:
        total, distinct = connection.execute("SELECT count(*), count(DISTINCT key) FROM links").fetchone()
        if total != distinct:
            yield f"I2: {total - distinct} URLs are in the table twice"
        strange = connection.execute("SELECT count(*) FROM links WHERE state NOT IN (0, 1, 2, 3)").fetchone()[0]
        if strange:
            yield f"I2: {strange} URLs are in no known state"
        without = connection.execute(
            'SELECT count(*) FROM links l LEFT JOIN stored r ON r.link = l.id AND r."drop" IS NULL '
            'WHERE l.state = 3 AND l."drop" IS NULL AND r.link IS NULL'
        ).fetchone()[0]
        if without:
            yield f"I1: {without} URLs are kept but have no record"
        stray = connection.execute(
            "SELECT count(*) FROM stored r "
            'LEFT JOIN links l ON l.id = r.link AND l.state = 3 AND l."drop" IS r."drop" WHERE l.id IS NULL'
        ).fetchone()[0]
        if stray:
            yield f"I2: {stray} stored pages belong to URLs that ended in another way"

    def _lost(self, connection: sqlite3.Connection) -> Iterator[str]:
        keys = [row[0] for row in connection.execute("SELECT key FROM links ORDER BY id")]
        if keys[: len(self._known)] != self._known:
            yield f"I3: committed URLs were lost or changed ({len(self._known)} before, {len(keys)} now)"
        self._known = keys

    def _records(self, connection: sqlite3.Connection) -> Iterator[str]:
        reader = CorpusReader(connection, self._folder)
        twice = connection.execute(
            'SELECT count(*) - count(DISTINCT text_key) FROM stored WHERE "drop" IS NULL'
        ).fetchone()[0]
        if twice:
            yield f"I4: {twice} texts are kept twice"
        for page in reader.rows.all():
            if (seen := (page.drop is None, *page.page)) in self._checked or page.drop is Drop.OPTED_OUT:
                continue
            self._checked.add(seen)
            try:
                record = reader.at(page)
            except (OSError, StorageError) as error:
                yield f"I1: the record of {page} cannot be read: {error}"
                continue
            if f"sha256:{hashlib.sha256(record.text.encode()).hexdigest()}" != record.text_digest:
                yield f"I1: the text of {record.url} does not match its digest"

    def _warc(self, connection: sqlite3.Connection) -> Iterator[str]:
        """Checks that the WARC shards hold exactly the records, each once, up to their committed length."""
        corpus = CorpusShards.of(connection, self._folder)
        yield from self._shelf(connection, corpus.kept.warc, '"drop" IS NULL')
        yield from self._shelf(connection, corpus.refused.warc, '"drop" IS NOT NULL')

    def _shelf(self, connection: sqlite3.Connection, shards: Shards, chosen: str) -> Iterator[str]:
        targets: Counter[str] = Counter()
        for number, length in sorted(shards.committed().items()):
            path = shards.path(number)
            if path.stat().st_size < length:
                yield f"I1: {path.name} is shorter than what was committed"
            with path.open("rb") as file:
                for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=False):
                    if record.stream_pos < length:
                        targets[record.headers["WARC-Target-URI"]] += 1
        query = f"SELECT url FROM links JOIN (SELECT link FROM stored WHERE {chosen} AND warc_length) ON link = id"  # noqa: S608
        kept = {row[0] for row in connection.execute(query)}
        doubled = [url for url, count in targets.items() if count > 1]
        if doubled:
            yield f"I4: {len(doubled)} pages stand in the WARC shards twice, such as {doubled[0]}"
        if set(targets) != kept:
            yield f"I1: {len(kept - set(targets))} records have no WARC record, {len(set(targets) - kept)} the other way round"
