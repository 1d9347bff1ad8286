"""A crawl's folder made into a web for the lab: one WARC file, and labels for its pages.

Rules:
* Every page whose bytes are stored is a page of the web, whether it is in the corpus or not. What was fetched and not stored is
  counted: a web without the pages that do not belong flatters every recipe. With `keep.refused = "bytes"`, all that is missing
  are pages without text and those that opt out.
* Redirects that were followed are written as redirects, so that links to the old addresses lead on.
* The labels are `lang.CODE`, as the language identifier says, on pages that are long enough for a document. Whoever has better
  ones writes a file of their own.

Invariant: only what the crawl has committed is read, and a web gets its name only when it is whole.
"""

from pathlib import Path
from typing import IO, Final, NamedTuple

from opilio.core.clock import iso_time
from opilio.core.durable import replacing
from opilio.core.errors import CrawlDirError, StorageError
from opilio.core.outcome import Drop
from opilio.folder import CrawlFolder, View
from opilio.keep import payload_digest, response_record

from .runner import labels_beside

_LEVEL: Final = 2


class Recording(NamedTuple):
    web: Path
    pages: int
    redirects: int
    left_out: int  # pages that were fetched and are not stored
    labels: Path


def record_web(folder: CrawlFolder, path: Path) -> Recording:
    labels = labels_beside(path)
    with View(folder) as view:
        if not (pages := view.documents.rows.count_with_bytes()):
            raise CrawlDirError(f"{folder.path} has no stored pages: there is nothing to make a web of.")
        try:
            with replacing(path) as part:
                with part.open("wb") as out:
                    out.writelines(view.documents.warc_records())
                    redirects = _write_redirects(view, out)
                labels.write_text(_labels(view), "utf-8")
        except OSError as error:
            raise StorageError(
                f"cannot write {path}: {error.strerror or error}. The crawl itself is untouched."
            ) from error
        return Recording(path, pages, redirects, view.links.count_pages() - pages, labels)


def _write_redirects(view: View, out: IO[bytes]) -> int:
    """Returns how many there are."""
    count, digest = 0, payload_digest(b"")
    for link, ending in view.links.dropped(Drop.REDIRECTED):
        fields = (("Location", ending.detail),)
        out.write(response_record(link.url, iso_time(ending.fetched_s), "", ending.status, fields, b"", digest, _LEVEL))
        count += 1
    return count


def _labels(view: View) -> str:
    stored = ((link.url, page) for link, page in view.stored() if page.warc.length)
    rows = sorted(
        (url, f"lang.{page.language}" if page.language and page.drop is not Drop.TOO_SHORT else "")
        for url, page in stored
    )
    return "\n".join(("url\tlabel", *map("\t".join, rows), ""))
