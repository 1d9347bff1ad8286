"""Who wrote a page, when, for which site, under which heading: a pure function of what the page says.

`Claims` are what the page says: the metas of its head (OpenGraph, Dublin Core, Parsely, Highwire and others), its JSON-LD
(`json_ld`) and its elements (`marked`: microdata, RDFa, microformats, class names of bylines). `describe` asks them
in the order of how often each is right, and reads dates (`dates`) and names (`bylines`) out of what they say.

The body is read only if the head names no author or no date.

Everything is bounded before it is read, and nothing raises: a page cannot claim more than some thousand characters.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import Final

from opilio.core.dates import url_date
from opilio.core.items import Headers, Metadata
from opilio.core.url import Url
from opilio.glean.title import find_title, normal, site_in

from .bylines import has_introduction, names_in
from .claims import Claims
from .dates import find_date

__all__ = ["Claims", "describe", "find_date", "names_in"]

_DESCRIPTION_CHARS: Final = 2_000
_NAME_CHARS: Final = 200
_ADDRESS_CHARS: Final = 2_000
_MOST_TEXTS: Final = 200  # blocks among which the heading is looked for
_LINE_CHARS: Final = 160  # a longer block is not a byline
_DAY_CHARS: Final = 16  # of the header Date, as in "Sun, 06 Nov 1994"
_MOST_LINES: Final = 60  # blocks after the heading among which a byline is looked for
_DATED_LINE: Final = re.compile(
    r"(?:\b(?:publish|posted|written|publica[dtcç]|publizi|veröffentlicht|publié|pubblicat|gepubliceerd|geplaatst|publisert|"
    r"udgivet|julkaistu|opublikowan|dodano|publikován|vydáno|zveřejněn|опубликован|опубліковано|дата публ|публикува|"
    r"yayın|megjelent|közzé|δημοσιεύ|đăng|diterbitkan)|発行|公開日|掲載日|发布|發布|发表|게시)[^\d]{0,25}\d.*",
    re.IGNORECASE,
)

_PUBLISHED_METAS: Final = (
    "article:published_time", "article:published", "og:published_time", "og:article:published_time", "datepublished",
    "dc.date.issued", "dcterms.issued", "dcterms.date", "dc.date.created", "dcterms.created", "dc.date", "dc.created",
    "citation_publication_date", "citation_date", "citation_online_date", "parsely-pub-date", "sailthru.date", "pubdate",
    "publishdate", "publish-date", "publish_date", "pub_date", "published_date", "published", "publication_date",
    "article.published", "article_date_original", "originalpublicationdate", "cxenseparse:recs:publishtime",
    "bt:pubdate", "ptime", "pdate",
    "prism.publicationdate", "posted", "article.created", "datecreated", "release_date", "video:release_date",
)  # fmt: skip
_VAGUE_METAS: Final = ("displaydate", "date", "dat")  # some sites write the day of the request there
_CHANGED_METAS: Final = (
    "article:modified_time", "article:modified", "og:updated_time", "datemodified", "dcterms.modified", "dc.date.modified",
    "article.updated", "article_date_updated", "lastmod", "last-modified", "last_modified", "utime", "eomportal-lastupdate",
)  # fmt: skip
_AUTHOR_METAS: Final = (
    "citation_author", "author", "article:author", "article.author", "article_author", "og:author", "article:author_name",
    "parsely-author", "sailthru.author", "dc.creator", "dcterms.creator", "dc.creator.personalname", "byl", "byline",
    "content-creator", "creator", "rbauthors", "cxenseparse:author",
)  # fmt: skip
_SITE_METAS: Final = (
    "og:site_name", "application-name", "apple-mobile-web-app-title", "al:android:app_name", "dc.publisher", "dcterms.publisher",
    "citation_journal_title", "cps_site_name", "publisher",
)  # fmt: skip
_DESCRIPTION_METAS: Final = (
    "og:description", "description", "twitter:description", "dc.description", "dcterms.description", "dcterms.abstract",
    "citation_abstract", "sailthru.description", "abstract",
)  # fmt: skip
_SECTION_METAS: Final = (
    "article:section", "articlesection", "article.section", "parsely-section", "sailthru.section", "section", "cps_section_path",
    "prism.section", "page.section", "category", "og:article:section", "cxenseparse:category", "dc.type.section",
)  # fmt: skip


def describe(
    claims: Claims, title: str, texts: Sequence[str], url: Url, canonical: str, headers: Headers, language: str
) -> Metadata:
    """`title` is that of the page's head, `texts` are its blocks, `language` is what decides about 3/4/2012."""
    site = _site(claims, title, url)
    newest = _fetched_on(headers)
    own = find_title(title, _titles(claims), texts[:_MOST_TEXTS], site, url.host)
    lines = _lines_after_heading((own, claims.said("og:title")), texts)
    addresses = (url.href, canonical, claims.said("og:url"))
    return Metadata(
        title=own,
        author="; ".join(_authors(claims, lines, site)),
        date=_earlier(_published(claims, addresses, lines, language) or _dated(texts, language), newest),
        modified=_earlier(_changed(claims, language), newest),
        site=site,
        description=_first([claims.said(*_DESCRIPTION_METAS)], claims.linked("description", "abstract"))[
            :_DESCRIPTION_CHARS
        ],
        section=_section(claims)[:_NAME_CHARS],
    )


