"""A crawl's folder made into a web for the lab: one WARC file, and labels for its pages.

Rules:
* Only documents have their bytes in a crawl's folder, so only they are pages of the web. What was fetched and not kept is
  counted: a web without the pages that do not belong flatters every recipe. With the judge `everything` nearly all are kept.
* Redirects that were followed are written as redirects, so that links to the old addresses lead on.
* The labels are `lang.CODE`, by the word of the language identifier. Whoever has better ones writes a file of their own.

Invariant: only what the crawl has committed is read, and a web that is not whole has no name.
"""

import sqlite3
from pathlib import Path
from typing import IO, Final, NamedTuple

from opilio.core.clock import iso_time
from opilio.core.durable import replacing
from opilio.core.errors import CrawlDirError, StorageError
from opilio.folder import CrawlFolder
from opilio.folder.database import open_readonly
from opilio.keep import CorpusShards, payload_digest, response_record

from .runner import labels_beside

_LEVEL: Final = 2
_CHUNK: Final = 2**20


class Recording(NamedTuple):
    pages: int
    redirects: int
    left_out: int  # pages that were fetched and not kept
    labels: Path


def record_web(folder: CrawlFolder, path: Path) -> Recording:
    labels = labels_beside(path)
    connection = open_readonly(folder.database)
    try:
        pages = _count(connection, "SELECT count(*) FROM records")
        if not pages:
            raise CrawlDirError(f"{folder.path} has no documents: there is nothing to make a web of.")
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            with part.open("wb") as out:
                _copy_shards(connection, folder.path, out)
                redirects = _write_redirects(connection, out)
            labels.write_text(_labels(connection), "utf-8")
        left_out = _count(connection, "SELECT count(*) FROM links WHERE outcome = 'ok' AND \"drop\" IS NOT NULL")
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}. The crawl itself is untouched.") from error
    finally:
        connection.close()
    return Recording(pages, redirects, left_out, labels)


def _copy_shards(connection: sqlite3.Connection, folder: Path, out: IO[bytes]) -> None:
    """Records are compressed one by one, so files can be laid end to end. What lies beyond the commit is not taken."""
    shards = CorpusShards.of(connection, folder).warc
    query = "SELECT number, bytes FROM shards WHERE kind = 'warc' ORDER BY number"
    for number, committed in connection.execute(query).fetchall():
        left = committed
        with shards.path(number).open("rb") as file:
            while chunk := file.read(min(_CHUNK, left)):
                out.write(chunk)
                left -= len(chunk)


def _write_redirects(connection: sqlite3.Connection, out: IO[bytes]) -> int:
    rows = connection.execute(
        "SELECT url, status, detail, fetched_s FROM links WHERE \"drop\" = 'redirected' ORDER BY id"
    ).fetchall()
    for url, status, location, fetched_s in rows:
        digest = payload_digest(b"")
        fields = (("Location", location),)
        out.write(response_record(url, iso_time(fetched_s), "", status, fields, b"", digest, _LEVEL))
    return len(rows)


def _labels(connection: sqlite3.Connection) -> str:
    rows = connection.execute("SELECT url, language FROM records JOIN links ON link = id ORDER BY url")
    lines = [f"{url}\tlang.{language}" if language else f"{url}\t" for url, language in rows]
    return "\n".join(("url\tlabel", *lines, ""))


def _count(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])
