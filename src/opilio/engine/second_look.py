"""A document of the corpus whose text is taken out of its bytes once more, with what is worth its time only there: a second
opinion on the text, the comments of readers, and the columns that a crawl leaves open.

What the crawl knows better, such as where and when the page was fetched, stays as it is.
"""

import hashlib
from typing import Final

from msgspec.structs import replace

from opilio.core.items import Page, Record
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.prose import prose_of
from opilio.glean import Extracted, MainText, extract
from opilio.keep.quality import boilerplate, measure
from opilio.keep.rights import licence
from opilio.model.badness import badness, profile_of, read_profiles

from .stored_page import glean_again

EXTRACTOR: Final = "opilio+trafilatura 3"  # raise the number when the same bytes would give another text
_OPINION_CHARS: Final = 500_000  # markup without scripts that trafilatura is asked about; 5 MB would take it 15 s
_MOST_CHARS: Final = 1_000_000  # of a source that are searched for a date
_OPINION_TAGS: Final = (
    8_000  # that trafilatura is asked about, whose time grows with their square; 1 page in 100 has more
)
_MOST_TAGS: Final = (
    50_000  # of a page that is looked at twice: one with more costs all that a page may cost the first time
)


def extracted_again(record: Record, warc: bytes, limits: Limits) -> Record | Drop:
    """Returns the document with what its bytes give at a second look."""
    gleaned = glean_again(record, warc, limits)
    if isinstance(gleaned, Drop):
        return gleaned
    page, headers, body = gleaned
    is_dense = body.count(b"<") > _MOST_TAGS
    found = (None if is_dense else extract(headers, body, limits, trafilatura_text)) or _as_gleaned(page)
    text, words, layout = found.main
    if not text:
        return Drop.NO_TEXT
    new = replace(
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


def look_again(record: Record, page: Page, source: str = "") -> Record:
    """Fills the columns of a document that has its new text. `page` is what was gleaned from its bytes, `source` is its markup,
    where a date is looked for that the fast way has not found."""
    said = page.metadata
    signals = tuple(dict.fromkeys((*record.signals, *page.signals)))
    profile = profile_of(record.language, read_profiles())
    return replace(
        record,
        title=said.title or record.title,
        charset=page.charset,
        author=said.author,
        date=said.date or date_by_htmldate(source, record.url, record.fetched[:10]),
        modified=said.modified,
        site=said.site,
        description=said.description,
        section=said.section,
        signals=signals,
        license=licence(signals),
        badness=record.badness
        if profile is None
        else round(badness(prose_of(record.text, record.blocks), profile).total, 2),
        boilerplate=boilerplate(record.tokens, page.blocks),
        **measure(record.text)._asdict(),
    )


def date_by_htmldate(source: str, url: str, fetched: str) -> str:
    """Returns the date of publication that htmldate finds without its extensive search, or "" if it finds none or is not
    installed. The extensive search takes any date of the page: of four pages that have a date by it alone, two were wrong.
    `fetched` is the day after which no date is believed."""
    try:
        from htmldate import find_date  # noqa: PLC0415 - slow to import, and not needed by crawls
    except ImportError:
        return ""
    if not source:
        return ""
    return find_date(source[:_MOST_CHARS], url=url, original_date=True, extensive_search=False, max_date=fetched) or ""


def _as_gleaned(page: Page) -> Extracted:
    """Returns the text of a page that is not looked at twice: one that has no markup, such as a PDF, or far too much."""
    main = MainText(page.text, page.words, page.layout)
    return Extracted("", main, (), page.language, page.language_confidence, page.languages)


def trafilatura_text(html: str) -> str:
    """Asks trafilatura in its default mode: its fast one is as good on articles, and worse on pages of other kinds. It is
    imported here because it is an extra, and takes a third of a second to load."""
    if len(html) > _OPINION_CHARS or html.count("<") > _OPINION_TAGS:
        return ""
    import trafilatura  # noqa: PLC0415

    return trafilatura.extract(html, include_comments=False) or ""
