"""Text and links out of PDFs: an extra, `opilio[pdf]`.

`streams` tells what is far too large, `reading` opens a file and gives the pieces of text of each page, `order` puts them
into reading order, `joining` makes paragraphs of their lines. A PDF becomes a page like any other: the same judges see it, and
the same record is stored.
"""

import re
from typing import Final

from opilio.core.items import Link, Metadata
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import Url, parse
from opilio.glean.metadata import find_date, names_in

from .joining import body_lines, heading_of, paragraphs_of
from .order import reading_order
from .piece import Line
from .reading import can_read_pdf, guard_with, open_pdf

__all__ = ["PdfText", "can_read_pdf", "guard_with", "is_pdf", "read_pdf", "readable_endings"]

_TYPES: Final = ("application/pdf", "application/x-pdf")
_UNSURE_TYPES: Final = ("", "application/octet-stream", "binary/octet-stream", "application/force-download")
_MAGIC: Final = b"%PDF-"
_MAGIC_BYTES: Final = 1_024  # readers accept some bytes before it
_TITLE_CHARS: Final = 300
_NO_TITLE: Final = re.compile(
    r"(?:untitled|document\d*|.{0,80}\.(?:docx?|pdf|tex|dvi|odt|indd|html?|qxd|ps))", re.IGNORECASE
)
_PROGRAM: Final = re.compile(r"^(?:microsoft (?:word|powerpoint)|powerpoint presentation)\s*-\s*", re.IGNORECASE)


class PdfText:
    """What a PDF says: paragraphs, links and what it is."""

    def __init__(self, paragraphs: list[str], links: tuple[Link, ...], metadata: Metadata, *, truncated: bool) -> None:
        self.paragraphs = paragraphs
        self.links = links
        self.metadata = metadata
        self.truncated = truncated


def readable_endings(limits: Limits) -> tuple[str, ...]:
    """Returns the endings of files that are read by these settings, and with what is installed."""
    return ("pdf",) if limits.pdf_pages and can_read_pdf() else ()


def is_pdf(media: str, body: bytes) -> bool:
    return media in _TYPES or (media in _UNSURE_TYPES and _MAGIC in body[:_MAGIC_BYTES])


def read_pdf(url: Url, body: bytes, limits: Limits) -> PdfText | Drop:
    """Reads a PDF, if the settings and what is installed allow it."""
    if not readable_endings(limits):
        return Drop.CONTENT_TYPE
    opened = open_pdf(body, limits)
    if isinstance(opened, Drop):
        return opened
    pages: list[list[Line]] = []
    for pieces in opened.pages:
        pages.append(reading_order(pieces, first_column=sum(map(len, pages))))
    lines = body_lines(pages)
    info = opened.info
    dates = (find_date(info[name]) for name in ("CreationDate", "ModDate"))
    created, changed = ("" if one is None else one.isoformat() for one in dates)
    metadata = Metadata(
        title=_title(info["Title"], lines),
        author="; ".join(names_in([info["Author"]])),
        date=created,
        modified=changed,
        description=" ".join(info["Subject"].split()),
    )
    return PdfText(paragraphs_of(lines), _links(opened.links, url), metadata, truncated=opened.truncated)


def _title(said: str, lines: list[Line]) -> str:
    title = _PROGRAM.sub("", " ".join(said.split()))
    return (heading_of(lines) if not title or _NO_TITLE.fullmatch(title) else title)[:_TITLE_CHARS]


def _links(targets: list[str], base: Url) -> tuple[Link, ...]:
    found: dict[str, Link] = {}
    for target in targets:
        url = parse(target, base.href)
        if not isinstance(url, Drop) and url.href != base.href and url.href not in found:
            found[url.href] = Link(url.href, url.host, path="pdf link", position=len(found))
    return tuple(found.values())