def _titles(claims: Claims) -> list[str]:
    metas = (claims.said(name) for name in ("og:title", "twitter:title", "citation_title", "dc.title", "dcterms.title"))
    return [one for one in (*metas, *claims.linked("headline", "name")[:1]) if one]


def _published(claims: Claims, addresses: Iterable[str], lines: Sequence[str], language: str) -> date | None:
    in_address = next((day for one in addresses if (day := url_date(one[:_ADDRESS_CHARS])) is not None), None)
    if found := _date_in((claims.linked("datePublished"), _said(claims, _PUBLISHED_METAS)), language):
        # Stamps are often in universal time; an address has the day that readers saw.
        return in_address if in_address and (found - in_address).days == 1 else found
    sure = (
        claims.property("datepublished"),
        claims.linked("dateCreated", "uploadDate"),
        claims.property("datecreated", "issued", "created"),
    )
    if found := _date_in(sure, language):
        return found
    if in_address:
        return in_address
    marked = claims.marked
    return _date_in((marked.times, marked.dates, marked.authors, lines, _said(claims, _VAGUE_METAS)), language)


def _dated(texts: Sequence[str], language: str) -> date | None:
    """Returns the first date that follows a word for publishing in a line, wherever the line stands."""
    found = (_DATED_LINE.search(text) for text in texts[:_MOST_TEXTS] if len(text) <= _LINE_CHARS)
    return _date_in(((one[0] for one in found if one),), language)


def _changed(claims: Claims, language: str) -> date | None:
    found = _date_in((claims.linked("dateModified"), _said(claims, _CHANGED_METAS)), language)
    if found is None and claims.has_read_body:
        found = _date_in((claims.property("datemodified", "modified"), claims.marked.changes), language)
    return found


def _said(claims: Claims, names: Iterable[str]) -> Iterator[str]:
    """Yields the contents of these metas, in this order."""
    return (value for name in names if name in claims.metas for value in claims.metas[name])


def _date_in(groups: Iterable[Iterable[str]], language: str) -> date | None:
    found = (find_date(text, language) for group in groups for text in group if text)
    return next((one for one in found if one is not None), None)


def _fetched_on(headers: Headers) -> date | None:
    said = next((value for key, value in headers if key.lower() == "date"), "")
    return _day(said[:_DAY_CHARS])


@lru_cache(maxsize=16)
def _day(said: str) -> date | None:
    """Reads the day in a header, which is the same on page after page."""
    return find_date(said)


def _earlier(found: date | None, newest: date | None) -> str:
    """Returns the date, unless it lies in the future of the fetch by more than time zones can explain."""
    if found is None or (newest is not None and (found - newest).days > 1):
        return ""
    return found.isoformat()


def _authors(claims: Claims, lines: Sequence[str], site: str) -> tuple[str, ...]:
    own = normal(site)
    found: list[tuple[str, ...]] = []
    for group in _bylines(claims, lines):
        names = names_in(group)
        if names and (not own or normal(names[0]) not in own):  # a site may be its own author, if nobody else is
            return names
        found += [names] if names else []
    return found[0] if found else ()


def _bylines(claims: Claims, lines: Sequence[str]) -> Iterator[Iterable[str]]:
    """Yields what may name authors, the surest first; the body is looked at only if the head does not say it."""
    yield claims.linked("author", "creator")
    for name in _AUTHOR_METAS:
        if name in claims.metas:
            yield [value for value in claims.metas[name] if "://" not in value]
    yield claims.property("author", "creator")
    yield _innermost(claims.marked.authors)
    yield [line for line in (*claims.marked.dates, *lines) if has_introduction(line)][:1]


def _innermost(texts: Sequence[str]) -> list[str]:
    """Returns the first text, or those of the elements inside of it that say the same with fewer words around it."""
    if not texts:
        return []
    first, *rest = ([" ".join(text.split()), text] for text in texts)
    inside = [whole for folded, whole in rest if folded in first[0] and len(folded) < len(first[0])]
    return inside or [first[1]]


def _lines_after_heading(titles: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Returns short blocks near the heading, where a byline stands that nothing marks."""
    headings = {normal(one) for one in titles} - {""}
    lengths = {size for one in titles for size in range(len(one) - 2, len(one) + 3)}  # normalizing all would cost more
    start = next((n for n, text in enumerate(texts) if len(text) in lengths and normal(text) in headings), None)
    if start is None:
        return []
    return [text for text in texts[start + 1 : start + 1 + _MOST_LINES] if len(text) <= _LINE_CHARS][: _MOST_LINES // 6]


def _site(claims: Claims, title: str, url: Url) -> str:
    said = _first(
        [claims.said("og:site_name")],
        claims.linked_of("website", "name", "alternateName"),
        claims.linked("publisher", "provider"),
        [claims.said(*_SITE_METAS)],
    )
    return ((said.lstrip("@") if "://" not in said else "") or site_in(title, url.host))[:_NAME_CHARS]


def _section(claims: Claims) -> str:
    said = _first(claims.linked("articleSection"), [claims.said(*_SECTION_METAS)], _crumb(claims))
    if said or not claims.has_read_body:
        return said
    return _first(claims.property("articlesection"), claims.marked.categories)


def _crumb(claims: Claims) -> list[str]:
    """Returns the last but one of the page's breadcrumbs: where the page itself is in."""
    names = claims.linked_of("breadcrumblist", "itemListElement")
    return names[-2:-1] if len(names) > 2 else []


def _first(*groups: Iterable[str]) -> str:
    return next((value for group in groups for value in group if value), "")
