"""A stored page as judges see it: rebuilt from its document, or gleaned again from its bytes if its markup matters."""

from opilio.core.items import Page, Record
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import Url, split
from opilio.fetch.decode import decode
from opilio.fetch.recorded import read_response
from opilio.glean import glean


def stored_page(record: Record, warc: bytes, limits: Limits) -> Page:
    """`warc` is the page's WARC record, or empty: then the page has no blocks, links or classes."""
    url = split(record.url)
    if not warc or isinstance(url, Drop):
        return page_of(record)
    fetched = read_response(warc, url)
    body = decode(fetched.body, fetched.header("content-encoding"), limits.decoded_bytes)
    page = body if isinstance(body, Drop) else glean(url, record.depth, fetched.headers, body, limits, context=False)
    if isinstance(page, Drop):
        raise ValueError(f"the stored bytes of {record.url} cannot be gleaned: {page}")
    return page


def page_of(record: Record) -> Page:
    """Rebuilds a page from its document, as far as possible."""
    url = split(record.url)
    return Page(
        record.url, url.host if isinstance(url, Url) else "", record.depth, record.title, record.text, record.tokens,
        record.language, record.language_confidence, record.charset, record.canonical, "", (), (), (), record.signals,
        nofollow=False, truncated=False, refused_links={},
    )  # fmt: skip
