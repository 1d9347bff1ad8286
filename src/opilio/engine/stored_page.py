"""A stored page as judges see it: rebuilt from its document, or gleaned again from its bytes if its markup matters."""

from typing import NamedTuple

import msgspec

from opilio.core.items import Headers, Page, Record
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.prose import prose_of
from opilio.core.url import Url, split
from opilio.fetch.decode import decode
from opilio.fetch.recorded import read_response
from opilio.glean import glean


class GleanedAgain(NamedTuple):
    page: Page
    headers: Headers
    body: bytes  # decoded


def glean_again(record: Record, warc: bytes, limits: Limits) -> GleanedAgain | Drop:
    """Gleans a page from its WARC record. Bytes that settings or an older version have let in may be a drop today."""
    url = split(record.url)
    if isinstance(url, Drop):
        return url
    fetched = read_response(warc, url)
    body = decode(fetched.body, fetched.header("content-encoding"), limits.decoded_bytes)
    if isinstance(body, Drop):
        return body
    page = glean(url, record.depth, fetched.headers, body, limits, context=False)
    return page if isinstance(page, Drop) else GleanedAgain(page, fetched.headers, body)


def stored_page(record: Record, warc: bytes, limits: Limits) -> Page | Drop:
    """`warc` is the page's WARC record, or empty: then the page has no blocks, links or classes. A text that was extracted again
    stands in place of the one that is gleaned."""
    if not warc or isinstance(split(record.url), Drop):  # rules for URLs may have become stricter
        return page_of(record)
    found = glean_again(record, warc, limits)
    if isinstance(found, Drop):
        return found
    return _with_text(found.page, record) if record.extractor else found.page


def page_of(record: Record) -> Page:
    """Rebuilds a page from its document, as far as possible."""
    url = split(record.url)
    return Page(
        record.url, url.host if isinstance(url, Url) else "", record.depth, record.title, record.text, record.tokens,
        record.language, record.language_confidence, record.charset, record.canonical, "", (), (), (), record.signals,
        nofollow=False, truncated=False, refused_links={}, languages=record.languages,
        judged=prose_of(record.text, record.blocks),
    )  # fmt: skip


def _with_text(page: Page, record: Record) -> Page:
    return msgspec.structs.replace(
        page,
        text=record.text,
        words=record.tokens,
        language=record.language,
        language_confidence=record.language_confidence,
        languages=record.languages,
        layout=record.blocks,
        judged=prose_of(record.text, record.blocks),
    )
