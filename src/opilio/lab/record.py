"""Turns a crawl's folder into a web for the lab: one WARC file, and labels for its pages.

Rules:
* A crawl's folder has the bytes of documents only, so only they are pages of the web. Pages that were fetched but not
  kept are counted, because a web without the pages that do not belong makes every recipe look better. With the judge
  `everything` nearly all pages are kept.
* Redirects that were followed are written as redirects, so that links to the old URLs still work.
* The labels are `lang.CODE`, by the language identifier. Better labels can be given in a file of one's own.

Invariant: only what the crawl has committed is read, and the web gets its name only when it is complete.
"""

import contextlib
import sqlite3
from pathlib import Path
from typing import IO, Final, NamedTuple

from opilio.core.clock import iso_time
from opilio.core.errors import CrawlDirError, StorageError
from opilio.folder import CrawlFolder
from opilio.folder.database import open_readonly
from opilio.keep import CorpusShards, payload_digest, response_record

from .runner import labels_beside

_GZIP_LEVEL: Final = 2
_CHUNK_BYTES: Final = 2**20


class Recording(NamedTuple):
    pages: int
    redirects: int
    left_out: int  # pages that were fetched but not kept
    labels: Path


def record_web(folder: CrawlFolder, path: Path) -> Recording:
    labels = labels_beside(path)
    connection = open_readonly(folder.database)
    temporary = path.with_name(f".{path.name}.part")
    try:
        pages = _count(connection, "SELECT count(*) FROM records")
        if not pages:
            raise CrawlDirError(f"{folder.path} has no documents, so no web can be made from it.")
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as out:
            _copy_shards(connection, folder.path, out)
            redirects = _write_redirects(connection, out)
        labels.write_text(_labels(connection), "utf-8")
        temporary.replace(path)
        left_out = _count(connection, "SELECT count(*) FROM links WHERE outcome = 'ok' AND \"drop\" IS NOT NULL")
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}. The crawl itself is untouched.") from error
    finally:
        connection.close()
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    return Recording(pages, redirects, left_out, labels)


def _copy_shards(connection: sqlite3.Connection, folder: Path, out: IO[bytes]) -> None:
    """Joins the files, which is possible because records are compressed one by one. Uncommitted bytes are not
    copied."""
    shards = CorpusShards.of(connection, folder).warc
    query = "SELECT number, bytes FROM shards WHERE kind = 'warc' ORDER BY number"
    for number, committed in connection.execute(query).fetchall():
        left = committed
        with shards.path(number).open("rb") as file:
            while chunk := file.read(min(_CHUNK_BYTES, left)):
                out.write(chunk)
                left -= len(chunk)


def _write_redirects(connection: sqlite3.Connection, out: IO[bytes]) -> int:
    rows = connection.execute(
        "SELECT url, status, detail, fetched_s FROM links WHERE \"drop\" = 'redirected' ORDER BY id"
    ).fetchall()
    for url, status, location, fetched_s in rows:
        digest = payload_digest(b"")
        fields = (("Location", location),)
        out.write(response_record(url, iso_time(fetched_s), "", status, fields, b"", digest, _GZIP_LEVEL))
    return len(rows)


def _labels(connection: sqlite3.Connection) -> str:
    rows = connection.execute("SELECT url, language FROM records JOIN links ON link = id ORDER BY url")
    lines = [f"{url}\tlang.{language}" if language else f"{url}\t" for url, language in rows]
    return "\n".join(("url\tlabel", *lines, ""))


def _count(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])
