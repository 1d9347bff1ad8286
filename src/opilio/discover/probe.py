"""What is known of a page that was probed: the nine metadata of Barbaresi (2014), and what costs nothing more."""

from typing import Final

from opilio.core.items import Item

SHORT: Final = "too little text"
LONG: Final = "too many bytes"
UNCERTAIN: Final = "language uncertain"


class Probe(Item, frozen=True):
    """Field order is the order of columns in the directory. Lengths are in characters."""

    probed: str  # ISO 8601, UTC
    html_chars: int  # before stripping
    text_chars: int  # after stripping: all text of the page
    main_chars: int  # without boilerplate
    tokens: int  # words of the main text
    in_links: int  # distinct targets in the same registered domain
    out_links: int  # and in others
    address: str  # of the host; "" for a recorded web
    digest: str  # of the main text: equal for exact duplicates
    language: str  # "" if unknown
    confidence: float
    language_by: str  # "text", or "url" if a hint in the URL settled a known confusion
    declared_language: str  # what the page itself says
    badness: float | None  # None if there is no profile of the language
    licence: str  # target of a rel=license link
    feed: bool  # the page names a feed
    translated: str  # the mark of machine translation that was found, if any
    apart: str  # why the page is set apart, if it is
    sitemap: bool = False  # robots.txt names a sitemap
    score: float | None = None  # the judge's, if there is a judge
    belongs: bool = True  # what the judge says
    cloaking: str = ""  # what another Accept-Language was shown instead, if that was tried
