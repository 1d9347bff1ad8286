"""What is worth its time only for documents of the corpus: the columns that a crawl leaves open, from a page that is read again.

Whoever takes texts out of stored bytes once more calls `look_again` with the new text already in the document. What the crawl
knows better, such as where and when the page was fetched, stays as it is.
"""

from typing import Final

from msgspec.structs import replace

from opilio.core.items import Page, Record
from opilio.keep.quality import boilerplate, measure
from opilio.keep.rights import licence
from opilio.model.badness import badness, profile_of, read_profiles

_MOST_CHARS: Final = 1_000_000  # of a source that are searched for a date


def look_again(record: Record, page: Page, source: str = "") -> Record:
    """`page` is what was gleaned from the document's bytes, `source` is its markup, where a date is looked for that the fast
    way has not found."""
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
        badness=record.badness if profile is None else round(badness(record.text, profile).total, 2),
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
