"""A stored page as judges see it: rebuilt from its document, or gleaned again from its bytes if its markup matters. And its
document with a text that is taken out of its bytes once more."""

import hashlib
from typing import Final

import msgspec

from opilio.core.items import Page, Record
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import Url, split
from opilio.fetch.decode import decode
from opilio.fetch.recorded import read_response
from opilio.glean import Extracted, MainText, extract, glean

from .second_look import look_again

_OPINION_CHARS: Final = 500_000  # markup that trafilatura is asked about; 5 MB would take it 15 s
EXTRACTOR: Final = "opilio+trafilatura 2"  # raise the number when the same bytes would give another text


def stored_page(record: Record, warc: bytes, limits: Limits) -> Page | Drop:
    """`warc` is the page's WARC record, or empty: then the page has no blocks, links or classes. A text that was extracted again
    stands in place of the one that is gleaned. Bytes that settings or an older version have let in may be a drop today."""
    url = split(record.url)
    if not warc or isinstance(url, Drop):
        return page_of(record)
    fetched = read_response(warc, url)
    body = decode(fetched.body, fetched.header("content-encoding"), limits.decoded_bytes)
    page = body if isinstance(body, Drop) else glean(url, record.depth, fetched.headers, body, limits, context=False)
    return page if isinstance(page, Drop) or not record.extractor else _with_text(page, record)


def _with_text(page: Page, record: Record) -> Page:
    return msgspec.structs.replace(
        page,
        text=record.text,
        words=record.tokens,
        language=record.language,
        language_confidence=record.language_confidence,
        languages=record.languages,
        layout=record.blocks,
    )


def extracted_again(record: Record, warc: bytes, limits: Limits) -> Record | Drop:
    """Returns the document with the text, blocks and comments that its bytes give with a second opinion, and with what is worth
    its time only for documents of the corpus."""
    url = split(record.url)
    if isinstance(url, Drop):
        return url
    fetched = read_response(warc, url)
    body = decode(fetched.body, fetched.header("content-encoding"), limits.decoded_bytes)
    if isinstance(body, Drop):
        return body
    page = glean(url, record.depth, fetched.headers, body, limits, context=False)
    if isinstance(page, Drop):
        return page
    found = extract(fetched.headers, body, limits, trafilatura_text) or _as_gleaned(page)
    text, words, layout = found.main
    if not text:
        return Drop.NO_TEXT
    new = msgspec.structs.replace(
        record,
        text=text,
        tokens=words,
        blocks=layout,
        comments=found.comments,
        language=found.language,
        language_confidence=round(found.language_confidence, 4),
        languages=found.languages,
        text_digest=f"sha256:{hashlib.sha256(text.encode()).hexdigest()}",
        extractor=EXTRACTOR,
    )
    return look_again(new, page, found.source)


def _as_gleaned(page: Page) -> Extracted:
    """Returns the text of a page that has no markup, such as a PDF."""
    main = MainText(page.text, page.words, page.layout)
    return Extracted("", main, (), page.language, page.language_confidence, page.languages)


def trafilatura_text(html: str) -> str:
    """Asks trafilatura in its default mode: its fast one is as good on articles, and worse on pages of other kinds. It is
    imported here because it is an extra, and takes a third of a second to load."""
    if len(html) > _OPINION_CHARS:
        return ""
    import trafilatura  # noqa: PLC0415

    return trafilatura.extract(html, include_comments=False) or ""


def page_of(record: Record) -> Page:
    """Rebuilds a page from its document, as far as possible."""
    url = split(record.url)
    return Page(
        record.url, url.host if isinstance(url, Url) else "", record.depth, record.title, record.text, record.tokens,
        record.language, record.language_confidence, record.charset, record.canonical, "", (), (), (), record.signals,
        nofollow=False, truncated=False, refused_links={}, languages=record.languages,
    )  # fmt: skip
